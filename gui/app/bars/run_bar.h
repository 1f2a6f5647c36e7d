// SPDX-License-Identifier: GPL-3.0-or-later
// RunBar: the toolbar: Run, Next and its unit, pace, backend, scenario, a button for the theme, and
// the menus Lessons, View, Export and Help. In a narrow window some of them are in a menu at the
// right end instead. GUI thread.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QSlider>
#include <QToolBar>
#include <QToolButton>

#include "gui/app/bars/segmented.h"
#include "gui/app/commands/actions.h"
#include "gui/models/run_control.h"

namespace attn::gui {

struct StepUnit {
  Granularity unit;
  QString name, meaning;
};

class RunBar : public QToolBar {
  Q_OBJECT
 public:
  RunBar(RunControl& control, const Actions& actions, QMenu* panels, QMenu* exports, QMenu* recent,
         QMenu* lessons, QMenu* help, QWidget* parent = nullptr);
  Granularity unit() const { return unit_; }
  void set_unit(Granularity unit);
  void read(const QSettings& settings);
  void write(QSettings& settings) const;
  static std::vector<StepUnit> units();
  QSlider* pace_slider() const { return pace_; }
  QComboBox* backend_box() const { return backend_; }
  void open_export_menu() { export_->showMenu(); }
  void open_recent_menu();
  QToolButton* help_button() const { return help_; }
  QToolButton* lessons_button() const { return lessons_; }
  // Has the controls that have no room. Visible only if there are any.
  QToolButton* more_button() const { return more_; }
  QMenu* scenario_menu() const { return scenario_->menu(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void add_step_units();
  void add_pace();
  void add_backend();
  void add_scenario();
  void add_more();
  void fill_more();
  void add_backends(QMenu& menu);
  void fit();  // in a narrow bar hides texts of buttons, then controls in leaving_
  void refresh_run();
  void refresh_backends();
  void refresh_scenario();
  void restyle();

  RunControl& control_;
  const Actions& actions_;
  QMenu* recent_;
  Granularity unit_ = Granularity::kStep;
  Segmented* units_ = nullptr;
  QSlider* pace_ = nullptr;
  QLabel* pace_text_ = nullptr;
  QComboBox* backend_ = nullptr;
  QToolButton *scenario_ = nullptr, *view_ = nullptr, *export_ = nullptr, *help_ = nullptr,
              *lessons_ = nullptr, *more_ = nullptr;
  QAction *pace_text_action_ = nullptr, *backend_action_ = nullptr, *more_action_ = nullptr;
  std::vector<QAction*> leaving_;  // controls that fit() may hide, the first one first
  QString backends_shown_;
};

}  // namespace attn::gui
