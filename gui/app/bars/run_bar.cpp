// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/run_bar.h"

#include <QAbstractItemView>
#include <QFileInfo>
#include <QMenu>
#include <QMouseEvent>
#include <QStandardItemModel>
#include <QToolTip>
#include <algorithm>

#include "engine/model/find_models.h"
#include "engine/session/scenario/scenario_groups.h"
#include "gui/app/bars/pace.h"
#include "gui/models/plain_tooltip.h"
#include "gui/models/text.h"
#include "gui/models/words/scenario_words.h"
#include "gui/theme/icons.h"
#include "gui/theme/theme.h"
#include "gui/views/workload/scenario_list.h"

namespace attn::gui {
namespace {

struct Unit {
  Granularity unit;
  const char* name;
  const char* meaning;
};
constexpr Unit kUnits[] = {
    {Granularity::kTile, QT_TRANSLATE_NOOP("RunBar", "Tile"),
     QT_TRANSLATE_NOOP("RunBar",
                       "A tile is a part of an attention kernel: some queries with some keys.")},
    {Granularity::kKernel, QT_TRANSLATE_NOOP("RunBar", "Kernel"),
     QT_TRANSLATE_NOOP("RunBar",
                       "A kernel is one operation on the batch or on a part of it, for example an "
                       "attention call.")},
    {Granularity::kLayer, QT_TRANSLATE_NOOP("RunBar", "Layer"),
     QT_TRANSLATE_NOOP(
         "RunBar", "A layer computes attention once, with the operations before and after it.")},
    {Granularity::kStep, QT_TRANSLATE_NOOP("RunBar", "Step"),
     QT_TRANSLATE_NOOP("RunBar",
                       "An engine step computes at most one batch: prefills, decodes or both.")},
};

}  // namespace

RunBar::RunBar(RunControl& control, const Actions& actions, QMenu* panels, QMenu* exports,
               QMenu* recent, QMenu* lessons, QMenu* help, QWidget* parent)
    : QToolBar(parent), control_(control), actions_(actions), recent_(recent) {
  setObjectName(QStringLiteral("run_bar"));
  setMovable(false);
  setFloatable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  addAction(actions.run);
  addAction(actions.step);
  add_step_units();
  addSeparator();
  add_pace();
  addSeparator();
  add_backend();
  add_scenario();
  auto* gap = new QWidget;
  gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(gap);

  const auto menu_button = [this](Icon which, const QString& text, const QString& tip,
                                  QMenu* menu) {
    auto* button = new QToolButton;
    button->setIcon(icon(which));
    button->setText(text);
    button->setToolTip(tip);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    addWidget(button);
    menu->setTitle(text);  // for the menu of more_
    return button;
  };
  lessons_ = menu_button(Icon::kLessons, tr("Lessons"),
                         tr("Lessons, hand-outs and results of a class"), lessons);
  QAction* lessons_place = QToolBar::actions().last();
  view_ = menu_button(Icon::kPanels, tr("View"), tr("View: panels, layout, appearance and more"),
                      panels);
  export_ = menu_button(Icon::kExport, tr("Export"), actions.export_menu->toolTip(), exports);
  // This button is not made by addAction(), because fit() would then hide the action itself.
  auto* theme = new QToolButton;
  theme->setDefaultAction(actions.theme);
  theme->setAutoRaise(true);
  theme->setToolButtonStyle(Qt::ToolButtonIconOnly);
  theme->setAccessibleName(actions.theme->text());
  QAction* theme_place = addWidget(theme);
  help_ = menu_button(Icon::kHelp, tr("Help"),
                      tr("Help: this window, its keys, documents and more"), help);
  leaving_ = {pace_text_action_, theme_place, QToolBar::actions().last(), backend_action_,
              lessons_place};
  add_more();

  connect(&control, &RunControl::state_changed, this, &RunBar::refresh_run);
  connect(&control, &RunControl::scenario_changed, this, &RunBar::refresh_scenario);
  connect(&control.bridge(), &EngineBridge::snapshot_changed, this, &RunBar::refresh_backends);
  connect(&Theme::instance(), &Theme::changed, this, &RunBar::restyle);
  restyle();
  refresh_run();
  refresh_scenario();
}

void RunBar::add_step_units() {
  units_ = new Segmented;
  units_->setAccessibleName(tr("Unit that Next computes"));
  for (const StepUnit& unit : units())
    units_->add_choice(static_cast<int>(unit.unit), unit.name, unit.meaning);
  units_->choose(static_cast<int>(unit_));
  connect(units_, &Segmented::chosen_by_user, this,
          [this](int id) { unit_ = static_cast<Granularity>(id); });
  addWidget(units_);
}

std::vector<StepUnit> RunBar::units() {
  std::vector<StepUnit> all;
  for (const Unit& unit : kUnits) all.push_back({unit.unit, tr(unit.name), tr(unit.meaning)});
  return all;
}

void RunBar::set_unit(Granularity unit) {
  unit_ = unit;
  units_->choose(static_cast<int>(unit));
}

void RunBar::read(const QSettings& settings) {
  const int last = static_cast<int>(Granularity::kStep);
  set_unit(static_cast<Granularity>(
      std::clamp(settings.value(QStringLiteral("step_by"), last).toInt(), 0, last)));
}

void RunBar::write(QSettings& settings) const {
  settings.setValue(QStringLiteral("step_by"), static_cast<int>(unit_));
}

void RunBar::add_pace() {
  pace_ = new QSlider(Qt::Horizontal);
  pace_->setRange(0, kPaceSteps);
  pace_->setFixedWidth(Theme::instance().px(120));
  pace_->setPageStep(10);
  pace_->setToolTip(
      tr("Pace: the most attention tiles per second, by all workers together; the right end is "
         "full speed."));
  pace_->setAccessibleName(tr("Pace, tiles per second"));
  pace_text_ = new QLabel;
  connect(pace_, &QSlider::valueChanged, this, [this](int position) {
    control_.set_pace(pace_at(position));
    pace_text_->setText(pace_text(pace_at(position)));
  });
  addWidget(pace_);
  pace_text_action_ = addWidget(pace_text_);
}

void RunBar::add_backend() {
  backend_ = new QComboBox;
  backend_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  backend_->setToolTip(tr("The attention backend is the code that computes attention."));
  backend_->setAccessibleName(tr("Backend"));
  connect(backend_, &QComboBox::activated, this,
          [this](int row) { control_.set_backend(backend_->itemData(row).toString()); });
  backend_->view()->viewport()->installEventFilter(this);
  backend_action_ = addWidget(backend_);
}

// A click on a disabled backend leaves the list open and shows why it cannot be chosen.
bool RunBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::MouseButtonRelease || watched != backend_->view()->viewport())
    return QToolBar::eventFilter(watched, event);
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QModelIndex entry = backend_->view()->indexAt(mouse->position().toPoint());
  if (!entry.isValid() || entry.flags().testFlag(Qt::ItemIsEnabled)) return false;
  QToolTip::showText(mouse->globalPosition().toPoint(), entry.data(Qt::ToolTipRole).toString(),
                     backend_->view());
  return true;
}

