// SPDX-License-Identifier: GPL-3.0-or-later
// TokenTimes: how long a token took in the prefill steps and in the decode steps of a run, so that
// the two can be compared. Plain data. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct TokenTimes {
  // Sum of the durations / sum of the tokens, of the steps that computed only one kind of tokens;
  // 0: there is no such step, or none that took time.
  double prefill_ns = 0, decode_ns = 0;
  int64_t prefill_steps = 0, decode_steps = 0;

  bool are_comparable() const { return prefill_ns > 0 && decode_ns > 0; }
};

TokenTimes token_times(std::span<const StepRecord> steps);

}  // namespace attn::gui
