// SPDX-License-Identifier: GPL-3.0-or-later
// WindowNotes: the commands and the menu of the notes, Undo and Redo, and the question that the
// user is asked before unsaved notes are lost. GUI thread.
#pragma once

#include <QMenu>
#include <QObject>
#include <QPointer>

#include "gui/app/bars/message_bar.h"
#include "gui/app/commands/actions.h"
#include "gui/app/notes/note_dialog.h"
#include "gui/app/window/window_session.h"
#include "gui/models/notes.h"
#include "gui/models/run/edit_history.h"
#include "gui/models/run_control.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

struct NoteTargets {
  Notes& notes;
  EditHistory& edits;
  RunControl& control;
  TimeCursor& cursor;
  WindowSession& session;
  MessageBar& messages;
  const Actions& actions;
  QWidget* window = nullptr;
};

class WindowNotes : public QObject {
  Q_OBJECT
 public:
  explicit WindowNotes(NoteTargets targets);

  QMenu* menu() const { return menu_; }
  void edit();
  NoteDialog* dialog() const { return dialog_; }  // null: none is open

 private:
  void go_to(uint32_t step);
  void go(int direction);
  void undo();
  void redo();
  bool may_leave_run();
  void save_and_wait();
  void list_notes();
  void refresh();

  NoteTargets targets_;
  QMenu* menu_;
  QList<QAction*> listed_;
  QPointer<NoteDialog> dialog_;
  bool edits_are_newer_ = false;     // EditHistory has changed since the notes last changed
  bool addition_is_newest_ = false;  // the last change was a request added to the run
  bool asking_ = false;
};

}  // namespace attn::gui
