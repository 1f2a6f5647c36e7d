// SPDX-License-Identifier: GPL-3.0-or-later
// Recovery: keeps unsaved work (the edited scenario, notes, the view of the run) in a file, so that
// the next start of the program can offer it. Each running program has its own file and a lock for
// it. A prompt that the user wrote has a further file if another scenario replaces it. GUI thread;
// the program's own file is written on another thread.
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
  std::function<bool()> is_borrowed;  // true while lessons, which have own scenarios, are open
};

class Recovery : public QObject {
  Q_OBJECT
 public:
  static constexpr int kEveryMs = 2000;
  static inline const QString kAction = QStringLiteral("recovery");  // of its messages
  // The most files of earlier programs that are kept, and the most files with replaced prompts.
  static constexpr size_t kMost = 5;

  explicit Recovery(RecoveryTargets targets);
  ~Recovery() override;

  // Offers the work that earlier programs left in `folder`, and from now on keeps unsaved work
  // there.
  void begin(const QString& folder);
  static QString usual_folder();
  // Does at once what the timer does: writes changed work, or removes its file. Waits for that.
  void keep_now();
  // Call when the program ends as usual. An edited scenario that is not saved stays in the file,
  // without notes. Work of earlier programs that was not opened stays, too; if the user closed the
  // message that offered it, no message offers it again.
  void end();

 private:
  void keep();
  void write_or_remove(const QJsonObject& work);
  // Keeps the edited scenario in a file of its own if it has a prompt that the user wrote and that
  // is in no file. Call it before another scenario replaces the edited one.
  void keep_replaced();
  // Forgets what keep_replaced() kept of the scenario that is edited now.
  void forget_returned();
  QString new_file() const;
  // Work that an earlier program left, or that was replaced. The lock keeps other programs from
  // offering it.
  struct Left {
    QString file;
    std::unique_ptr<QLockFile> lock;
    QJsonObject work;
    std::unique_ptr<QAction> entry;  // of the menu Open recent
    bool is_refused = false;         // true: no message offers it again
  };
  void find_left();
  size_t num_left(bool replaced) const;
  Left left_of(const QString& file, std::unique_ptr<QLockFile> lock, const QJsonObject& work);
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
  QString offered_;
  // Work that is being opened. If a run was started for it, it is in coming_ until that begins;
  // then, or once its session is open, in awaited_ until the run has computed the steps of its
  // notes and view, or has ended. The start of another run drops it.
  QJsonObject coming_, awaited_;
  QAction open_;
  QByteArray written_;
  QTimer timer_;
  QThreadPool writer_;  // last: its destructor waits
};

}  // namespace attn::gui
