// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: toolbar, panels, status line. Attention stands in the middle, Blocks below it,
// Workload left, Inspector right, Timeline over the full width at the bottom; all but Attention can
// be moved, tabbed, hidden. GUI thread.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <vector>

#include "gui/app/actions.h"
#include "gui/app/message_bar.h"
#include "gui/app/run_bar.h"
#include "gui/app/run_report.h"
#include "gui/app/status_line.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/views/attention/head_grid_view.h"
#include "gui/views/attention/head_lines_view.h"
#include "gui/views/compare/compare_view.h"
#include "gui/views/workload/workload_panel.h"

namespace attn::gui {

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  // keep_settings: window state, theme and text size are read at start and kept at the end. Tests
  // and pictures do without.
  MainWindow(EngineBridge& bridge, RunControl& control, Selection& selection, bool keep_settings);
  ~MainWindow() override;

  View* heatmap() const { return heatmap_; }
  View* blocks() const { return blocks_; }
  View* timeline() const { return timeline_; }
  QWidget* inspector() const { return inspector_; }
  WorkloadPanel* workload() const { return workload_; }
  RunBar* run_bar() const { return bar_; }
  TimeCursor& cursor() { return cursor_; }
  StatusLine* status_line() const { return status_; }
  MessageBar* message_bar() const { return messages_; }
  const Actions& actions() const { return actions_; }
  View* tiles() const { return tiles_; }
  View* metrics() const { return metrics_; }
  View* events() const { return events_; }
  HeadLinesView* lines() const { return lines_; }
  HeadGridView* heads() const { return heads_; }
  CompareView* compare() const { return compare_; }
  QTabWidget* attention_tabs() const { return attention_; }
  // Those that have something to show and to export: without a comparison not that one.
  std::vector<View*> views() const;
  // Brings a view of the attention tabs to the front and gives it the keyboard.
  void show_attention(View* view);
  // The attention views alone, or with the panels as they were.
  void set_wide(bool wide);
  bool is_wide() const { return !narrow_state_.isEmpty(); }

  void reset_layout();
  // Writes one view ("png", "svg", "pdf", "csv") in the background; the message bar and
  // export_finished() tell how it went.
  void export_view(View& view, const QString& format, const QString& file);
  // To the clipboard, in the background; copied() tells how it went.
  void copy_picture(View& view);
  void copy_table(View& view);
  // The whole report, in the background.
  void export_report(const QString& folder);

 signals:
  void first_shown();  // the window is on the screen
  void export_finished(const QString& file, bool written);
  void report_finished(bool written);
  void copied(bool done);  // to the clipboard

 protected:
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QDockWidget* add_panel(QWidget* content, const char* name, const QString& title);
  void build_panels();
  bool is_tight() const;
  void place_inspector();
  void fit_panels();
  void build_menus();
  void build_export_menu();
  std::vector<View*> all_views() const {
    return {heatmap_, lines_, heads_, tiles_, compare_, blocks_, timeline_, metrics_, events_};
  }
  void connect_actions();
  void prepare_report();
  void prepare_rest_of_report();
  void write_prepared_report();
  void ask_export(View& view, const QString& format);
  void tell_copied(const QString& what, const QString& trouble);
  // The view that has the keyboard; the heatmap where none has.
  View& view_at_hand() const;
  void show_keys();
  void toggle_theme();
  // work() on another thread, then done(what it returned) on this one.
  void in_background(std::function<QString()> work, std::function<void(const QString&)> done);
  void read_settings();
  void write_settings() const;

  // A report that is being prepared.
  struct ReportWork {
    QString folder;
    RunReport report;
    std::vector<View*> views;  // still to be recorded, the last one first
    std::vector<std::pair<std::string, ExportJob>> pictures, tables;
  };

  EngineBridge& bridge_;
  RunControl& control_;
  Selection& selection_;
  TimeCursor cursor_;
  bool keep_settings_;
  Actions actions_;
  QMenu *panels_menu_, *export_menu_;
  QAction* less_motion_ = nullptr;
  RunBar* bar_ = nullptr;
  MessageBar* messages_ = nullptr;
  StatusLine* status_ = nullptr;
  WorkloadPanel* workload_ = nullptr;
  View *heatmap_ = nullptr, *tiles_ = nullptr, *blocks_ = nullptr, *timeline_ = nullptr,
       *metrics_ = nullptr, *events_ = nullptr;
  CompareView* compare_ = nullptr;
  HeadLinesView* lines_ = nullptr;
  HeadGridView* heads_ = nullptr;
  QTabWidget* attention_ = nullptr;
  QWidget* inspector_ = nullptr;
  QDockWidget *attention_dock_ = nullptr, *workload_dock_ = nullptr, *inspector_dock_ = nullptr,
              *blocks_dock_ = nullptr, *timeline_dock_ = nullptr;
  std::unique_ptr<ReportWork> report_work_;
  QByteArray narrow_state_;  // of the docks while the attention views have the window
  bool shown_ = false;
  bool tight_ = false;   // the inspector is a tab of the workload
  QThreadPool exports_;  // last: waits for its work before anything else goes
};

}  // namespace attn::gui
