// SPDX-License-Identifier: GPL-3.0-or-later
// TokenTimes: the time per token in the prefill steps and in the decode steps of a run. Plain data.
// Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct TokenTimes {
  // ns per token: the sum of the durations, divided by the sum of the tokens, of the steps with
  // only prefill tokens or only decode tokens. 0: there is no such step.
  double prefill_ns = 0, decode_ns = 0;
  int64_t prefill_steps = 0, decode_steps = 0;

  bool are_comparable() const { return prefill_ns > 0 && decode_ns > 0; }
};

TokenTimes token_times(std::span<const StepRecord> steps);

}  // namespace attn::gui
