// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/scheduler_config.h"

#include <fmt/format.h>

#include "engine/core/error.h"

namespace attn {

std::string_view name_of(SchedulingPolicy policy) {
  return policy == SchedulingPolicy::kChunkedPrefill ? "chunked_prefill" : "prefill_first";
}

void check_limits(const SchedulerConfig& config) {
  const auto require_positive = [](int64_t value, const char* name, const char* unit) {
    if (value >= 1) return;
    throw_bad_input({.what = "a scheduler limit is out of range",
                     .where = name,
                     .found = fmt::format("{}", value),
                     .allowed = fmt::format("1 or more {}", unit),
                     .advice = ""});
  };
  require_positive(config.max_num_batched_tokens, "max_num_batched_tokens", "tokens per step");
  require_positive(config.max_num_seqs, "max_num_seqs", "sequences");
  require_positive(config.max_model_len, "max_model_len", "tokens");
}

}  // namespace attn
