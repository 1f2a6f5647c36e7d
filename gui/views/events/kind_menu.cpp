// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/kind_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace attn::gui {
namespace {

// Stays open when a checkable entry is chosen.
class StayingMenu : public QMenu {
 public:
  using QMenu::QMenu;

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override {
    QAction* action = actionAt(event->pos());
    if (action && action->isCheckable() && action->isEnabled()) return action->trigger();
    QMenu::mouseReleaseEvent(event);
  }
  void keyPressEvent(QKeyEvent* event) override {
    const bool chooses = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return ||
                         event->key() == Qt::Key_Enter;
    if (chooses && activeAction() && activeAction()->isCheckable())
      return activeAction()->trigger();
    QMenu::keyPressEvent(event);
  }
};

}  // namespace

KindMenu::KindMenu(QWidget* parent) : QMenu(parent) {
  kinds_.set();
  addAction(tr("All kinds"), this, [this] { set_kinds(~std::bitset<kEventKinds>{}); });
  addSeparator();
  for (size_t i = 0; i < kEventGroups; ++i) {
    const auto group = static_cast<EventGroup>(i);
    auto* menu = new StayingMenu(group_words(group), this);
    menu->setToolTipsVisible(true);
    addMenu(menu);
    groups_[i] = menu->addAction(tr("All of these"));
    groups_[i]->setCheckable(true);
    connect(groups_[i], &QAction::triggered, this, [this, group](bool on) {
      set_kinds(on ? kinds_ | members(group) : kinds_ & ~members(group));
    });
    menu->addAction(tr("Only these"), this, [this, group] { set_kinds(members(group)); });
    menu->addSeparator();
    for (size_t kind = 0; kind < kEventKinds; ++kind) {
      if (group_of(static_cast<EventKind>(kind)) != group) continue;
      actions_[kind] = menu->addAction(kind_words(static_cast<EventKind>(kind)));
      actions_[kind]->setCheckable(true);
      const std::string_view name = name_of(static_cast<EventKind>(kind));
      actions_[kind]->setToolTip(
          QStringLiteral("kind:") +
          QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
      connect(actions_[kind], &QAction::triggered, this, [this, kind](bool on) {
        std::bitset<kEventKinds> kinds = kinds_;
        set_kinds(kinds.set(kind, on));
      });
    }
  }
  show_chosen();
}

std::bitset<kEventKinds> KindMenu::members(EventGroup group) const {
  std::bitset<kEventKinds> kinds;
  for (size_t i = 0; i < kEventKinds; ++i) kinds[i] = group_of(static_cast<EventKind>(i)) == group;
  return kinds;
}

void KindMenu::set_kinds(const std::bitset<kEventKinds>& kinds) {
  const bool changed = kinds != kinds_;
  kinds_ = kinds;
  show_chosen();
  if (changed) emit chosen();
}

void KindMenu::show_chosen() {
  for (size_t i = 0; i < kEventKinds; ++i) actions_[i]->setChecked(kinds_[i]);
  for (size_t i = 0; i < kEventGroups; ++i) {
    const std::bitset<kEventKinds> all = members(static_cast<EventGroup>(i));
    groups_[i]->setChecked((kinds_ & all) == all);
  }
}

QString KindMenu::summary() const {
  if (kinds_.all()) return tr("All kinds");
  for (size_t i = 0; i < kEventGroups; ++i)
    if (kinds_ == members(static_cast<EventGroup>(i)))
      return group_words(static_cast<EventGroup>(i));
  return tr("%1 of %2 kinds").arg(kinds_.count()).arg(kEventKinds);
}

}  // namespace attn::gui

#include "moc_kind_menu.cpp"
