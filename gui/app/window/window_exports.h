// SPDX-License-Identifier: GPL-3.0-or-later
// WindowExports: everything that leaves the window: pictures and tables to files and to the
// clipboard, the whole report. A view gives what it shows; drawing, encoding and writing take
// longer than a frame and go on beside the window, one after another. The message bar tells how it
// went. GUI thread.
#pragma once

#include <QMenu>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <vector>

#include "gui/app/bars/message_bar.h"
#include "gui/app/run_report.h"
#include "gui/app/window/figure_dialog.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class WindowExports : public QObject {
  Q_OBJECT
 public:
  WindowExports(EngineBridge& bridge, MessageBar& messages, QWidget& window);
  ~WindowExports() override;

  // The entries of one view.
  QMenu* add_menu(QMenu& exports, View& view);

  // Asks for the file, then writes it: "png", "svg", "pdf", "csv".
  void ask(View& view, const QString& format);
  void write(View& view, const QString& format, const QString& file);
  // The same of a figure: of the heatmap, for a paper.
  void ask_figure(View& heatmap, Selection& selection);
  void write_figure(View& heatmap, Selection& selection, const FigureSpec& spec,
                    const QString& file);
  // To the clipboard.
  void copy_picture(View& view);
  void copy_table(View& view);
  // Pictures and tables of these views, and all numbers of the run.
  void write_report(const QString& folder, std::vector<View*> views);
  // What is being written is written.
  void finish();

 signals:
  void written(const QString& file, bool done);
  void report_finished(bool done);
  void copied(bool done);

 private:
  // A report that is being prepared.
  struct ReportWork {
    QString folder;
    RunReport report;
    std::vector<View*> views;  // still to be recorded, the last one first
    size_t format = 0;         // of kPictureFormats: the next one of the last view
    std::vector<std::pair<std::string, ExportJob>> pictures, tables;
  };

  void write_in_background(const ExportJob& job, const QString& file);
  void prepare_report();
  void prepare_rest_of_report();
  void write_prepared_report();
  void tell_copied(const QString& what, const QString& trouble);
  // work() on another thread, then done(what it returned) on this one.
  void in_background(std::function<QString()> work, std::function<void(const QString&)> done);

  EngineBridge& bridge_;
  MessageBar& messages_;
  QWidget& window_;
  std::unique_ptr<ReportWork> report_work_;
  FigureSpec figure_;  // as it was chosen last, for the next one
  QThreadPool jobs_;   // last: waits for its work before anything else goes
};

}  // namespace attn::gui