void RunBar::add_scenario() {
  scenario_ = new QToolButton;
  scenario_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  scenario_->setIcon(icon(Icon::kOpen));
  scenario_->setPopupMode(QToolButton::InstantPopup);
  scenario_->setToolTip(
      tr("The scenario and its source. Choose a shipped scenario or open a file."));
  auto* menu = new QMenu(scenario_);
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    qDeleteAll(menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));  // menus of the groups
    try {
      for (const ScenarioGroup& group : scenario_groups()) {
        QMenu* of_group = menu->addMenu(words_of_group(group.title));
        of_group->setToolTipsVisible(true);
        for (const std::string& name : group.scenarios) {
          const QString file = QString::fromStdString(name);
          QAction* scenario = of_group->addAction(words_of_scenario(file), this, [this, file] {
            if (control_.open(file)) control_.start();
          });
          const QString about = about_scenario(file).description;
          scenario->setToolTip(plain_tooltip(about));
          scenario->setWhatsThis(about);
        }
      }
    } catch (const std::exception&) {
      // If the shipped scenarios cannot be read, the menu still offers files.
    }
    menu->addSeparator();
    menu->addAction(actions_.open);
    menu->addMenu(recent_);
    menu->addAction(actions_.models);
    menu->addAction(actions_.save);
    menu->addAction(actions_.save_session);
    menu->addSeparator();
    menu->addAction(actions_.undo);
  });
  scenario_->setMenu(menu);
  addWidget(scenario_);
}

