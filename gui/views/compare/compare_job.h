// SPDX-License-Identifier: GPL-3.0-or-later
// CompareJob: one comparison on the engine thread, as the GUI sees it: started, waiting for its
// turn, at some percent, done or cancelled. GUI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

#include "engine/core/error.h"
#include "engine/session/compare/compare_cache.h"
#include "gui/bridge/engine_bridge.h"

namespace attn::gui {

class CompareJob : public QObject {
  Q_OBJECT
 public:
  enum class State { kIdle, kWaiting, kRunning };

  explicit CompareJob(EngineBridge& bridge, QObject* parent = nullptr);
  ~CompareJob() override;  // cancels

  // Starts a comparison; one already on its way is cancelled. A run that is paused or slowed down
  // in the middle of a step is first run to that step's end, and goes on afterwards as it was.
  void start(CompareSpec spec);
  void start(CacheCompareSpec spec);
  void cancel();

  State state() const { return state_; }
  double fraction() const { return fraction_; }  // [0, 1]
  QString doing() const { return doing_; }       // "step 3, layer 2"
  // The last comparison of its kind that was not cancelled; null before the first.
  std::shared_ptr<const CompareResult> result() const { return result_; }
  std::shared_ptr<const CacheCompareResult> cache_result() const { return cache_result_; }
  QString trouble() const { return trouble_; }  // why there is no result; empty: nothing wrong
  ErrorCode trouble_code() const { return trouble_code_; }

 signals:
  void progressed();
  void finished();  // result() or trouble() is new

 private:
  struct Shared;
  // The comparison itself, on the engine thread.
  using Work = std::function<void(RunGate& gate, const CompareProgress& progress)>;
  void launch(std::shared_ptr<Shared> of_job, Work work);
  // Takes a result that was not cancelled, on the engine thread.
  template <class Result>
  static void keep(Shared& shared, Result result, std::shared_ptr<const Result>& place);
  void look();

  EngineBridge& bridge_;
  QTimer timer_;
  State state_ = State::kIdle;
  double fraction_ = 0;
  QString doing_, trouble_;
  ErrorCode trouble_code_ = ErrorCode::kFailed;
  bool resume_ = false;  // true: the run was going on and has to go on afterwards
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<const CompareResult> result_;
  std::shared_ptr<const CacheCompareResult> cache_result_;
};

}  // namespace attn::gui
