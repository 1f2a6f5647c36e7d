// SPDX-License-Identifier: GPL-3.0-or-later
// KindMenu: the menu that chooses which kinds of events are shown, with a submenu for each group.
// GUI thread.
#pragma once

#include <QMenu>
#include <array>
#include <bitset>

#include "gui/models/event_words.h"

namespace attn::gui {

class KindMenu : public QMenu {
  Q_OBJECT
 public:
  explicit KindMenu(QWidget* parent = nullptr);

  const std::bitset<kEventKinds>& kinds() const { return kinds_; }
  void set_kinds(const std::bitset<kEventKinds>& kinds);
  // Such as "All kinds", "Blocks" or "12 of 31 kinds".
  QString summary() const;
  QAction* action_of(EventKind kind) const { return actions_[static_cast<size_t>(kind)]; }
  QAction* action_of(EventGroup group) const { return groups_[static_cast<size_t>(group)]; }

 signals:
  void chosen();

 private:
  void show_chosen();
  std::bitset<kEventKinds> members(EventGroup group) const;

  std::bitset<kEventKinds> kinds_;
  std::array<QAction*, kEventKinds> actions_{};
  std::array<QAction*, kEventGroups> groups_{};
};

}  // namespace attn::gui
