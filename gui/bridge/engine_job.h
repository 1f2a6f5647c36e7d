// SPDX-License-Identifier: GPL-3.0-or-later
// EngineJob: starts long work on the engine thread, and tells the GUI thread its progress and its
// end. Base class of the jobs of views. GUI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>

#include "engine/core/error.h"
#include "gui/bridge/engine_bridge.h"

namespace attn::gui {

class EngineJob : public QObject {
  Q_OBJECT
 public:
  enum class State { kIdle, kWaiting, kRunning };

  explicit EngineJob(EngineBridge& bridge, QObject* parent = nullptr);
  ~EngineJob() override;  // cancels the work

  void cancel();

  State state() const { return state_; }
  double fraction() const { return fraction_; }  // [0, 1]
  QString doing() const { return doing_; }       // what is being done: "step 3, layer 2"
  // Why there is no result, such as an error or cancel(). Empty while there is no such reason.
  QString trouble() const { return trouble_; }
  ErrorCode trouble_code() const { return trouble_code_; }

 signals:
  void progressed();
  void finished();  // emitted after take_result(), or with trouble()

 protected:
  // The work calls this to report its progress: fraction in [0, 1], and what is being done.
  using Progress = std::function<void(double fraction, const std::string& doing)>;
  // The work, on the engine thread. False: it was cancelled.
  using Work = std::function<bool(RunGate& gate, const Progress& progress)>;
  // Starts the work, and cancels earlier work that has not ended. If the run is paused or slowed
  // down inside the layers of a step, the step is first run to its end at full speed.
  void launch(Work work);
  // Called when the work has ended without trouble and was not cancelled.
  virtual void take_result() = 0;
  virtual QString cancelled_text() const = 0;  // "The comparison was cancelled."

 private:
  struct Shared;
  void look();

  EngineBridge& bridge_;
  QTimer timer_;
  State state_ = State::kIdle;
  double fraction_ = 0;
  QString doing_, trouble_;
  ErrorCode trouble_code_ = ErrorCode::kFailed;
  bool resume_ = false;  // true: the run goes on when the job has ended
  std::shared_ptr<Shared> shared_;
};

}  // namespace attn::gui