void RunBar::add_more() {
  more_ = new QToolButton;
  more_->setIcon(icon(Icon::kMore));
  more_->setToolTip(tr("What has no room in the toolbar"));
  more_->setAccessibleName(tr("More of the toolbar"));
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setToolButtonStyle(Qt::ToolButtonIconOnly);
  auto* menu = new QMenu(more_);
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, &RunBar::fill_more);
  more_->setMenu(menu);
  more_action_ = addWidget(more_);
  more_action_->setVisible(false);
}

void RunBar::fill_more() {
  QMenu* menu = more_->menu();
  menu->clear();
  qDeleteAll(menu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));  // the menu of backends
  for (QAction* place : leaving_) {
    if (place->isVisible() || place == pace_text_action_) continue;
    if (place == backend_action_) {
      add_backends(*menu->addMenu(backend_->accessibleName()));
      continue;
    }
    auto* button = qobject_cast<QToolButton*>(widgetForAction(place));
    menu->addAction(button->defaultAction() ? button->defaultAction()
                                            : button->menu()->menuAction());
  }
}

// The entries of the box of backends.
void RunBar::add_backends(QMenu& menu) {
  menu.setToolTipsVisible(true);
  for (int row = 0; row < backend_->count(); ++row) {
    const QString name = backend_->itemData(row).toString();
    QAction* one =
        menu.addAction(backend_->itemText(row), this, [this, name] { control_.set_backend(name); });
    one->setToolTip(backend_->itemData(row, Qt::ToolTipRole).toString());
    one->setEnabled(backend_->model()->index(row, 0).flags().testFlag(Qt::ItemIsEnabled));
    one->setCheckable(true);
    one->setChecked(row == backend_->currentIndex());
  }
}

void RunBar::open_recent_menu() {
  recent_->popup(scenario_->mapToGlobal(QPoint(0, scenario_->height())));
}

void RunBar::restyle() {
  const Theme& theme = Theme::instance();
  pace_text_->setFont(theme.mono(TextRole::kSmall));
  pace_text_->setFixedWidth(theme.px(92));
  pace_text_->setContentsMargins(8, 0, 4, 0);
  setIconSize({theme.px(16), theme.px(16)});
  setFixedHeight(theme.px(40));
  fit();
}

