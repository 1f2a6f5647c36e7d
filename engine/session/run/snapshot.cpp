// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/snapshot.h"

#include <algorithm>

namespace attn {
namespace {

constexpr size_t kRateSteps = 32;  // number of steps over which the speed is measured

}  // namespace

std::string_view name_of(EnginePhase phase) {
  switch (phase) {
    case EnginePhase::kLoading:
      return "loading";
    case EnginePhase::kIdle:
      return "idle";
    case EnginePhase::kRunning:
      return "running";
    case EnginePhase::kPaused:
      return "paused";
    case EnginePhase::kFinished:
      return "finished";
    case EnginePhase::kCancelled:
      return "cancelled";
    case EnginePhase::kFailed:
      return "failed";
  }
  return "unknown";
}

BlocksUsed mark_blocks_used(const PlannedSequence::Places& places, std::span<const int32_t> table,
                            int64_t first_held, int64_t block_size, uint32_t step,
                            std::vector<BlockView>& blocks) {
  const auto [end, written_from] = places;
  BlocksUsed used;
  int64_t logical = first_held;
  for (; logical * block_size < end; ++logical) {
    BlockView& view = blocks[static_cast<size_t>(table[static_cast<size_t>(logical)])];
    view.last_read_step = step;
    if (written_from >= end || (logical + 1) * block_size <= written_from) continue;
    view.last_write_step = step;
    const auto filled = static_cast<int32_t>(std::min(block_size, end - logical * block_size));
    used.filled += filled - view.filled;
    view.filled = filled;
  }
  used.read = static_cast<size_t>(logical - first_held);
  return used;
}

std::string output_text(const Source& source, std::span<const int32_t> tokens, size_t prompt_len) {
  const std::string head = source.decode(tokens.first(prompt_len));
  std::string whole = source.decode(tokens);
  return whole.starts_with(head) ? whole.substr(head.size())
                                 : source.decode(tokens.subspan(prompt_len));
}

double recent_tokens_per_s(const std::vector<StepRecord>& steps,
                           const std::vector<RequestView>& requests) {
  if (steps.empty()) return 0;
  const size_t first = steps.size() > kRateSteps ? steps.size() - kRateSteps : 0;
  uint64_t tokens = 0;
  for (const RequestView& request : requests) {
    const std::vector<uint64_t>& times = request.times.token_ns;
    tokens +=
        static_cast<uint64_t>(times.end() - std::ranges::upper_bound(times, steps[first].begin_ns));
  }
  const uint64_t begin_ns = steps[first].begin_ns, end_ns = steps.back().end_ns;
  if (end_ns < begin_ns) return 0;  // in a session file steps may be in any order of time
  const double seconds = 1e-9 * static_cast<double>(end_ns - begin_ns);
  return seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

}  // namespace attn
