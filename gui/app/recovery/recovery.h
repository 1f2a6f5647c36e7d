// SPDX-License-Identifier: GPL-3.0-or-later
// Recovery: keeps what only the window has (the edited scenario, the notes, how the run is shown)
// in a file, at most kEveryMs old, as long as no other file has it. A program that crashes or is
// killed leaves it, and one that ends as usual leaves the edited scenario. The next start offers
// the newest in a message, and all in the menu "Open recent"; a file stays until it is opened or
// kMost newer ones are there. Each running program has a file of its own, with a lock that ends
// with the program. GUI thread; files are written on another one.
#pragma once

#include <QAction>
#include <QDateTime>
#include <QJsonObject>
#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

#include "gui/app/bars/message_bar.h"
#include "gui/app/commands/recent_menu.h"
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
  RecentMenu& recent;
  std::function<bool()> is_borrowed;  // true while a lesson shows scenarios of its own
};

class Recovery : public QObject {
  Q_OBJECT
 public:
  static constexpr int kEveryMs = 2000;
  static constexpr size_t kMost = 5;  // files of earlier programs

  explicit Recovery(RecoveryTargets targets);
  ~Recovery() override;

  // Offers what earlier programs left in `folder`, and keeps a file of its own there from now on.
  void begin(const QString& folder);
  // The folder of the person who runs the program.
  static QString usual_folder();
  // Writes now what has changed, as the timer does, and waits for the file.
  void keep_now();
  // The program ends as usual: its file stays only if the scenario was edited and not saved. What
  // was offered and not opened stays; no message offers it again if its message was closed.
  void end();

 private:
  void keep();
  void write_or_remove(const QJsonObject& work);
  // What an earlier program left. Its lock keeps other programs from offering it, too.
  struct Left {
    QString file;
    std::unique_ptr<QLockFile> lock;
    QJsonObject work;
    std::unique_ptr<QAction> entry;  // of the menu
    bool is_refused = false;         // no message is to offer it again
  };
  void find_left();
  void add_left(const QString& file, std::unique_ptr<QLockFile> lock, const QJsonObject& work);
  void offer_newest();
  void list_left();
  void restore(const QString& file);
  void forget(const QString& file);
  void show_when_computed();
  QJsonObject work() const;

  RecoveryTargets targets_;
  QString folder_, file_;
  std::unique_ptr<QLockFile> lock_;
  std::vector<Left> left_;  // the newest first
  QString offered_;         // the file that the message is about
  // What is opened again: coming_ until its run begins, then awaited_ until the run has computed
  // the steps that it is about.
  QJsonObject coming_, awaited_;
  QAction open_;
  QByteArray written_;
  QTimer timer_;
  QThreadPool writer_;  // last: its destructor waits
};

}  // namespace attn::gui
