// SPDX-License-Identifier: GPL-3.0-or-later
// WindowSession: session files in the window. Saving happens between two steps of the run, reading
// on another thread; either shows its progress if it takes longer than a moment, and can be
// cancelled. With the run a file keeps how the window showed it: what is selected and shown, the
// step under the time cursor, the attention tab, what was chosen in the views and which part of
// them is seen, the panels, and the notes on its steps. GUI thread.
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

// The parts of the window that a session is saved from and shown in.
struct SessionTargets {
  RunControl& control;
  Selection& selection;
  TimeCursor& cursor;
  Notes& notes;
  MessageBar& messages;
  WindowLayouts& layouts;
  QTabWidget& tabs;
  std::vector<View*> views;  // all views, the attention tabs among them
  std::vector<QDockWidget*> panels;
  QWidget* window = nullptr;
};

// What a session file keeps of the window; empty: nothing, as in a file that `run` has written.
QJsonObject saved_view(const Session& session);
// Applies, from a state that saved_view() returned, what is shown and selected, the step, and the
// choices of these views.
void show_saved_choices(const QJsonObject& state, const EngineBridge& bridge, Selection& selection,
                        TimeCursor& cursor, const std::vector<View*>& views);

class WindowSession : public QObject {
  Q_OBJECT
 public:
  explicit WindowSession(SessionTargets targets);
  ~WindowSession() override;

  // Asks for the file, then saves.
  void ask_save();
  void save(const QString& file);
  void open(const QString& file);
  // Reads a session without showing it. The signal read() hands it over.
  void read_beside(const QString& file);
  bool is_busy() const { return work_ != nullptr; }
  // Waits until a session that is being saved is saved; cancels the opening of one.
  void settle();
  // The state of the views and the window, as a session file keeps it.
  QJsonObject view_state() const;
  // Applies those parts of `state` that fit the run that is shown.
  void show_view_state(const QJsonObject& state);

 signals:
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
  std::shared_ptr<Work> work_;  // null: nothing goes on
  std::unique_ptr<QProgressDialog> progress_;
  QTimer timer_;
  QThreadPool jobs_;  // last member, so destroyed first: it waits for its work
};

}  // namespace attn::gui
