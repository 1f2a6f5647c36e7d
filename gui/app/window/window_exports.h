// SPDX-License-Identifier: GPL-3.0-or-later
// WindowExports: the exports of the window to files and to the clipboard. They are prepared on the
// GUI thread and run one after another on another thread. GUI thread.
#pragma once

#include <QMenu>
#include <QObject>
#include <QThreadPool>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "engine/session/report/report_folder.h"
#include "gui/app/bars/message_bar.h"
#include "gui/app/report/fullest_step.h"
#include "gui/app/report/run_report.h"
#include "gui/app/window/figure_dialog.h"
#include "gui/models/notes.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class WindowExports : public QObject {
  Q_OBJECT
 public:
  WindowExports(RunControl& control, const Selection& selection, const TimeCursor& cursor,
                const Notes& notes, MessageBar& messages, QWidget& window);
  ~WindowExports() override;

  QMenu* add_menu(QMenu& exports, const QString& title, View& view);
  void add_page(QMenu& exports, View& view);

  // Asks for the file, then writes it. format: "png", "svg", "pdf", "csv", or "html" for a page of
  // the run.
  void ask(View& view, const QString& format);
  void write(View& view, const QString& format, const QString& file);
  // Adds the exports that the view's entry declares (ViewEntry::exports).
  void add_own(QMenu& exports, const ViewExports& own, View& view, Selection& selection);
  void add_query_key_value(QMenu& exports);
  void ask_figure(View& view, Selection& selection);
  // Asks for width, text, title and more, and the file, then writes a picture of what the view
  // shows.
  void ask_picture(View& view);
  // Asks for the file, then writes the arrays of all heads in all layers that read the same tokens
  // as the shown layer.
  void ask_arrays(View& view, const ArraysExport& arrays, Selection& selection);
  void ask_query_key_value();
  void write_figure(View& view, Selection& selection, const FigureSpec& spec, const QString& file);
  void copy_picture(View& view);
  void copy_table(View& view);
  void ask_further_table(View& view, const QString& name);
  void ask_report(std::vector<View*> views);
  // Writes pictures and tables of these views, and the numbers of the run. The folder appears, or
  // replaces an older report, only when it is complete.
  void write_report(const QString& folder, std::vector<View*> views);
  // Returns when everything asked for has been written, except exports of numbers that are still to
  // be computed: these are given up.
  void finish();

 signals:
  void written(const QString& file, bool done);
  void report_finished(bool done);
  void copied(bool done);

 private:
  struct ReportWork {
    QString folder;
    std::unique_ptr<ReportFolder> place;
    RunReport report;
    FullestStep fullest;       // the step that pictures show; no snapshot: the window's
    std::vector<View*> views;  // still to be prepared, the last one first
    size_t format = 0;         // index in kPictureFormats of the last view's next picture
    std::vector<std::pair<std::string, ExportJob>> pictures, tables;
  };

  // Calls `go` once what an export of the view needs is computed, else `failed`.
  void when_complete(View& view, const std::function<void()>& go,
                     const std::function<void(const QString& trouble)>& failed);
  void write_page(const View& view, const QString& file);
  // note: is added to the message that the file was written.
  void write_in_background(const ExportJob& job, const QString& file, const QString& note = {});
  void prepare_report();
  void prepare_rest_of_report();
  void write_prepared_report();
  bool may_write(const QString& file);
  void tell_copied(const QString& what, const QString& trouble);
  // Calls work() on another thread, then done() on this thread with its result or its error.
  void in_background(std::function<QString()> work, std::function<void(const QString&)> done);

  RunControl& control_;
  const Selection& selection_;
  const TimeCursor& cursor_;
  const Notes& notes_;
  MessageBar& messages_;
  QWidget& window_;
  std::unique_ptr<ReportWork> report_work_;
  FigureSpec figure_, picture_;  // what the dialogs for figures and for other pictures had last
  std::array<int64_t, 3> figure_of_{-1, -1, -1};  // request, layer, head shown with figure_
  QString picture_of_;                            // the view of picture_
  QThreadPool jobs_;  // last member, destroyed first: waits for its work
};

}  // namespace attn::gui
