// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/window_layouts.h"

#include <QDataStream>
#include <QLayout>
#include <QMouseEvent>
#include <QPointer>
#include <QScopedValueRollback>
#include <QSettings>
#include <QTabWidget>
#include <algorithm>
#include <utility>
#include <vector>

#include "gui/app/window/checked_settings.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr quint32 kStateMark = 0x41744c31;  // the first bytes of WindowLayouts::state()

bool is_built_in(const QString& name) {
  return std::ranges::any_of(kLayoutWords, [&](std::string_view word) {
    return name == QLatin1String(word.data(), static_cast<qsizetype>(word.size()));
  });
}

bool reads_as_built_in(const QString& name) {
  return std::ranges::any_of(kLayoutWords, [&](std::string_view word) {
    return name.compare(QLatin1String(word.data(), static_cast<qsizetype>(word.size())),
                        Qt::CaseInsensitive) == 0;
  });
}

// Suspends the painting of the window while panels move. The destructor gives the keyboard focus
// back to the widget that had it, or, if that is not visible, to the current tab of Attention.
class Moving {
 public:
  Moving(QMainWindow& window, QDockWidget& otherwise)
      : window_(window), otherwise_(otherwise), focus_(window.focusWidget()) {
    window_.setUpdatesEnabled(false);
  }
  ~Moving() {
    window_.setUpdatesEnabled(true);
    const auto* tabs = otherwise_.widget()->findChild<QTabWidget*>();
    if (focus_ && focus_->isVisibleTo(&window_)) {
      focus_->setFocus();
    } else if (tabs && tabs->currentWidget()) {
      tabs->currentWidget()->setFocus();
    }
  }

 private:
  QMainWindow& window_;
  QDockWidget& otherwise_;
  QPointer<QWidget> focus_;
};

}  // namespace

WindowLayouts::WindowLayouts(QMainWindow& window, const Panels& panels, bool keep)
    : window_(window),
      panels_(panels),
      shares_(window, panels),
      keep_(keep),
      current_(QStringLiteral("explore")) {
  later_.setSingleShot(true);
  later_.setInterval(0);
  connect(&later_, &QTimer::timeout, this, &WindowLayouts::settle);
  const auto soon = [this] { later_.start(); };
  connect(&Theme::instance(), &Theme::changed, this, soon);
  for (QDockWidget* panel : panels_.all()) {
    connect(panel, &QDockWidget::visibilityChanged, this, soon);
    connect(panel, &QDockWidget::topLevelChanged, this, &WindowLayouts::moved_by_hand);
    connect(panel, &QDockWidget::dockLocationChanged, this, &WindowLayouts::moved_by_hand);
  }
  window_.installEventFilter(this);
  if (window_.menuWidget()) window_.menuWidget()->installEventFilter(this);
  if (keep_) read();
}

WindowLayouts::~WindowLayouts() {
  disconnect(&Theme::instance(), nullptr, this, nullptr);
  Theme::instance().set_projector(false);
}

bool WindowLayouts::apply(const QString& name) {
  if (const UserLayout* layout = find(name)) return restore(layout->name, layout->state);
  if (!is_built_in(name)) return false;
  current_ = name;
  arrange();
  emit changed();
  return true;
}

void WindowLayouts::arrange() {
  const Moving moving(window_, *panels_.attention);
  narrow_state_.clear();
  resized_ = moved_ = record_ = false;
  Theme::instance().set_projector(current_ == QLatin1String("teach"));
  place_panels();
  size_panels();
  // The sizes are set again in the next turn of the event loop, when the panels know their new
  // minimum sizes.
  later_.start();
}

// All panels are put into the left area, so that resizeDocks() can size them.
void WindowLayouts::place_panels() {
  const QScopedValueRollback arranging(arranging_, true);
  fold_ = wanted_fold();
  low_ = is_low();
  for (QDockWidget* dock : panels_.all()) {
    if (dock->isFloating()) dock->setFloating(false);
    window_.removeDockWidget(dock);
  }
  if (current_ == QLatin1String("teach")) {
    arrange_teach();
  } else if (fold_ == Fold::kFlat) {
    arrange_flat();
  } else if (current_ == QLatin1String("systems")) {
    arrange_systems();
  } else {
    arrange_explore();
  }
}

