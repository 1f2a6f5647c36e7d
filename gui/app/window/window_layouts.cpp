// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/window_layouts.h"

#include <QPointer>
#include <QSettings>
#include <QTabWidget>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "gui/app/window/checked_settings.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

bool is_built_in(const QString& name) {
  return std::ranges::any_of(kLayoutWords, [&](std::string_view word) {
    return name.compare(QLatin1String(word.data(), static_cast<qsizetype>(word.size())),
                        Qt::CaseInsensitive) == 0;
  });
}

// While it exists nothing is drawn, so that panels can move. At its end the widget that had the
// keyboard focus gets it back if it is still visible, else the tab of attention.
class Moving {
 public:
  Moving(QMainWindow& window, QDockWidget& otherwise)
      : window_(window), otherwise_(otherwise), focus_(window.focusWidget()) {
    window_.setUpdatesEnabled(false);
  }
  ~Moving() {
    window_.setUpdatesEnabled(true);
    const auto* tabs = qobject_cast<QTabWidget*>(otherwise_.widget());
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
    : window_(window), panels_(panels), keep_(keep), current_(QStringLiteral("explore")) {
  connect(&Theme::instance(), &Theme::changed, this, &WindowLayouts::fit);
  if (keep_) read();
}

WindowLayouts::~WindowLayouts() {
  disconnect(&Theme::instance(), nullptr, this, nullptr);
  Theme::instance().set_projector(false);
}

bool WindowLayouts::apply(const QString& name) {
  if (const UserLayout* layout = find(name)) return restore(layout->name, layout->state);
  const auto word = std::ranges::find_if(
      kLayoutWords, [&](std::string_view w) { return name == QLatin1String(w.data()); });
  if (word == kLayoutWords.end()) return false;
  arrange(*word);
  current_ = name;
  emit changed();
  return true;
}

void WindowLayouts::arrange(std::string_view word) {
  const Moving moving(window_, *panels_.attention);
  narrow_state_.clear();
  arranging_ = true;
  Theme::instance().set_projector(word == "teach");
  arranging_ = false;
  // There is no central widget: all panels lie in the left area, the timeline below all of it.
  for (QDockWidget* dock : panels_.all()) {
    dock->setFloating(false);
    window_.removeDockWidget(dock);
  }
  if (word == "teach") {
    arrange_teach();
  } else if (word == "systems") {
    arrange_systems();
  } else {
    arrange_explore();
  }
  size_panels(word);
  // Set the sizes once more in the next turn of the event loop: after the text size has changed,
  // the panels know their new minimum sizes only then, and until then the old ones limit the panels
  // beside them.
  QTimer::singleShot(0, this, [this, word, number = ++arrangement_] {
    if (number == arrangement_) size_panels(word);
  });
}

void WindowLayouts::size_panels(std::string_view word) {
  if (word == "teach") {
    size_teach();
  } else if (word == "systems") {
    size_systems();
  } else {
    size_explore();
  }
}

int WindowLayouts::side_width() const {
  return std::min(Theme::instance().px(304), window_.width() * 2 / 5);
}

int WindowLayouts::body_height() const {
  const Theme& theme = Theme::instance();
  return window_.height() - theme.px(40) - theme.px(28);
}

void WindowLayouts::arrange_explore() {
  const auto& [attention, workload, inspector, blocks, timeline] = panels_;
  window_.addDockWidget(Qt::LeftDockWidgetArea, workload);
  window_.splitDockWidget(workload, attention, Qt::Horizontal);
  place_inspector();
  window_.addDockWidget(Qt::BottomDockWidgetArea, timeline);
  place_blocks();
  for (QDockWidget* dock : panels_.all()) dock->show();
}

void WindowLayouts::size_explore() {
  const auto& [attention, workload, inspector, blocks, timeline] = panels_;
  const int side = side_width(), all = window_.width(), body = body_height();
  if (tight_) {
    window_.resizeDocks({workload, attention}, {side, all - side}, Qt::Horizontal);
    workload->raise();
  } else {
    window_.resizeDocks({workload, attention, inspector}, {side, all - 2 * side, side},
                        Qt::Horizontal);
  }
  if (low_) {
    blocks->raise();
  } else {
    window_.resizeDocks({attention, blocks}, {body * 46 / 100, body * 24 / 100}, Qt::Vertical);
  }
  window_.resizeDocks({timeline}, {body * (low_ ? 32 : 28) / 100}, Qt::Vertical);
}

// The inspector is beside the attention views, so that numbers and picture are seen together. The
// hidden panels keep their places; the menu View shows them.
void WindowLayouts::arrange_teach() {
  const auto& [attention, workload, inspector, blocks, timeline] = panels_;
  tight_ = low_ = false;
  window_.addDockWidget(Qt::LeftDockWidgetArea, workload);
  window_.splitDockWidget(workload, attention, Qt::Horizontal);
  window_.splitDockWidget(attention, inspector, Qt::Horizontal);
  window_.splitDockWidget(attention, blocks, Qt::Vertical);
  window_.addDockWidget(Qt::BottomDockWidgetArea, timeline);
  for (QDockWidget* dock : {attention, inspector, blocks}) dock->show();
  for (QDockWidget* dock : {workload, timeline}) dock->hide();
}

void WindowLayouts::size_teach() {
  const auto& [attention, workload, inspector, blocks, timeline] = panels_;
  const int side = std::min(Theme::instance().px(304), window_.width() * 36 / 100);
  const int body = body_height();
  window_.resizeDocks({attention, inspector}, {window_.width() - side, side}, Qt::Horizontal);
  window_.resizeDocks({attention, blocks}, {body * 70 / 100, body * 30 / 100}, Qt::Vertical);
}

void WindowLayouts::arrange_systems() {
  const auto& [attention, workload, inspector, blocks, timeline] = panels_;
  tight_ = is_tight();
  low_ = false;
  if (tight_) {
    // The workload would be cut beside two pictures, so it is a tab.
    window_.addDockWidget(Qt::LeftDockWidgetArea, blocks);
    window_.splitDockWidget(blocks, attention, Qt::Horizontal);
    window_.tabifyDockWidget(attention, workload);
    window_.tabifyDockWidget(workload, inspector);
  } else {
    window_.addDockWidget(Qt::LeftDockWidgetArea, workload);
    window_.splitDockWidget(workload, blocks, Qt::Horizontal);
    window_.splitDockWidget(blocks, attention, Qt::Horizontal);
    window_.tabifyDockWidget(workload, inspector);
  }
  window_.addDockWidget(Qt::BottomDockWidgetArea, timeline);
  for (QDockWidget* dock : panels_.all()) dock->show();
  (tight_ ? attention : workload)->raise();
}

void WindowLayouts::size_systems() {
  const auto& [attention, workload, inspector, blocks, timeline] = panels_;
  const int side = tight_ ? 0 : std::min(Theme::instance().px(304), window_.width() * 36 / 100);
  const int rest = window_.width() - side, body = body_height();
  if (tight_) {
    window_.resizeDocks({blocks, attention}, {rest / 2, rest / 2}, Qt::Horizontal);
  } else {
    window_.resizeDocks({workload, blocks, attention}, {side, rest * 58 / 100, rest * 42 / 100},
                        Qt::Horizontal);
  }
  window_.resizeDocks({blocks, timeline}, {body * 52 / 100, body * 48 / 100}, Qt::Vertical);
  window_.resizeDocks({timeline}, {body * 48 / 100}, Qt::Vertical);
}

// True if the window is too narrow for three panels side by side at this text size; tight_ says
// which panels are tabs then.
bool WindowLayouts::is_tight() const {
  return window_.width() < Theme::instance().px(1000);
}

// True if the window is too low for three panels one above the other at this text size; then the
// blocks are a tab of the timeline (in explore).
bool WindowLayouts::is_low() const {
  return window_.height() < Theme::instance().px(560);
}

void WindowLayouts::place_blocks() {
  low_ = is_low();
  if (low_) {
    window_.tabifyDockWidget(panels_.timeline, panels_.blocks);
  } else {
    window_.splitDockWidget(panels_.attention, panels_.blocks, Qt::Vertical);
  }
}

void WindowLayouts::place_inspector() {
  tight_ = is_tight();
  if (tight_) {
    window_.tabifyDockWidget(panels_.workload, panels_.inspector);
  } else {
    window_.splitDockWidget(panels_.attention, panels_.inspector, Qt::Horizontal);
  }
}

// Called when the theme, and perhaps the size of text, has changed.
void WindowLayouts::fit() {
  window_.update();
  if (arranging_ || current_ == QLatin1String("teach")) return;
  for (const QDockWidget* dock : panels_.all())
    if (dock->isFloating()) return;
  if (current_ == QLatin1String("systems")) {
    if (is_tight() != tight_ && !is_wide()) arrange("systems");
    return;
  }
  const bool shows_blocks = !panels_.blocks->isHidden();
  if (is_tight() != tight_) {
    place_inspector();
    if (tight_) panels_.workload->raise();
  }
  if (is_low() != low_) {
    place_blocks();
    panels_.blocks->setVisible(shows_blocks);
    if (low_) panels_.blocks->raise();
  }
}

bool WindowLayouts::inspector_is_tab() const {
  const QList<QDockWidget*> tabs = window_.tabifiedDockWidgets(panels_.inspector);
  return tabs.contains(panels_.workload) && !tabs.contains(panels_.attention);
}

void WindowLayouts::set_wide(bool wide) {
  if (wide == is_wide()) return;
  ++arrangement_;
  const Moving moving(window_, *panels_.attention);
  if (!wide) {
    window_.restoreState(std::exchange(narrow_state_, {}), kVersion);
    return;
  }
  narrow_state_ = window_.saveState(kVersion);
  for (QDockWidget* dock : panels_.all())
    if (dock != panels_.attention) dock->hide();
}

QByteArray WindowLayouts::state() const {
  return is_wide() ? narrow_state_ : window_.saveState(kVersion);
}

bool WindowLayouts::restore(const QString& name, const QByteArray& state) {
  const UserLayout* layout = find(name);
  if (!layout && !is_built_in(name)) return false;
  ++arrangement_;
  const Moving moving(window_, *panels_.attention);
  arranging_ = true;
  Theme::instance().set_projector(layout ? layout->projector : name == QLatin1String("teach"));
  arranging_ = false;
  if (!window_.restoreState(state, kVersion)) return false;
  narrow_state_.clear();
  tight_ = name == QLatin1String("systems")
               ? window_.tabifiedDockWidgets(panels_.workload).contains(panels_.attention)
               : inspector_is_tab();
  low_ = window_.tabifiedDockWidgets(panels_.timeline).contains(panels_.blocks);
  current_ = name;
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
  if (is_built_in(wanted))
    return tr("%1 is the name of a built-in layout. Choose another name.").arg(wanted);
  if (!find(wanted) && user_.size() >= static_cast<size_t>(kMostLayouts))
    return tr("There can be at most %1 layouts of your own. Delete one first.").arg(kMostLayouts);
  std::erase_if(user_, [&](const UserLayout& layout) { return layout.name == wanted; });
  user_.push_back({wanted, state(), Theme::instance().is_projector()});
  std::ranges::sort(user_, {}, &UserLayout::name);
  current_ = wanted;
  write();
  emit changed();
  return {};
}

// Forgets the saved layout; the panels stay where they are.
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
      if (name.isEmpty() || name.size() > kLongestName || is_built_in(name) || find(name) ||
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
