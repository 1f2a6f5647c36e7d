// SPDX-License-Identifier: GPL-3.0-or-later
// WindowHandouts: writes the hand-out of the lesson that is taken, asked for in the window. Another
// process of the program makes it: it runs each step once more for its picture, and the run of the
// window stays as it is. GUI thread.
#pragma once

#include <QMainWindow>
#include <QObject>
#include <QProcess>

#include "gui/app/bars/message_bar.h"

namespace attn::gui {

class WindowHandouts : public QObject {
  Q_OBJECT
 public:
  WindowHandouts(QMainWindow& window, MessageBar& messages, QObject* parent);
  // Ends the process; a hand-out that is not complete by then is not written.
  ~WindowHandouts() override;

  // Asks for the file, then writes the hand-out. lesson: its file. id: that of the lesson, which is
  // proposed as the name of the PDF (with "-teacher" for the teacher's copy).
  void ask(const QString& lesson, const QString& id, bool teacher);
  // What happened is told in the message bar.
  void write(const QString& lesson, const QString& out, bool teacher);
  bool is_writing() const { return process_ != nullptr; }
  // Another program that writes the hand-out, in place of this one; for tests.
  void set_program(const QString& program) { program_ = program; }

 private:
  void ended(const QString& out, const QString& trouble);

  QMainWindow& window_;
  MessageBar& messages_;
  QString program_;
  QProcess* process_ = nullptr;
};

}  // namespace attn::gui
