// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/run_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/kernels/decode/decode_plan.h"

namespace attn {
namespace {

// Integers, queries and outputs of every captured size, and the partial results of the largest
// size: at most one for every tile of every head.
double captured_plan_bytes(const Scenario& scenario, const SourceShape& shape,
                           int64_t cache_head_size) {
  const int64_t blocks = captured_blocks(scenario, shape);
  const auto heads = static_cast<double>(shape.num_heads),
             width = static_cast<double>(cache_head_size);
  double bytes = 0;
  int64_t largest = 0;
  for (const int64_t size : AttentionState::capture_sizes(captured_sequences(scenario))) {
    bytes += static_cast<double>(size) *
             (4 * static_cast<double>(blocks) + 24 + heads * (2 * width + 1) * 4);
    largest = size;
  }
  const double tiles =
      std::ceil(static_cast<double>(blocks * scenario.engine.block_size) / kKvTile);
  return bytes + static_cast<double>(largest) * heads * tiles *
                     (static_cast<double>(DecodePlan::kPartialHeader) + width + 15) * 4;
}

}  // namespace

int64_t captured_sequences(const Scenario& scenario) {
  return scenario.engine.max_num_seqs;
}

int64_t captured_blocks(const Scenario& scenario, const SourceShape& shape) {
  const int64_t size = scenario.engine.block_size;
  const bool is_cross = scenario.attention.type == AttentionType::kEncoderDecoder;
  const int64_t longest = is_cross ? shape.max_encoder_len : shape.max_model_len;
  return std::min(scenario.engine.num_blocks, (longest + size - 1) / size);
}

RunMemory run_memory(const Scenario& scenario, const SourceShape& shape, const KvStorageSpec& cache,
                     std::span<const int64_t> prompt_tokens, bool keep_attention) {
  RunMemory need;
  need.cache_spec = cache;
  need.cache_bytes = static_cast<double>(KvStorage::bytes_needed(cache));
  if (scenario.engine.num_swap_blocks > 0) {
    KvStorageSpec swap = cache;
    swap.num_blocks = scenario.engine.num_swap_blocks;
    need.swap_bytes = static_cast<double>(KvStorage::bytes_needed(swap));
  }
  const int64_t budget = scenario.engine.max_num_batched_tokens;
  const bool whole_prompts = scenario.engine.policy == SchedulingPolicy::kPrefillFirst;
  // A sequence never becomes longer than the source allows or the whole cache holds; in cross
  // attention the cache bounds the encoder's tokens instead. A prompt that must be computed in one
  // step and is longer than the budget is ignored.
  const bool is_cross = scenario.attention.type == AttentionType::kEncoderDecoder;
  const int64_t places = cache.num_blocks * cache.block_size;
  const int64_t longest = is_cross ? shape.max_model_len : std::min(shape.max_model_len, places);
  int64_t rows = 0, prompts = 0, keys = 0, new_keys = 0;
  for (size_t i = 0; i < prompt_tokens.size(); ++i) {
    const int64_t prompt = prompt_tokens[i];
    if (prompt > longest || (whole_prompts && prompt > budget)) continue;
    const ScenarioRequest& request = scenario.requests[i];
    if (is_cross && request.encoder_tokens > places) continue;
    prompts += prompt;
    const int64_t sequences = std::max(request.n, request.beam_width);
    const int64_t length = std::min(longest, prompt + request.max_tokens);
    rows += sequences * length;
    keys += sequences * (is_cross ? request.encoder_tokens : length);
    new_keys += is_cross ? request.encoder_tokens : 0;
  }
  const auto heads = static_cast<double>(shape.num_heads),
             kv_heads = static_cast<double>(shape.num_kv_heads),
             width = static_cast<double>(shape.head_size),
             layers = static_cast<double>(shape.num_layers);
  if (keep_attention) {
    need.record_bytes = layers * 4 *
                        (static_cast<double>(rows) * (heads * width + heads) +
                         static_cast<double>(keys) * kv_heads * width);
    need.record_factors =
        is_cross
            ? fmt::format(
                  "({} rows x {} heads + {} keys x {} KV heads) x {} layers x {} (head size) x 4 "
                  "bytes and {} heads x 4 bytes of log-sum-exp per row and layer",
                  rows, shape.num_heads, keys, shape.num_kv_heads, shape.num_layers,
                  shape.head_size, shape.num_heads)
            : fmt::format(
                  "{} rows x {} layers x ({} heads + {} KV heads) x {} (head size) x 4 bytes and "
                  "{} "
                  "heads x 4 bytes of log-sum-exp per row and layer",
                  rows, shape.num_layers, shape.num_heads, shape.num_kv_heads, shape.head_size,
                  shape.num_heads);
  }
  const int64_t decodes =
      std::min<int64_t>(scenario.engine.max_num_seqs, static_cast<int64_t>(prompt_tokens.size()));
  const int64_t tokens = std::min(budget, std::max(prompts, decodes));
  // Queries and outputs, keys and values; a cache of another type needs copies in its own type.
  const double wide =
      cache.dtype == DType::kF32 ? 4 : 4 + static_cast<double>(size_of(cache.dtype));
  const double step_keys = static_cast<double>(is_cross ? new_keys : tokens);
  need.step_bytes =
      (static_cast<double>(tokens) * heads + step_keys * kv_heads) * 2 * width * wide +
      static_cast<double>(decodes) * static_cast<double>(shape.vocab_size) * 4;
  if (scenario.engine.use_captured_plan)
    need.plan_bytes = captured_plan_bytes(scenario, shape, cache.head_size);
  need.step_factors = fmt::format("{} tokens and the logits of {} sequences", tokens, decodes);
  return need;
}

void check_run_memory(const RunMemory& need, int64_t available) {
  check_memory(need.cache_spec, KvStorage::bytes_needed(need.cache_spec), available);
  if (need.total() <= static_cast<double>(allowed_memory_bytes(available))) return;
  throw_bad_input(
      {.what = "the run does not fit in memory",
       .where = "requests",
       .found = fmt::format(
           "KV cache {}{} + queries and keys kept for the views {} ({}) + operands "
           "of a step {} ({}){} = {}",
           bytes_text(need.cache_bytes),
           need.swap_bytes > 0 ? fmt::format(" + swap pool {}", bytes_text(need.swap_bytes)) : "",
           bytes_text(need.record_bytes),
           need.record_factors.empty() ? "none" : need.record_factors, bytes_text(need.step_bytes),
           need.step_factors,
           need.plan_bytes > 0 ? fmt::format(" + captured plans {}", bytes_text(need.plan_bytes))
                               : "",
           bytes_text(need.total())),
       .allowed = allowed_memory_text(available),
       .advice = "Use fewer requests, shorter prompts or a smaller max_tokens"});
}

}  // namespace attn