void WindowLayouts::size_panels() {
  if (is_wide()) return;
  if (moved_) return shares_.apply();
  if (fold_ == Fold::kFlat) return;
  if (current_ == QLatin1String("teach")) {
    size_teach();
  } else if (current_ == QLatin1String("systems")) {
    size_systems();
  } else {
    size_explore();
  }
  if (resized_) shares_.apply();
}

int WindowLayouts::side_width() const {
  const int all = window_.width();
  return std::max(all * 16 / 100, std::min(Theme::instance().px(304), all * 2 / 5));
}

int WindowLayouts::below_height() const {
  const int all = shares_.room().height();
  return std::max(all * 24 / 100, std::min(Theme::instance().px(120), all * 32 / 100));
}

void WindowLayouts::arrange_flat() {
  const auto& [attention, workload, inspector, below, bottom] = panels_;
  window_.addDockWidget(Qt::LeftDockWidgetArea, workload);
  window_.tabifyDockWidget(workload, attention);
  window_.tabifyDockWidget(attention, inspector);
  window_.tabifyDockWidget(inspector, below);
  window_.tabifyDockWidget(below, bottom);
  for (QDockWidget* dock : panels_.all()) dock->show();
  (current_ == QLatin1String("systems") ? below : attention)->raise();
}

void WindowLayouts::arrange_explore() {
  const auto& [attention, workload, inspector, below, bottom] = panels_;
  window_.addDockWidget(Qt::LeftDockWidgetArea, workload);
  if (low_) {
    window_.splitDockWidget(workload, bottom, Qt::Vertical);
    window_.tabifyDockWidget(bottom, below);
  } else {
    window_.splitDockWidget(workload, below, Qt::Vertical);
    window_.splitDockWidget(below, bottom, Qt::Horizontal);
  }
  if (fold_ == Fold::kNarrow) {
    window_.tabifyDockWidget(workload, attention);
  } else {
    window_.splitDockWidget(workload, attention, Qt::Horizontal);
  }
  if (fold_ == Fold::kNone) {
    window_.splitDockWidget(attention, inspector, Qt::Horizontal);
  } else {
    window_.tabifyDockWidget(workload, inspector);
  }
  for (QDockWidget* dock : panels_.all()) dock->show();
  if (fold_ == Fold::kTight) workload->raise();
  if (fold_ == Fold::kNarrow) attention->raise();
  if (low_) below->raise();
}

void WindowLayouts::size_explore() {
  const auto& [attention, workload, inspector, below, bottom] = panels_;
  const QSize all = shares_.room();
  const int side = side_width();
  // If panels are tabs of one place, only one of them is given a size.
  QDockWidget* large = attention;
  if (fold_ == Fold::kNone) {
    shares_.give(Qt::Horizontal, all.width(), attention, {{workload, side}, {inspector, side}});
  } else if (fold_ == Fold::kTight) {
    shares_.give(Qt::Horizontal, all.width(), attention,
                 {{PanelShares::docked_of({workload, inspector}), side}});
  } else {
    large = PanelShares::docked_of({attention, workload, inspector});
  }
  if (!low_) shares_.give(Qt::Horizontal, all.width(), bottom, {{below, all.width() * 2 / 5}});
  shares_.give(Qt::Vertical, all.height(), large,
               {{PanelShares::docked_of({bottom, below}), below_height()}});
}

// The inspector is beside Attention. The hidden panels get places, too, where they appear when
// shown.
void WindowLayouts::arrange_teach() {
  const auto& [attention, workload, inspector, below, bottom] = panels_;
  window_.addDockWidget(Qt::LeftDockWidgetArea, workload);
  window_.splitDockWidget(workload, bottom, Qt::Vertical);
  window_.splitDockWidget(workload, attention, Qt::Horizontal);
  window_.splitDockWidget(attention, inspector, Qt::Horizontal);
  window_.splitDockWidget(inspector, below, Qt::Vertical);
  attention->show();
  for (QDockWidget* dock : {inspector, below}) dock->setVisible(fold_ == Fold::kNone);
  for (QDockWidget* dock : {workload, bottom}) dock->hide();
}

