// SPDX-License-Identifier: GPL-3.0-or-later
// ViewMenu: the context menu of a view. Many entries are for what the view says is at the place
// (View::point_at()). GUI thread.
#pragma once

#include <QMenu>
#include <functional>

#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/widgets/view.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class Inside;

// The objects on which the menu acts, which must outlive it, and functions that it calls.
struct ViewMenuTargets {
  Selection& selection;
  TimeCursor& cursor;
  std::function<void(const QString& here)> explain;  // "What is this"
  std::function<void(const ViewEntry& entry)> open;
  std::function<QMenu*(QMenu& menu)> add_export;
  std::function<void()> tour;  // "What am I looking at?"
  Inside* inside = nullptr;    // null: no knock-outs and forks
};

// Shows the reason given to refuse() as the tooltip of a refused entry of the menu.
void tell_refusals(QMenu& menu);

class ViewMenu : public QMenu {
  Q_OBJECT
 public:
  // at: the place in px of the view.
  ViewMenu(const ViewMenuTargets& targets, View& view, const QPoint& at, QWidget* parent);
  const ViewPoint& point() const { return point_; }

  // Entries, for tests; null: the menu does not have the entry.
  QAction* explain_entry() const { return explain_; }
  QAction* tour_entry() const { return tour_; }
  const std::vector<QAction*>& copy_entries() const { return copies_; }
  const std::vector<QAction*>& select_entries() const { return selects_; }
  QAction* step_entry() const { return step_; }
  QAction* fork_entry() const { return fork_; }
  QMenu* open_menu() const { return open_; }
  QMenu* export_menu() const { return export_; }

 private:
  void add_copies();
  void add_selects();
  void add_what_if();
  void add_fork();
  void add_open(const View& view);
  // `thing`; a token or cell without a request gets the shown request, a cell without a layer or
  // head the shown layer or head.
  SelectionState whole(const SelectionState& thing) const;
  QString words_of(const SelectionState& thing) const;
  void go_there() const;

  ViewMenuTargets targets_;
  ViewPoint point_;
  QAction *explain_ = nullptr, *tour_ = nullptr, *step_ = nullptr, *fork_ = nullptr;
  std::vector<QAction*> copies_, selects_;
  QMenu *open_ = nullptr, *export_ = nullptr;
};

}  // namespace attn::gui
