// SPDX-License-Identifier: GPL-3.0-or-later
// FrozenRun: a finished run from which quantities are computed. Comparisons that some quantities
// need are computed at first use and kept. Also SourceCache. Any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/session/compare/compare.h"
#include "engine/session/compare/compare_cache.h"
#include "engine/session/run/engine.h"
#include "engine/trace/event.h"

namespace attn::lesson {

// Loads sources and keeps the models among them: each is loaded once. Any thread.
class SourceCache {
 public:
  // Throws what load_source() throws.
  std::shared_ptr<Source> load(const Scenario& scenario);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Source>, std::less<>> models_;  // by folder
};

// The scenario as a lesson runs it: on the virtual clock, with two threads, at full speed.
Scenario frozen(Scenario scenario);

class FrozenRun {
 public:
  // Runs frozen(scenario) to its end. gate: can cancel the run, which throws Error(kCancelled); may
  // be null. Throws what Engine and load_source() throw, and Error(kBadInput) if the run takes more
  // than kMostLessonSteps steps or kMostLessonTokens tokens.
  static std::shared_ptr<const FrozenRun> make(const Scenario& scenario, SourceCache& sources,
                                               RunGate* gate = nullptr);
  // A run that has ended elsewhere: its snapshot with history and records, and its events in order
  // of begin.
  FrozenRun(std::shared_ptr<const EngineSnapshot> snapshot, std::vector<TraceEvent> events);
  ~FrozenRun();

  const EngineSnapshot& end() const { return *snapshot_; }
  const Scenario& scenario() const { return *snapshot_->scenario; }
  const std::vector<TraceEvent>& events() const { return events_; }
  // The state right after a step: end() after the last one, else what StepHistory::restore() gives.
  // Throws Error(kBadInput) if the run has no such step, or the history has dropped it.
  std::shared_ptr<const EngineSnapshot> after(int64_t step) const;
  // The same, but if the history has the step, requests still hold the blocks with which it
  // computed them: requests that ended with it, too, and with blocks that left the window with it.
  std::shared_ptr<const EngineSnapshot> held_in(int64_t step) const;
  // The step that computed with most blocks in use, the first of them; 0: the run has no steps.
  // A request may get its last block in the step with which it ends, and a long prompt may leave
  // most of its blocks behind its window in the step that computes it. No record of a step counts
  // these blocks.
  struct Peak {
    int64_t step = 0;
    // Views show the state after a step. So if blocks were given back at the end of `step`,
    // this is the step that leaves most blocks in use, if one leaves any.
    int64_t step_to_show = 0;
  };
  // Steps that the history has dropped count with the blocks that they left in use.
  Peak peak() const;
  // Compares the run's own backend with `other`.
  const CompareResult& compared_with(const std::string& other) const;
  const CacheCompareResult& without_cache() const;

 private:
  // held_in(), but null if the history does not have the step.
  std::shared_ptr<const EngineSnapshot> restored_held(int64_t step) const;

  struct More;
  std::shared_ptr<const EngineSnapshot> snapshot_;
  std::vector<TraceEvent> events_;
  std::unique_ptr<More> more_;
};

inline constexpr int64_t kMostLessonSteps = 2000, kMostLessonTokens = 20'000;

}  // namespace attn::lesson
