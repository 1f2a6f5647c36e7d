// SPDX-License-Identifier: GPL-3.0-or-later
// BesidePanel: the column of a second run at the right of Attention: its numbers beside those of
// the run in the window, and the views that have no job. GUI thread.
#pragma once

#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <string_view>
#include <vector>

#include "gui/app/beside/run_beside.h"
#include "gui/theme/panel_header.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class BesidePanel : public QWidget {
  Q_OBJECT
 public:
  explicit BesidePanel(const RunContext& main, QWidget* parent = nullptr);
  ~BesidePanel() override;

  // Shows this run; a run that the panel showed is removed. title: "the run before", or the name of
  // the session's file.
  void show_run(const std::shared_ptr<const Session>& session, const QString& title);
  // Removes the run and its views, and hides the panel.
  void close_run();
  RunBeside* run() const { return run_.get(); }
  // The view of this name (ViewEntry::name) comes to the front; without effect if it has no tab.
  void show_view(std::string_view name);
  View* view(std::string_view name) const;
  // Null before the first call of show_run().
  QTableWidget* numbers() const { return numbers_; }
  QTabWidget* tabs() const { return tabs_; }
  QString numbers_text() const;  // as columns separated by tabs, with their titles

 signals:
  void close_asked();
  void menu_asked(View* view, const QPoint& at);

 private:
  void build();
  void restyle();
  void refresh();
  QString line_of_run() const;

  RunContext main_;
  QString title_;
  PanelHeader* header_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  QTableWidget* numbers_ = nullptr;
  QTimer later_;
  std::unique_ptr<RunBeside> run_;
  std::vector<View*> views_;  // children of tabs_; deleted before run_
};

}  // namespace attn::gui
