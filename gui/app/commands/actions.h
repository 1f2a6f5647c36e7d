// SPDX-License-Identifier: GPL-3.0-or-later
// Actions: commands of the window in one table, with their texts, keys and meanings. Also why an
// action is refused. GUI thread.
#pragma once

#include <QAction>
#include <QObject>
#include <string>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

struct Actions {
  explicit Actions(QWidget* owner);

  QAction *run, *step, *stop, *clear, *open, *open_recent, *models, *save, *save_session, *undo,
      *redo, *export_menu, *copy_picture, *full_screen, *keys, *help, *theme, *larger, *smaller,
      *usual_text, *reset_layout, *quit, *wide, *step_back, *step_forward, *first_step, *live,
      *back, *forward, *palette, *layout_explore, *layout_teach, *layout_systems, *save_layout,
      *view_menu, *what_is_here, *what_is_this, *tour, *earlier_beside, *session_beside,
      *pair_beside, *lessons, *note, *next_note, *previous_note;
  struct OfView {
    std::string view;  // ViewEntry::name
    QAction* action;
  };
  std::vector<OfView> show_tabs;  // in the order of the registry
  std::vector<OfView> jobs;       // start or cancel the job of a view, View::toggle_job()
  std::vector<QAction*> all;
  std::vector<KeyHelp> key_help() const;  // all actions that have keys
};

// Disables the action. why: the reason, for the user; empty: enables the action.
void refuse(QAction& action, const QString& why);
QString refusal_of(const QAction& action);
// The text of a button or menu entry without the & that marks its letter; && is one &.
QString without_mnemonic(QString text);

}  // namespace attn::gui
