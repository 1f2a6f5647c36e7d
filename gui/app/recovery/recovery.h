// SPDX-License-Identifier: GPL-3.0-or-later
// Recovery: keeps what only the window has (the edited scenario, the notes, how the run is shown)
// in a file, at most kEveryMs old, as long as no other file has it. A program that crashes or is
// killed leaves it, and one that ends as usual leaves the edited scenario; the next start offers
// it. Each running program has a file of its own, with a lock that ends with the program. GUI
// thread; files are written on another one.
#pragma once

#include <QAction>
#include <QJsonObject>
#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>

#include "gui/app/bars/message_bar.h"
#include "gui/app/window/window_session.h"
#include "gui/models/notes.h"
#include "gui/models/run_control.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

struct RecoveryTargets {
  RunControl& control;
  TimeCursor& cursor;
  Notes& notes;
  WindowSession& session;
  MessageBar& messages;
  std::function<bool()> is_borrowed;  // a lesson shows scenarios that are not the person's work
};

class Recovery : public QObject {
  Q_OBJECT
 public:
  static constexpr int kEveryMs = 2000;

  explicit Recovery(RecoveryTargets targets);
  ~Recovery() override;

  // Offers what the last program left in `folder`, and keeps a file of its own there from now on.
  void begin(const QString& folder);
  // The folder of the person who runs the program.
  static QString usual_folder();
  // Writes now what has changed, as the timer does, and waits for the file.
  void keep_now();
  // The program ends as usual: its file stays only if the scenario was edited and not saved; one
  // that was offered is removed.
  void end();

 private:
  void keep();
  void write_or_remove(const QJsonObject& work);
  void find_left();
  void offer(const QString& file, const QJsonObject& work);
  void restore();
  void show_when_computed();
  void remove_left();
  QJsonObject work() const;

  RecoveryTargets targets_;
  QString folder_, file_, left_file_;
  std::unique_ptr<QLockFile> lock_, left_lock_;
  QJsonObject left_;
  // What is opened again: coming_ until its run begins, then awaited_ until the run has computed
  // the steps that it is about.
  QJsonObject coming_, awaited_;
  QAction open_;
  QByteArray written_;
  QTimer timer_;
  QThreadPool writer_;  // last: its destructor waits
};

}  // namespace attn::gui
