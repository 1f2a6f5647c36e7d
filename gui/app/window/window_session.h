// SPDX-License-Identifier: GPL-3.0-or-later
// WindowSession: saves and opens session files in the window. A session has the window's state,
// too: what is shown and selected, step, tab, views, panels, notes. A session is read on another
// thread. GUI thread.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QProgressDialog>
#include <QTabWidget>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <vector>

#include "gui/app/bars/message_bar.h"
#include "gui/app/window/window_layouts.h"
#include "gui/models/notes.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/widgets/view.h"

namespace attn::gui {

struct SessionTargets {
  RunControl& control;
  Selection& selection;
  TimeCursor& cursor;
  Notes& notes;
  MessageBar& messages;
  WindowLayouts& layouts;
  QTabWidget& tabs;
  std::vector<View*> views;
  std::vector<QDockWidget*> panels;
  QWidget* window = nullptr;
};

// The state of the window that the session file has (view_state()); may be empty.
QJsonObject saved_view(const Session& session);
// Applies from `state` (saved_view()) the shown request, layer and head, the selection, the step
// and the options of these views.
void show_saved_choices(const QJsonObject& state, const EngineBridge& bridge, Selection& selection,
                        TimeCursor& cursor, const std::vector<View*>& views);

class WindowSession : public QObject {
  Q_OBJECT
 public:
  explicit WindowSession(SessionTargets targets);
  ~WindowSession() override;

  void ask_save();
  void save(const QString& file);
  void open(const QString& file);
  // Reads a session without showing it. Emits read() unless that fails or is cancelled.
  void read_beside(const QString& file);
  bool is_busy() const { return work_ != nullptr; }
  // If a session is being saved, waits until it is saved. If one is being opened, cancels that.
  void settle();
  QJsonObject view_state() const;
  // Applies those parts of `state` that fit the shown run.
  void show_view_state(const QJsonObject& state);

 signals:
  void replacing();  // the session that was read is about to replace the edited scenario
  void saved(const QString& file, bool done);
  void opened(const QString& file, bool done);
  void read(const QString& file, const std::shared_ptr<const Session>& session);

 private:
  struct Work;
  void begin(const QString& file, const QString& what);
  void read_in_background();
  void look();
  void look_at_save();
  void look_at_open();
  void take_read_session();
  void show_read_session();
  void end_work(const QString& trouble);
  void finish(const QString& trouble);
  EngineBridge& bridge() const { return targets_.control.bridge(); }

  SessionTargets targets_;
  std::shared_ptr<Work> work_;  // null: no session is being saved or opened
  std::unique_ptr<QProgressDialog> progress_;
  QTimer timer_;
  QThreadPool jobs_;  // last member, destroyed first: waits for its work
};

}  // namespace attn::gui
