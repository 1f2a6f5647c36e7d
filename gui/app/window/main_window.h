// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the window with toolbar, panels and status line. It has one view for each entry of
// view_registry(). GUI thread.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>
#include <memory>
#include <string_view>
#include <vector>

#include "gui/app/bars/message_bar.h"
#include "gui/app/bars/run_bar.h"
#include "gui/app/bars/status_line.h"
#include "gui/app/beside/beside_panel.h"
#include "gui/app/beside/window_beside.h"
#include "gui/app/commands/actions.h"
#include "gui/app/commands/recent_menu.h"
#include "gui/app/help/help.h"
#include "gui/app/lessons/window_lessons.h"
#include "gui/app/model_browser/window_models.h"
#include "gui/app/notes/window_notes.h"
#include "gui/app/recovery/recovery.h"
#include "gui/app/tours/window_tours.h"
#include "gui/app/window/window_exports.h"
#include "gui/app/window/window_history.h"
#include "gui/app/window/window_layouts.h"
#include "gui/app/window/window_session.h"
#include "gui/models/notes.h"
#include "gui/models/run/edit_history.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/theme/theme.h"
#include "gui/views/inspector/inspector_view.h"
#include "gui/views/workload/workload_panel.h"

QT_FORWARD_DECLARE_CLASS(QSettings)

namespace attn::gui {

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  // keep_settings: true: the settings are read and written, with the recent files and layouts.
  MainWindow(EngineBridge& bridge, RunControl& control, Selection& selection, bool keep_settings);
  ~MainWindow() override;

  // The view with this ViewEntry::name; null: there is none.
  View* view(std::string_view name) const;
  template <class ViewType>
  ViewType* view() const {
    for (View* view : all_views_)
      if (auto* found = qobject_cast<ViewType*>(view)) return found;
    return nullptr;
  }
  const std::vector<View*>& all_views() const { return all_views_; }
  std::vector<View*> views() const;
  InspectorView* inspector() const { return inspector_; }
  WorkloadPanel* workload() const { return workload_; }
  RunBar* run_bar() const { return bar_; }
  TimeCursor& cursor() { return cursor_; }
  Inside& inside() { return *inside_; }
  StatusLine* status_line() const { return status_; }
  MessageBar* message_bar() const { return messages_; }
  const Actions& actions() const { return actions_; }
  QTabWidget* attention_tabs() const { return attention_; }
  BesidePanel& beside() const { return *beside_panel_; }
  void show_attention(View* view);
  void show_view(View* view);
  // True: hides the panels but Attention and that of lessons. False: brings them back.
  void set_wide(bool wide) { layouts_->set_wide(wide); }
  bool is_wide() const { return layouts_->is_wide(); }

  WindowLayouts& layouts() { return *layouts_; }
  void reset_layout() { layouts_->reset(); }
  WindowHistory& history() { return *history_; }
  WindowSession& session() { return *session_; }
  Recovery& recovery() { return *recovery_; }
  Notes& notes() { return notes_; }
  WindowNotes& window_notes() { return *window_notes_; }
  RecentMenu& recent_menu() { return *recent_menu_; }
  WindowModels& models() { return *models_; }
  Help& help() { return *help_; }
  WindowLessons& lessons() { return *lessons_; }
  WindowTours& tours() { return *tours_; }
  // Writes a file with the view in the background. format: "png", "svg", "pdf", "csv", or "html"
  // for a page of the run. export_finished() is emitted at the end.
  void export_view(View& view, const QString& format, const QString& file) {
    exports_->write(view, format, file);
  }
  // These copy the view to the clipboard in the background. copied() is emitted at the end.
  void copy_picture(View& view) { exports_->copy_picture(view); }
  void copy_table(View& view) { exports_->copy_table(view); }
  // Writes the whole report in the background. report_finished() is emitted at the end.
  void export_report(const QString& folder) { exports_->write_report(folder, views()); }

 signals:
  void first_shown();  // emitted once, after the first paint event
  void export_finished(const QString& file, bool written);
  void report_finished(bool written);
  void copied(bool done);

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
  void build_menus();
  void connect_actions();
  void connect_views();
  void connect_places();
  // run: the run that the view shows. open: brings another view of this run to the front.
  void open_menu_of(View& view, const QPoint& at, const RunContext& run,
                    std::function<void(const ViewEntry&)> open);
  void open_menu_by_key();
  bool take_mouse_button(QObject* watched, const QMouseEvent& event);
  void set_text_size(int direction);
  void appearance_changed();
  View& view_at_hand() const;
  void show_keys();
  void show_palette();
  void toggle_theme();
  void name_window();
  void read_settings();
  void take_settings(QSettings& settings);
  void write_settings() const;

  EngineBridge& bridge_;
  RunControl& control_;
  Selection& selection_;
  TimeCursor cursor_;
  std::unique_ptr<Inside> inside_;
  Notes notes_;
  EditHistory edits_;
  bool keep_settings_;
  Actions actions_;
  QMenu *panels_menu_, *export_menu_, *lessons_menu_, *help_menu_;
  RecentMenu* recent_menu_;
  QAction* less_motion_ = nullptr;
  RunBar* bar_ = nullptr;
  MessageBar* messages_ = nullptr;
  StatusLine* status_ = nullptr;
  WorkloadPanel* workload_ = nullptr;
  std::vector<View*> all_views_;
  QTabWidget* attention_ = nullptr;
  BesidePanel* beside_panel_ = nullptr;
  InspectorView* inspector_ = nullptr;
  QDockWidget *attention_dock_ = nullptr, *workload_dock_ = nullptr, *inspector_dock_ = nullptr;
  QDockWidget *below_dock_ = nullptr, *bottom_dock_ = nullptr;  // ViewPlace::kBelow, kBottom
  std::vector<std::pair<QAction*, ThemeMode>> modes_;
  QMenu* text_sizes_menu_ = nullptr;
  std::vector<QAction*> text_sizes_;  // one for each of Theme::kTextPercents
  std::unique_ptr<WindowLayouts> layouts_;
  std::unique_ptr<WindowHistory> history_;
  std::unique_ptr<WindowSession> session_;
  std::unique_ptr<Recovery> recovery_;
  std::unique_ptr<WindowNotes> window_notes_;
  std::unique_ptr<WindowModels> models_;
  std::unique_ptr<WindowBeside> beside_;
  std::unique_ptr<Help> help_;
  std::unique_ptr<WindowLessons> lessons_;
  std::unique_ptr<WindowTours> tours_;
  QStringList recent_commands_;  // the newest first
  bool shown_ = false;
  std::unique_ptr<WindowExports> exports_;  // last member, destroyed first: waits for its work
};

}  // namespace attn::gui
