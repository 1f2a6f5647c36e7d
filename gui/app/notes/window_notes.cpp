// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/notes/window_notes.h"

#include <QEventLoop>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr qsizetype kLongestEntry = 60;  // characters of a note in the menu

// The entry of a note in the menu: its step and its first line, shortened. An ampersand of the note
// is doubled, because a single one would mark a letter as a key.
QString entry_of(const StepNote& note) {
  QString line = QString::fromStdString(note.text).section(QLatin1Char('\n'), 0, 0);
  if (line.size() > kLongestEntry) line = line.left(kLongestEntry - 1) + QChar(0x2026);
  line.replace(QLatin1Char('&'), QStringLiteral("&&"));
  return WindowNotes::tr("Step %1: %2").arg(QLocale().toString(note.step), line);
}

}  // namespace

WindowNotes::WindowNotes(NoteTargets targets)
    : targets_(targets), menu_(new QMenu(tr("Notes"), targets.window)) {
  const Actions& actions = targets_.actions;
  menu_->addActions({actions.note, actions.next_note, actions.previous_note});
  menu_->addSeparator();
  menu_->setToolTipsVisible(true);
  connect(actions.note, &QAction::triggered, this, &WindowNotes::edit);
  connect(actions.next_note, &QAction::triggered, this, [this] { go(1); });
  connect(actions.previous_note, &QAction::triggered, this, [this] { go(-1); });
  connect(actions.undo, &QAction::triggered, this, &WindowNotes::undo);
  connect(actions.redo, &QAction::triggered, this, &WindowNotes::redo);
  connect(&targets_.notes, &Notes::changed, this, [this] {
    edits_are_newer_ = addition_is_newest_ = false;
    list_notes();
    refresh();
  });
  connect(&targets_.edits, &EditHistory::changed, this, [this] {
    edits_are_newer_ = true;
    addition_is_newest_ = false;
    refresh();
  });
  connect(&targets_.control, &RunControl::request_added, this,
          [this] { addition_is_newest_ = true; });
  connect(&targets_.cursor, &TimeCursor::moved, this, &WindowNotes::refresh);
  connect(&targets_.cursor, &TimeCursor::range_changed, this, &WindowNotes::refresh);
  targets_.control.ask_before_leaving([this] { return may_leave_run(); });
  list_notes();
  refresh();
}

void WindowNotes::list_notes() {
  for (QAction* entry : std::exchange(listed_, {})) entry->deleteLater();
  for (const StepNote& note : targets_.notes.all()) {
    QAction* entry =
        menu_->addAction(entry_of(note), this, [this, step = note.step] { go_to(step); });
    entry->setWhatsThis(tr("Show the step of this note"));
    listed_.append(entry);
  }
}

void WindowNotes::refresh() {
  const Actions& actions = targets_.actions;
  const uint32_t step = targets_.cursor.step();
  const Notes& notes = targets_.notes;
  refuse(*actions.note, step > 0 ? QString() : tr("no step of the run has ended yet"));
  refuse(*actions.next_note, notes.neighbour(step, 1) ? QString() : tr("no later step has a note"));
  refuse(*actions.previous_note,
         notes.neighbour(step, -1) ? QString() : tr("no earlier step has a note"));
  refuse(*actions.redo, notes.can_redo() || targets_.edits.can_redo()
                            ? QString()
                            : tr("no edit of the scenario and no change of a note was undone"));
}

void WindowNotes::edit() {
  const uint32_t step = targets_.cursor.step();
  if (dialog_ || step == 0) return;
  // If another run begins, the dialog is closed without writing the note.
  dialog_ = new NoteDialog(
      step, targets_.notes.text(step),
      [this, step](const QString& text) { return targets_.notes.refusal_of(step, text); },
      targets_.window);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_.data(), &QDialog::accepted, this,
          [this, step] { targets_.notes.write(step, dialog_->text()); });
  connect(&targets_.control.bridge(), &EngineBridge::run_started, dialog_.data(), &QDialog::reject);
  dialog_->open();
}

void WindowNotes::go_to(uint32_t step) {
  const StepHistory::Range range = targets_.cursor.range();
  const QLocale locale;
  if (range.empty() || step < range.first || step > range.last)
    return targets_.messages.show_message(
        MessageKind::kInfo, tr("The history of the run does not have step %1. Its note: %2")
                                .arg(locale.toString(step), targets_.notes.text(step)));
  targets_.cursor.go_to(step);
}

void WindowNotes::go(int direction) {
  if (const auto step = targets_.notes.neighbour(targets_.cursor.step(), direction)) go_to(*step);
}

// Takes back the last edit of the scenario, change of a note or added request. If there is none,
// shows the run before this one.
void WindowNotes::undo() {
  if (targets_.control.can_undo_addition() &&
      (addition_is_newest_ || !(targets_.edits.can_undo() || targets_.notes.can_undo())))
    return targets_.control.undo_addition();
  if (targets_.edits.can_undo() && (edits_are_newer_ || !targets_.notes.can_undo())) {
    targets_.edits.undo();
    return targets_.messages.show_message(MessageKind::kInfo,
                                          tr("The last edit of the scenario was undone."));
  }
  if (!targets_.notes.can_undo()) return targets_.control.go_back();
  const uint32_t step = targets_.notes.undo();
  targets_.messages.show_message(
      MessageKind::kInfo,
      tr("The last change of the note on step %1 was undone.").arg(QLocale().toString(step)));
}

void WindowNotes::redo() {
  if (targets_.edits.can_redo() && (edits_are_newer_ || !targets_.notes.can_redo())) {
    targets_.edits.redo();
    return targets_.messages.show_message(MessageKind::kInfo,
                                          tr("The edit of the scenario was made again."));
  }
  if (!targets_.notes.can_redo()) return;
  const uint32_t step = targets_.notes.redo();
  targets_.messages.show_message(
      MessageKind::kInfo,
      tr("The change of the note on step %1 was made again.").arg(QLocale().toString(step)));
}

bool WindowNotes::may_leave_run() {
  if (asking_ || !targets_.notes.has_unsaved()) return true;
  const QString count =
      counted(static_cast<int64_t>(targets_.notes.all().size()), tr("1 note"), tr("%1 notes"));
  QMessageBox box(
      QMessageBox::Question, tr("Notes"),
      tr("This run has %1, and the last changes of its notes are not saved.").arg(count),
      QMessageBox::Cancel, targets_.window);
  box.setInformativeText(tr("A saved session keeps the notes with the run."));
  const QAbstractButton* save = box.addButton(tr("Save session…"), QMessageBox::AcceptRole);
  const QAbstractButton* leave =
      box.addButton(tr("Go on without saving"), QMessageBox::DestructiveRole);
  asking_ = true;
  box.exec();
  asking_ = false;
  if (box.clickedButton() == save) {
    save_and_wait();
    return !targets_.notes.has_unsaved();
  }
  if (box.clickedButton() != leave) return false;
  targets_.notes.give_up();
  return true;
}

void WindowNotes::save_and_wait() {
  targets_.session.ask_save();
  if (!targets_.session.is_busy()) return;
  QEventLoop loop;
  connect(&targets_.session, &WindowSession::saved, &loop, &QEventLoop::quit);
  loop.exec();
}

}  // namespace attn::gui

#include "moc_window_notes.cpp"