void WindowLayouts::size_teach() {
  const auto& [attention, workload, inspector, below, bottom] = panels_;
  const QSize all = shares_.room();
  const int side = std::min(side_width(), all.width() * 36 / 100);
  shares_.give(Qt::Horizontal, all.width(), attention,
               {{workload, side}, {PanelShares::docked_of({inspector, below}), side}});
  const int bottom_height = PanelShares::is_docked(bottom) ? below_height() : 0;
  if (PanelShares::is_docked(inspector))
    shares_.give(Qt::Vertical, all.height() - bottom_height, inspector,
                 {{below, (all.height() - bottom_height) * 2 / 5}});
  shares_.give(Qt::Vertical, all.height(), attention, {{bottom, bottom_height}});
}

void WindowLayouts::arrange_systems() {
  const auto& [attention, workload, inspector, below, bottom] = panels_;
  window_.addDockWidget(Qt::LeftDockWidgetArea, fold_ == Fold::kNone ? workload : below);
  window_.splitDockWidget(fold_ == Fold::kNone ? workload : below, bottom, Qt::Vertical);
  if (fold_ == Fold::kNone) {
    window_.splitDockWidget(workload, below, Qt::Horizontal);
    window_.splitDockWidget(below, attention, Qt::Horizontal);
    window_.tabifyDockWidget(workload, inspector);
  } else {
    // Beside two other panels the workload would be too narrow, so it is a tab.
    if (fold_ == Fold::kTight) {
      window_.splitDockWidget(below, attention, Qt::Horizontal);
    } else {
      window_.tabifyDockWidget(below, attention);
    }
    window_.tabifyDockWidget(attention, workload);
    window_.tabifyDockWidget(workload, inspector);
  }
  for (QDockWidget* dock : panels_.all()) dock->show();
  if (fold_ == Fold::kNone) workload->raise();
  if (fold_ == Fold::kTight) attention->raise();
  if (fold_ == Fold::kNarrow) below->raise();
}

void WindowLayouts::size_systems() {
  const auto& [attention, workload, inspector, below, bottom] = panels_;
  const QSize all = shares_.room();
  QDockWidget* large = attention;
  if (fold_ == Fold::kNone) {
    const int side = std::min(side_width(), all.width() * 36 / 100);
    shares_.give(Qt::Horizontal, all.width(), attention,
                 {{PanelShares::docked_of({workload, inspector}), side},
                  {below, (all.width() - side) * 58 / 100}});
  } else if (fold_ == Fold::kTight) {
    shares_.give(Qt::Horizontal, all.width(), attention, {{below, all.width() / 2}});
  } else {
    large = PanelShares::docked_of({below, attention, workload, inspector});
  }
  shares_.give(Qt::Vertical, all.height(), large, {{bottom, all.height() * 48 / 100}});
}

WindowLayouts::Fold WindowLayouts::wanted_fold() const {
  const Theme& theme = Theme::instance();
  const int width = window_.width();
  if (width < theme.px(800) && current_ != QLatin1String("teach"))
    return window_.height() < theme.px(420) ? Fold::kFlat : Fold::kNarrow;
  const int all = current_ == QLatin1String("systems") ? 1000 : 1500;
  return width < theme.px(all) ? Fold::kTight : Fold::kNone;
}

bool WindowLayouts::is_low() const {
  const Theme& theme = Theme::instance();
  return window_.height() < theme.px(560) || window_.width() < theme.px(1100);
}

// Panels keep being shown or hidden, except inspector and blocks in the layout teach.
void WindowLayouts::fold() {
  if (moved_ || is_wide() || !is_built_in(current_)) return;
  const bool folds_below = current_ == QLatin1String("explore");
  if (wanted_fold() == fold_ && (!folds_below || is_low() == low_)) return;
  const Moving moving(window_, *panels_.attention);
  const auto panels = panels_.all();
  std::array<bool, 5> hidden{};
  for (size_t i = 0; i < panels.size(); ++i) hidden[i] = panels[i]->isHidden();
  place_panels();
  const bool teach = current_ == QLatin1String("teach");
  for (size_t i = 0; i < panels.size(); ++i)
    if (!teach || (panels[i] != panels_.inspector && panels[i] != panels_.below))
      panels[i]->setVisible(!hidden[i]);
  later_.start();  // sizes the panels when they have been laid out
}

