// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run/token_times.h"

namespace attn::gui {

TokenTimes token_times(std::span<const StepRecord> steps) {
  TokenTimes times;
  double prefill_ns = 0, decode_ns = 0, prefill_tokens = 0, decode_tokens = 0;
  for (const StepRecord& step : steps) {
    const auto ns = static_cast<double>(step.end_ns - step.begin_ns);
    if (step.prefill_tokens > 0 && step.decode_tokens == 0) {
      ++times.prefill_steps;
      prefill_ns += ns;
      prefill_tokens += static_cast<double>(step.prefill_tokens);
    } else if (step.decode_tokens > 0 && step.prefill_tokens == 0) {
      ++times.decode_steps;
      decode_ns += ns;
      decode_tokens += static_cast<double>(step.decode_tokens);
    }
  }
  if (prefill_tokens > 0) times.prefill_ns = prefill_ns / prefill_tokens;
  if (decode_tokens > 0) times.decode_ns = decode_ns / decode_tokens;
  return times;
}

}  // namespace attn::gui
