// SPDX-License-Identifier: GPL-3.0-or-later
// RunTrace: records events on the engine's lane, and the warnings of a run. Engine thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/request.h"
#include "engine/trace/clock.h"
#include "engine/trace/probe.h"
#include "engine/trace/recorder.h"

namespace attn {

class RunTrace {
 public:
  // recorder: null: no event is kept. step: the engine's counter. own_tables: requests have block
  // tables of their own tokens, so events of encoder tables have kCrossTableMark.
  RunTrace(Recorder* recorder, RunClock& clock, const uint32_t& step, bool own_tables);

  uint64_t now_ns() const { return clock_.now_ns(kEngineLane); }
  void spend(uint64_t cost_ns) { clock_.spend(kEngineLane, cost_ns); }
  uint32_t step() const { return step_; }

  void instant(EventKind kind, uint32_t a, uint32_t b = 0, uint32_t c = 0, uint32_t d = 0) const;
  // Records a span that ends at end_ns, or now if that is not given.
  void span(EventKind kind, uint64_t begin_ns, uint32_t a, int64_t b, int64_t c, int64_t d,
            std::optional<uint64_t> end_ns = {}) const;
  // Adds a sentence for the user, with a kWarning event.
  void warn(const std::string& text) const;
  // Drains the rings of all lanes.
  void drain() const;

  // --- requests ---
  void add_request() { told_tokens_.emplace_back(); }
  // The event has the time of the arrival, not that of the step which noticed the arrival.
  void arrived(const Request& request) const;
  void forked(const Request& parent, const Request& child);
  void before_free(const Request& request) { lost_tokens_ = request.num_computed; }
  void preempted(const Request& request) const;
  void finished(const Request& request) const;
  // Emits an event for each output token that the request got since the last call.
  void tell_tokens(const Request& request);
  int64_t generated_tokens() const { return generated_tokens_; }

  // --- blocks ---
  // Ignores changes in the swap pool.
  void block_changed(const BlockChange& change) const;

 private:
  Recorder* recorder_;
  RunClock& clock_;
  const uint32_t& step_;
  const bool own_tables_;
  std::vector<int64_t> told_tokens_;  // index: request id; output tokens that have had their event
  int64_t generated_tokens_ = 0;
  // Computed tokens of the sequence whose device blocks were given back or swapped out last, for
  // the event of a preemption.
  int64_t lost_tokens_ = 0;
};

}  // namespace attn
