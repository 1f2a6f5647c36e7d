// SPDX-License-Identifier: GPL-3.0-or-later
// WindowHandouts: writes the hand-out of a lesson from the window. Another process of the program
// makes it, so the run of the window stays as it is. GUI thread.
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
  // Kills the process if it still runs.
  ~WindowHandouts() override;

  // Asks for the PDF file, then writes the hand-out. lesson: the file of the lesson. id: proposed
  // as the name of the PDF file, with "-teacher" for the teacher's copy.
  void ask(const QString& lesson, const QString& id, bool teacher);
  void write(const QString& lesson, const QString& out, bool teacher);
  bool is_writing() const { return process_ != nullptr; }
  // The program to run in place of this one; for tests.
  void set_program(const QString& program) { program_ = program; }

 private:
  void ended(const QString& out, const QString& trouble);

  QMainWindow& window_;
  MessageBar& messages_;
  QString program_;
  QProcess* process_ = nullptr;
};

}  // namespace attn::gui