void WindowLayouts::settle() {
  if (dragging_ || is_wide()) return;
  if (record_) {
    record_ = false;
    shares_.record();
    return;
  }
  fold();
  size_panels();
  emit sized();
}

void WindowLayouts::moved_by_hand() {
  if (arranging_) return;
  moved_ = resized_ = record_ = true;
  later_.start();
}

void WindowLayouts::drag_ended() {
  dragging_ = false;
  if (shares_.sizes() == dragged_from_) return;
  resized_ = true;
  shares_.record();
}

bool WindowLayouts::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &window_) {
    if (event->type() == QEvent::Resize && !dragging_) {
      // Sizes the panels before the window is painted; they fold later.
      size_panels();
      window_.layout()->activate();
      if (!is_wide()) emit sized();
      later_.start();
    } else if (event->type() == QEvent::MouseButtonPress &&
               window_.isSeparator(static_cast<QMouseEvent*>(event)->position().toPoint())) {
      dragging_ = true;
      dragged_from_ = shares_.sizes();
    } else if (event->type() == QEvent::MouseButtonRelease && dragging_) {
      QTimer::singleShot(0, this, &WindowLayouts::drag_ended);
    }
  } else if (watched == window_.menuWidget() && event->type() == QEvent::Resize) {
    later_.start();  // the run bar has another size
  }
  return QObject::eventFilter(watched, event);
}

bool WindowLayouts::inspector_is_tab() const {
  const QList<QDockWidget*> tabs = window_.tabifiedDockWidgets(panels_.inspector);
  return tabs.contains(panels_.workload) && !tabs.contains(panels_.attention);
}

void WindowLayouts::set_wide(bool wide) {
  if (wide == is_wide()) return;
  const Moving moving(window_, *panels_.attention);
  const QScopedValueRollback arranging(arranging_, true);
  if (!wide) {
    // The panel of lessons stays as it is: a lesson may have begun or ended while the window was
    // wide.
    const auto panels = panels_.all();
    std::vector<std::pair<QDockWidget*, bool>> others;
    for (QDockWidget* dock : window_.findChildren<QDockWidget*>())
      if (std::ranges::find(panels, dock) == panels.end())
        others.emplace_back(dock, !dock->isHidden());
    window_.restoreState(std::exchange(narrow_state_, {}), kVersion);
    for (const auto& [dock, shown] : others) dock->setVisible(shown);
    later_.start();
    return;
  }
  if (!resized_) shares_.record();  // save_as() does not record them while the window is wide
  narrow_state_ = window_.saveState(kVersion);
  for (QDockWidget* dock : panels_.all())
    if (dock != panels_.attention) dock->hide();
}

QByteArray WindowLayouts::state() const {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream.setVersion(QDataStream::Qt_6_4);
  stream << kStateMark << static_cast<quint8>(fold_) << low_ << resized_ << moved_;
  for (const QSizeF& share : shares_.shares()) stream << share;
  stream << (is_wide() ? narrow_state_ : window_.saveState(kVersion));
  return bytes;
}

