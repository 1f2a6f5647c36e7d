// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/snapshot.h"

#include <algorithm>
#include <unordered_set>

namespace attn {
namespace {

constexpr size_t kRateSteps = 32;  // most steps in recent_tokens_per_s()

// Counts the output tokens of a beam, from number `first` on, that are new to `known`, and adds
// them to it. Beams that continue the same beam share their first tokens. known: hashes of token
// prefixes.
uint64_t count_new(const RequestView& beam, size_t first, std::unordered_set<uint64_t>& known) {
  uint64_t count = 0, hash = beam.parent.value_or(beam.id);
  for (size_t i = 0; i < beam.tokens->size(); ++i) {
    hash = (hash ^ static_cast<uint32_t>((*beam.tokens)[i].id)) + 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    if (i >= static_cast<size_t>(beam.prompt_len) + first) count += known.insert(hash).second;
  }
  return count;
}

}  // namespace

const RequestView* request_by_id(const EngineSnapshot& snapshot, int64_t id) {
  const auto guess = static_cast<size_t>(std::max<int64_t>(0, id));
  if (guess < snapshot.requests.size() && int64_t{snapshot.requests[guess].id} == id)
    return &snapshot.requests[guess];
  for (const RequestView& request : snapshot.requests)
    if (int64_t{request.id} == id) return &request;
  return nullptr;
}

void set_encoder(RequestView& view, int64_t num_encoder_layers,
                 std::shared_ptr<const AttentionRecord> record) {
  view.num_encoder_layers = num_encoder_layers;
  view.encoder.reset();
  if (num_encoder_layers == 0 || !view.encoder_tokens) return;
  auto encoder = std::make_shared<RequestView>(view);
  encoder->tokens = std::move(encoder->encoder_tokens);
  encoder->encoder_tokens.reset();
  const auto length = static_cast<int64_t>(encoder->tokens->size());
  encoder->prompt_len = length;
  encoder->num_computed = view.num_computed > 0 ? length : 0;
  encoder->num_cached = 0;
  encoder->own_table = encoder->cross_table = {};
  encoder->attention = std::move(record);
  encoder->interventions.clear();
  encoder->changed_numbers.clear();
  encoder->residual.reset();
  view.encoder = std::move(encoder);
}

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

uint64_t idle_ns(std::span<const StepRecord> steps) {
  uint64_t idle = 0;
  for (size_t i = 1; i < steps.size(); ++i) {
    const StepRecord& before = steps[i - 1];
    const bool has_work = before.waiting + before.running + before.swapped > 0;
    if (!has_work && steps[i].begin_ns > before.end_ns) idle += steps[i].begin_ns - before.end_ns;
  }
  return idle;
}

double recent_tokens_per_s(const std::vector<StepRecord>& steps,
                           const std::vector<RequestView>& requests) {
  if (steps.empty()) return 0;
  const size_t first = steps.size() > kRateSteps ? steps.size() - kRateSteps : 0;
  uint64_t tokens = 0;
  std::unordered_set<uint64_t> known;
  for (const RequestView& request : requests) {
    const std::vector<uint64_t>& times = request.times.token_ns;
    const auto begin = std::ranges::upper_bound(times, steps[first].begin_ns);
    if (begin == times.end()) continue;
    const bool is_beam = request.cumulative_logprob != 0 && request.tokens;
    tokens += is_beam ? count_new(request, static_cast<size_t>(begin - times.begin()), known)
                      : static_cast<uint64_t>(times.end() - begin);
  }
  const uint64_t begin_ns = steps[first].begin_ns, end_ns = steps.back().end_ns;
  if (end_ns < begin_ns) return 0;  // possible in a session file
  const uint64_t all = end_ns - begin_ns, idle = idle_ns(std::span(steps).subspan(first));
  const double seconds = 1e-9 * static_cast<double>(all - std::min(all, idle));
  return seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

}  // namespace attn