void RunBar::fit() {
  const Theme& theme = Theme::instance();
  const bool tight = width() < theme.px(1180);
  const Qt::ToolButtonStyle style = tight ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
  for (QToolButton* button :
       {lessons_, export_, qobject_cast<QToolButton*>(widgetForAction(actions_.run)),
        qobject_cast<QToolButton*>(widgetForAction(actions_.step))})
    button->setToolButtonStyle(style);
  const bool snug = width() < theme.px(1400);
  for (QToolButton* button : {view_, help_})
    button->setToolButtonStyle(snug ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  widgetForAction(actions_.run)->setMinimumWidth(tight ? 0 : theme.px(84));
  scenario_->setToolButtonStyle(tight ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly);
  // If the bar is still too narrow, controls in leaving_ go into the menu of more_.
  int needed = 24 + 2 * (theme.px(84) - 84);
  const int spacing = this->style()->pixelMetric(QStyle::PM_ToolBarItemSpacing);
  const auto width_of = [&](QAction* action) {
    const QWidget* widget = widgetForAction(action);
    if (action->isSeparator())
      return this->style()->pixelMetric(QStyle::PM_ToolBarSeparatorExtent) + spacing;
    const QSize least = widget->minimumSize(), most = widget->maximumSize();
    return widget->sizeHint().expandedTo(least).boundedTo(most).width() + spacing;
  };
  for (QAction* action : actions())
    if (action != more_action_) needed += width_of(action);
  int pace = theme.px(tight ? 80 : snug ? 96 : 120);
  needed += pace - pace_->maximumWidth();
  if (needed > width() && tight) {
    needed -= pace - theme.px(56);
    pace = theme.px(56);
  }
  pace_->setFixedWidth(pace);
  bool has_more = false;
  for (QAction* action : leaving_) {
    const bool stays = needed <= width();
    if (!stays) needed -= width_of(action);
    if (!stays && !has_more && action != pace_text_action_) {
      has_more = true;
      needed += width_of(more_action_);
    }
    if (action->isVisible() != stays) action->setVisible(stays);
  }
  if (more_action_->isVisible() != has_more) more_action_->setVisible(has_more);
}

bool RunBar::event(QEvent* event) {
  const bool done = QToolBar::event(event);
  if (event->type() == QEvent::LayoutRequest) fit();
  return done;
}

void RunBar::resizeEvent(QResizeEvent* event) {
  fit();
  QToolBar::resizeEvent(event);
}

void RunBar::refresh_run() {
  const bool running = control_.is_running();
  const bool ended = control_.has_ended();
  actions_.run->setIcon(icon(running ? Icon::kPause : ended ? Icon::kRestart : Icon::kRun));
  actions_.run->setText(running ? tr("Pause") : ended ? tr("Again") : tr("Run"));
  const int position = position_of(control_.bridge().pace());
  pace_text_->setText(pace_text(control_.bridge().pace()));
  if (!pace_->isSliderDown() && position != pace_->value()) {
    const QSignalBlocker quiet(pace_);
    pace_->setValue(position);
  }
}

void RunBar::refresh_backends() {
  const auto& snapshot = control_.bridge().snapshot();
  if (!snapshot) return;
  const QString shown = QStringLiteral("%1/%2/%3/%4/%5")
                            .arg(snapshot->run)
                            .arg(snapshot->source.head_size)
                            .arg(snapshot->source.num_kv_heads)
                            .arg(QString::fromStdString(control_.scenario().engine.kv_cache_dtype),
                                 QString::fromStdString(control_.scenario().engine.backend));
  if (shown == backends_shown_) return;
  backends_shown_ = shown;
  const QSignalBlocker quiet(backend_);
  backend_->clear();
  auto* model = qobject_cast<QStandardItemModel*>(backend_->model());
  for (const BackendChoice& choice : control_.backend_choices()) {
    backend_->addItem(choice.display_name, choice.name);
    QStandardItem* item = model->item(backend_->count() - 1);
    item->setToolTip(plain_tooltip(
        !choice.refusals.isEmpty() ? choice.refusals.join(QLatin1Char('\n'))
        : choice.pads              ? choice.description + QLatin1Char('\n') +
                            tr("For this backend, heads of this size are padded with zeros.")
                      : choice.description));
    item->setEnabled(choice.refusals.isEmpty());
  }
  backend_->setCurrentIndex(
      backend_->findData(QString::fromStdString(control_.scenario().engine.backend)));
}

void RunBar::refresh_scenario() {
  const Scenario& scenario = control_.scenario();
  QString title = title_of(scenario);
  if (title.isEmpty()) title = QFileInfo(control_.file()).completeBaseName();
  const QString source =
      scenario.source.synthetic
          ? tr("synthetic %1").arg(QLatin1String(name_of(scenario.source.synthetic->kind).data()))
      : scenario.source.tensors ? tr("tensors")
                                : text_of(model_label(scenario.source.model));
  const QString text = QStringLiteral("%1 · %2").arg(title, source);
  scenario_->setText(
      scenario_->fontMetrics().elidedText(text, Qt::ElideRight, Theme::instance().px(210)));
  scenario_->setAccessibleName(text);
  scenario_->setToolTip(
      plain_tooltip(tr("%1. Choose a shipped scenario or open a file.").arg(text)));
  // A changed field of the scenario can change which backends are refused.
  backends_shown_.clear();
  refresh_backends();
}

}  // namespace attn::gui

#include "moc_run_bar.cpp"