bool WindowLayouts::restore(const QString& name, const QByteArray& state) {
  const UserLayout* layout = find(name);
  if (!layout && !is_built_in(name)) return false;
  QDataStream stream(state);
  stream.setVersion(QDataStream::Qt_6_4);
  quint32 mark = 0;
  stream >> mark;
  if (mark != kStateMark) return false;  // not written by state()
  quint8 fold = 0;
  bool low = false, resized = false, moved = false;
  stream >> fold >> low >> resized >> moved;
  if (fold > static_cast<quint8>(Fold::kFlat)) return false;
  PanelShares::Shares shares;
  for (QSizeF& share : shares) {
    stream >> share;
    if (!share.isEmpty() && !(share.width() <= 1 && share.height() <= 1)) return false;
  }
  QByteArray panels;
  stream >> panels;
  if (stream.status() != QDataStream::Ok) return false;
  const Moving moving(window_, *panels_.attention);
  const QScopedValueRollback arranging(arranging_, true);
  Theme& theme = Theme::instance();
  const bool was_projector = theme.is_projector();
  theme.set_projector(layout ? layout->projector : name == QLatin1String("teach"));
  if (!window_.restoreState(panels, kVersion)) {
    theme.set_projector(was_projector);
    return false;
  }
  narrow_state_.clear();
  shares_.set(shares);
  fold_ = Fold{fold};
  low_ = low;
  resized_ = resized;
  moved_ = moved;
  record_ = false;
  current_ = name;
  size_panels();
  later_.start();
  emit changed();
  return true;
}

const WindowLayouts::UserLayout* WindowLayouts::find(const QString& name) const {
  const auto at = std::ranges::find(user_, name, &UserLayout::name);
  return at == user_.end() ? nullptr : &*at;
}

QStringList WindowLayouts::user_names() const {
  QStringList names;
  for (const UserLayout& layout : user_) names.append(layout.name);
  return names;
}

QString WindowLayouts::save_as(const QString& name) {
  const QString wanted = name.simplified();
  if (wanted.isEmpty()) return tr("A layout needs a name.");
  if (wanted.size() > kLongestName)
    return tr("The name of a layout has at most %1 characters. This name has %2.")
        .arg(kLongestName)
        .arg(wanted.size());
  if (reads_as_built_in(wanted))
    return tr("%1 is the name of a built-in layout. Choose another name.").arg(wanted);
  if (!find(wanted) && user_.size() >= static_cast<size_t>(kMostLayouts))
    return tr("There can be at most %1 layouts of your own. Delete one first.").arg(kMostLayouts);
  std::erase_if(user_, [&](const UserLayout& layout) { return layout.name == wanted; });
  if (!is_wide()) shares_.record();
  resized_ = moved_ = true;  // the panels stay as the user arranged them
  user_.push_back({wanted, state(), Theme::instance().is_projector()});
  std::ranges::sort(user_, {}, &UserLayout::name);
  current_ = wanted;
  write();
  emit changed();
  return {};
}

// The panels stay where they are.
void WindowLayouts::remove(const QString& name) {
  std::erase_if(user_, [&](const UserLayout& layout) { return layout.name == name; });
  if (current_ == name) current_ = QStringLiteral("explore");
  write();
  emit changed();
}

void WindowLayouts::read() {
  read_checked([this](QSettings& settings) {
    settings.beginGroup(QStringLiteral("layouts"));
    if (settings.value(QStringLiteral("version")).toInt() != kVersion) return;
    const int count = std::min(settings.beginReadArray(QStringLiteral("user")), kMostLayouts);
    for (int i = 0; i < count; ++i) {
      settings.setArrayIndex(i);
      const QString name = settings.value(QStringLiteral("name")).toString();
      const QByteArray state = unsealed(settings.value(QStringLiteral("docks")).toByteArray());
      if (name.isEmpty() || name.size() > kLongestName || reads_as_built_in(name) || find(name) ||
          state.isEmpty())
        continue;
      user_.push_back({name, state, settings.value(QStringLiteral("projector")).toBool()});
    }
  });
}

void WindowLayouts::write() const {
  if (!keep_) return;
  QSettings settings;
  settings.beginGroup(QStringLiteral("layouts"));
  settings.remove(QString());
  settings.setValue(QStringLiteral("version"), kVersion);
  settings.beginWriteArray(QStringLiteral("user"), static_cast<int>(user_.size()));
  for (size_t i = 0; i < user_.size(); ++i) {
    settings.setArrayIndex(static_cast<int>(i));
    settings.setValue(QStringLiteral("name"), user_[i].name);
    settings.setValue(QStringLiteral("docks"), sealed(user_[i].state));
    settings.setValue(QStringLiteral("projector"), user_[i].projector);
  }
  settings.endArray();
}

}  // namespace attn::gui

#include "moc_window_layouts.cpp"
