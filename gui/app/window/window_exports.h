// SPDX-License-Identifier: GPL-3.0-or-later
// WindowExports: the exports of the window: pictures and tables to files and to the clipboard, the
// whole report. A view gives what it shows; encoding and writing, and for most views drawing, go on
// beside the window on another thread, one export after another. The message bar tells how it went.
// GUI thread.
#pragma once

#include <QMenu>
#include <QObject>
#include <QThreadPool>
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
#include "gui/widgets/view.h"

namespace attn::gui {

class WindowExports : public QObject {
  Q_OBJECT
 public:
  WindowExports(RunControl& control, const Selection& selection, const TimeCursor& cursor,
                const Notes& notes, MessageBar& messages, QWidget& window);
  ~WindowExports() override;

  // Adds a submenu with the exports of one view.
  QMenu* add_menu(QMenu& exports, const QString& title, View& view);
  // Adds the entry for the page of the run, which begins with this view.
  void add_page(QMenu& exports, View& view);

  // Asks for the file, then writes it. format: "png", "svg", "pdf", "csv", or "html" for a page
  // that shows the run in a browser, beginning with this view.
  void ask(View& view, const QString& format);
  void write(View& view, const QString& format, const QString& file);
  // Asks what a figure of the heatmap for a paper shows, and for its file, then writes it.
  void ask_figure(View& heatmap, Selection& selection);
  // Adds the entries for the arrays of the shown request: weights, and queries, keys and values.
  void add_arrays(QMenu& exports, View& heatmap, Selection& selection);
  // Asks for the file, then writes the weights of all heads of the shown request, in all layers
  // that read the same tokens as the shown one.
  void ask_all_weights(View& heatmap, Selection& selection);
  // Asks for the file, then writes the queries, keys and values of the shown request in these
  // layers.
  void ask_query_key_value();
  void write_figure(View& heatmap, Selection& selection, const FigureSpec& spec,
                    const QString& file);
  // These two copy to the clipboard.
  void copy_picture(View& view);
  void copy_table(View& view);
  // Asks for the file, then writes that one of view.further_tables() which has this name.
  void ask_further_table(View& view, const QString& name);
  // Asks for the name of a new folder, then writes the report into it.
  void ask_report(std::vector<View*> views);
  // Writes pictures and tables of these views, and all numbers of the run. The folder appears, or
  // an older report there is replaced, only when all of them are written.
  void write_report(const QString& folder, std::vector<View*> views);
  // Returns when everything asked for has been written.
  void finish();

 signals:
  void written(const QString& file, bool done);
  void report_finished(bool done);
  void copied(bool done);

 private:
  // A report that is being prepared.
  struct ReportWork {
    QString folder;
    std::unique_ptr<ReportFolder> place;
    RunReport report;
    FullestStep fullest;       // what Blocks and Step are drawn at; null: as seen
    std::vector<View*> views;  // still to be recorded, the last one first
    size_t format = 0;         // index in kPictureFormats of the last view's next picture
    std::vector<std::pair<std::string, ExportJob>> pictures, tables;
  };

  void write_page(const View& view, const QString& file);
  // note: what is told with the written file.
  void write_in_background(const ExportJob& job, const QString& file, const QString& note = {});
  void prepare_report();
  void prepare_rest_of_report();
  void write_prepared_report();
  bool may_write(const QString& file);
  void tell_copied(const QString& what, const QString& trouble);
  // Calls work() on another thread, then done() on this thread with what work() returned.
  void in_background(std::function<QString()> work, std::function<void(const QString&)> done);

  RunControl& control_;
  const Selection& selection_;
  const TimeCursor& cursor_;
  const Notes& notes_;
  MessageBar& messages_;
  QWidget& window_;
  std::unique_ptr<ReportWork> report_work_;
  FigureSpec figure_;  // the last choices in the dialog, for the next figure
  QThreadPool jobs_;   // last member, so destroyed first: it waits for its work
};

}  // namespace attn::gui
