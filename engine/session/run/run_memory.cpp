// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/run_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/kernels/decode/decode_plan.h"
#include "engine/model/model.h"
#include "engine/session/report/report.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/layer_configs.h"
#include "engine/session/run/snapshot.h"
#include "engine/session/scenario/prompts/request_tokens.h"

namespace attn {
namespace {

// Numbers of layers that read the request's own keys, that read its encoder's keys, and of layers
// of the encoder itself.
struct LayerCounts {
  int64_t own = 0, cross = 0, encoder = 0;
};
LayerCounts layer_counts(const Scenario& scenario, const SourceShape& shape) {
  LayerCounts counts;
  counts.encoder = shape.num_encoder_layers();
  for (int64_t layer = counts.encoder; layer < shape.num_layers; ++layer)
    ++(shape.is_cross(layer, scenario.attention.type) ? counts.cross : counts.own);
  return counts;
}

// Bytes of the captured plans: integers, queries and outputs for each captured size, and partial
// results for the largest size.
double captured_plan_bytes(const Scenario& scenario, const SourceShape& shape,
                           int64_t cache_head_size) {
  const LayerCounts layers = layer_counts(scenario, shape);
  const int64_t own = layers.own > 0 ? captured_blocks(scenario, shape.max_model_len) : 0,
                cross = layers.cross > 0 ? captured_blocks(scenario, shape.max_encoder_len) : 0,
                blocks = std::max(own, cross);
  const auto heads = static_cast<double>(shape.num_heads),
             width = static_cast<double>(cache_head_size);
  double bytes = 0;
  int64_t largest = 0;
  for (const int64_t size : AttentionState::capture_sizes(captured_sequences(scenario))) {
    bytes += static_cast<double>(size) *
             (4 * static_cast<double>(own + cross) + 24 + heads * (2 * width + 1) * 4);
    largest = size;
  }
  const double tiles =
      std::ceil(static_cast<double>(blocks * scenario.engine.block_size) / kKvTile);
  return bytes + static_cast<double>(largest) * heads * tiles *
                     (static_cast<double>(DecodePlan::kPartialHeader) + width + 15) * 4;
}

// Adds what the backend stores for the prefills of one step of `tokens` tokens. longest: tokens of
// the longest sequence, with its output.
void add_prefill_memory(const Scenario& scenario, const SourceShape& shape, int64_t tokens,
                        int64_t longest, RunMemory& need) {
  const AttentionBackend& backend = backend_named(scenario.engine.backend);
  const int64_t len = std::min(longest, tokens);
  if (len < 1) return;
  double scores = 0;
  const int64_t prompts = (tokens + len - 1) / len;
  for (const AttentionConfig& config : layer_configs(scenario, shape).distinct) {
    const PrefillMemory memory =
        backend.prefill_memory(config, config.dtype.value_or(DType::kF32), len, len);
    need.mask_bytes += memory.mask * static_cast<double>(prompts);
    scores = std::max(scores, memory.scores);
  }
  need.mask_bytes += scores;
  need.mask_factors = fmt::format("prompts of up to {} in a step of {} tokens", len, tokens);
}

// Estimated bytes for one token of a prompt or an encoder: its TokenView, and its id in up to three
// lists.
constexpr int kBytesPerToken = static_cast<int>(sizeof(TokenView) + 3 * sizeof(int32_t));
// Estimated bytes for an event: one copy in the Recorder and one in the list of a view or a report.
constexpr int64_t kBytesPerEvent = 2 * static_cast<int64_t>(sizeof(TraceEvent));

class EventCount {
 public:
  EventCount(const Scenario& scenario, const SourceShape& shape)
      : scenario_(scenario),
        layers_(static_cast<double>(shape.num_layers)),
        heads_(static_cast<double>(shape.num_heads)) {}

  // Counts one prompt that becomes `sequences` sequences with `outputs` further tokens each. keys:
  // encoder tokens; 0: none.
  void add(int64_t prompt, int64_t outputs, int64_t sequences, int64_t keys) {
    const double all = static_cast<double>(sequences), each = static_cast<double>(outputs),
                 length = static_cast<double>(std::max(prompt + outputs, keys));
    const double key_tiles = std::ceil(length / kKvTile);
    tiles_ += layers_ * heads_ * key_tiles *
              (std::ceil(static_cast<double>(prompt) / kQueryTile) + all * each);
    decodes_ += all * each;
    longest_ = std::max(longest_, each);
    sequences_ += all;
    ++prompts_;
    others_ += all * (each + 4 * length / static_cast<double>(scenario_.engine.block_size));
  }

  double steps() const {
    const double most = std::min(sequences_, static_cast<double>(scenario_.engine.max_num_seqs));
    return prompts_ + std::max(longest_, decodes_ / std::max(1.0, most));
  }
  double count() const { return tiles_ + others_ + steps() * (kOfStep + kOfLayer * layers_); }

 private:
  static constexpr double kQueryTile = 64;              // rows
  static constexpr double kOfStep = 16, kOfLayer = 64;  // for a step, and for each layer in it

  const Scenario& scenario_;
  double layers_, heads_;
  double tiles_ = 0, others_ = 0, decodes_ = 0, longest_ = 0, sequences_ = 0, prompts_ = 0;
};

}  // namespace

int64_t residual_width(const Source& source) {
  const auto* model = dynamic_cast<const Model*>(&source);
  return model ? model->network().width : 0;
}

ResidualRecord::Shape residual_shape(const ScenarioRequest& request, const Source& source,
                                     int64_t prompt_tokens) {
  const SourceShape& shape = source.shape();
  ResidualRecord::Shape kept{.num_layers = shape.num_layers,
                             .first_layer = shape.num_encoder_layers(),
                             .width = residual_width(source),
                             .num_heads = shape.num_heads,
                             .head_size = shape.head_size,
                             .first = request.residual.first,
                             .tokens = 0};
  const int64_t longest =
      std::min(shape.max_model_len, prompt_tokens + request.max_tokens) - kept.first;
  kept.tokens = std::clamp<int64_t>(request.residual.tokens, 0, std::max<int64_t>(0, longest));
  return kept;
}

std::string residual_text(const ResidualRecord::Shape& shape) {
  return fmt::format("{} tokens x ({} sites x {} + {} layers x {} heads x {}) x 4 bytes",
                     shape.tokens, 1 + 2 * shape.kept_layers(), shape.width, shape.kept_layers(),
                     shape.num_heads, shape.head_size);
}

int64_t captured_sequences(const Scenario& scenario) {
  return scenario.engine.max_num_seqs;
}

int64_t captured_blocks(const Scenario& scenario, int64_t longest) {
  const int64_t size = scenario.engine.block_size;
  return std::min(scenario.engine.num_blocks, (longest + size - 1) / size);
}

RunMemory run_memory(const Scenario& scenario, const SourceShape& shape, const KvStorageSpec& cache,
                     std::span<const int64_t> prompt_tokens, const RunKeeps& keeps) {
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
  // Upper limits of rows and keys. A prompt that does not fit adds none.
  const LayerCounts counts = layer_counts(scenario, shape);
  const int64_t places = cache.num_blocks * cache.block_size;
  const int64_t longest =
      counts.own > 0 ? std::min(shape.max_model_len, places) : shape.max_model_len;
  EventCount events(scenario, shape);
  int64_t rows = 0, prompts = 0, encoder_keys = 0, new_encoder_keys = 0, longest_sequence = 0;
  int64_t all_tokens = 0;
  for (size_t i = 0; i < prompt_tokens.size(); ++i) {
    const int64_t prompt = prompt_tokens[i];
    const ScenarioRequest& request = scenario.requests[i];
    all_tokens += prompt + request.encoder_tokens;
    if (prompt > longest || (whole_prompts && prompt > budget)) continue;
    if (counts.cross > 0 && request.encoder_tokens > places) continue;
    prompts += prompt;
    const int64_t sequences = std::max(request.n, request.beam_width);
    const int64_t length = std::min(longest, prompt + request.max_tokens);
    rows += sequences * length;
    longest_sequence = std::max(longest_sequence, length);
    events.add(prompt, length - prompt, sequences, request.encoder_tokens);
    encoder_keys += sequences * request.encoder_tokens;
    new_encoder_keys += request.encoder_tokens;
  }
  need.token_bytes = static_cast<double>(all_tokens) * kBytesPerToken;
  need.token_factors = fmt::format("{} tokens x {} bytes", all_tokens, kBytesPerToken);
  const auto heads = static_cast<double>(shape.num_heads),
             kv_heads = static_cast<double>(shape.num_kv_heads),
             width = static_cast<double>(shape.head_size);
  if (keeps.attention) {
    const double keys =
        static_cast<double>(counts.own) * static_cast<double>(rows) +
        static_cast<double>(counts.cross + counts.encoder) * static_cast<double>(encoder_keys);
    const int64_t decoder_layers = shape.num_layers - counts.encoder;
    need.record_bytes =
        4 * ((static_cast<double>(decoder_layers) * static_cast<double>(rows) +
              static_cast<double>(counts.encoder) * static_cast<double>(encoder_keys)) *
                 heads * (width + 1) +
             2 * keys * kv_heads * width);
    std::vector<std::string> keys_text;
    if (counts.own > 0) keys_text.push_back(fmt::format("{} keys x {} layers", rows, counts.own));
    if (counts.cross > 0)
      keys_text.push_back(fmt::format("{} keys x {} layers", encoder_keys, counts.cross));
    std::string queries_text = fmt::format("{} rows x {} layers", rows, decoder_layers);
    if (counts.encoder > 0) {
      keys_text.push_back(
          fmt::format("{} keys x {} layers of the encoder", encoder_keys, counts.encoder));
      queries_text = fmt::format("({} + {} rows x {} layers of the encoder)", queries_text,
                                 encoder_keys, counts.encoder);
    }
    need.record_factors =
        counts.cross > 0
            ? fmt::format(
                  "({} x {} heads of queries + ({}) x 2 x {} KV heads) x {} (head "
                  "size) x 4 bytes and {} heads x 4 bytes of log-sum-exp per row and layer",
                  queries_text, shape.num_heads, fmt::join(keys_text, " + "), shape.num_kv_heads,
                  shape.head_size, shape.num_heads)
            : fmt::format(
                  "{} rows x {} layers x ({} heads + 2 x {} KV heads) x {} (head size) x 4 bytes "
                  "and {} heads x 4 bytes of log-sum-exp per row and layer",
                  rows, shape.num_layers, shape.num_heads, shape.num_kv_heads, shape.head_size,
                  shape.num_heads);
  }
  const int64_t decodes =
      std::min<int64_t>(scenario.engine.max_num_seqs, static_cast<int64_t>(prompt_tokens.size()));
  const int64_t tokens = std::min(budget, std::max(prompts, decodes));
  // Counts a second copy of the operands for a cache that is not f32.
  const double wide =
      cache.dtype == DType::kF32 ? 4 : 4 + static_cast<double>(size_of(cache.dtype));
  const double step_keys = static_cast<double>(
      std::max(counts.own > 0 ? tokens : 0, counts.cross > 0 ? new_encoder_keys : 0));
  const double step_rows =
      static_cast<double>(std::max(tokens, counts.encoder > 0 ? new_encoder_keys : 0));
  need.step_bytes = (step_rows * heads + step_keys * kv_heads) * 2 * width * wide +
                    static_cast<double>(decodes) * static_cast<double>(shape.vocab_size) * 4;
  add_prefill_memory(scenario, shape, std::min(budget, std::max(rows, tokens)), longest_sequence,
                     need);
  if (scenario.engine.use_captured_plan)
    need.plan_bytes = captured_plan_bytes(scenario, shape, cache.head_size);
  if (keeps.events) {
    const int64_t each = kBytesPerEvent + (keeps.report ? kReportBytesPerEvent : 0);
    need.event_bytes = events.count() * static_cast<double>(each);
    need.event_factors = fmt::format("about {:.0f} events of {:.0f} steps x {} bytes",
                                     events.count(), events.steps(), each);
  }
  need.step_factors = fmt::format("{} tokens and the logits of {} sequences", tokens, decodes);
  return need;
}

RunMemory run_memory(const Scenario& scenario, const Source& source, const RunKeeps& keeps,
                     double weight_bytes, std::span<const GivenTokens> given) {
  std::vector<int64_t> prompts;
  Scenario counted = scenario;  // with the numbers of encoder tokens filled in
  for (ScenarioRequest& request : counted.requests) {
    if (prompts.size() < given.size()) {
      request.encoder_tokens = given[prompts.size()].encoder;
      prompts.push_back(given[prompts.size()].own);
      continue;
    }
    if (!scenario.source.reads_text()) {
      prompts.push_back(request.prompt_tokens);
      continue;
    }
    const RequestTokens tokens = tokens_of_texts(request, source);
    prompts.push_back(std::ssize(tokens.own));
    request.encoder_tokens = std::ssize(tokens.encoder);
  }
  const SourceShape& shape = source.shape();
  RunMemory need = run_memory(counted, shape,
                              storage_spec(scenario, shape, backend_named(scenario.engine.backend)),
                              prompts, keeps);
  std::vector<std::string> kept;
  for (size_t i = 0; i < prompts.size(); ++i) {
    const ScenarioRequest& request = scenario.requests[i];
    const ResidualRecord::Shape wanted = residual_shape(request, source, prompts[i]);
    const int64_t sequences = std::max(request.n, request.beam_width);
    if (wanted.tokens == 0) continue;
    need.residual_bytes += static_cast<double>(sequences) * ResidualRecord::bytes_needed(wanted);
    if (kept.size() < 3)
      kept.push_back((sequences > 1 ? fmt::format("{} x ", sequences) : "") +
                     residual_text(wanted));
    else if (kept.size() == 3)
      kept.emplace_back("...");
  }
  need.residual_factors = fmt::format("{}", fmt::join(kept, " + "));
  need.weight_bytes = weight_bytes;
  return need;
}

void check_run_memory(const RunMemory& need, int64_t available) {
  check_memory(need.cache_spec, KvStorage::bytes_needed(need.cache_spec), available);
  ask_memory(
      {.bytes = need.total(),
       .what = "the run does not fit in memory",
       .where = "requests",
       .found = fmt::format(
           "{}KV cache {}{} + queries, keys and values kept for the views {} ({}) + tokens of the "
           "prompts {} ({}) + operands of a step {} ({}){}{}{}{} = {}",
           need.weight_bytes > 0 ? fmt::format("weights {} + ", bytes_text(need.weight_bytes)) : "",
           bytes_text(need.cache_bytes),
           need.swap_bytes > 0 ? fmt::format(" + swap pool {}", bytes_text(need.swap_bytes)) : "",
           bytes_text(need.record_bytes),
           need.record_factors.empty() ? "none" : need.record_factors, bytes_text(need.token_bytes),
           need.token_factors, bytes_text(need.step_bytes), need.step_factors,
           need.plan_bytes > 0 ? fmt::format(" + captured plans {}", bytes_text(need.plan_bytes))
                               : "",
           need.mask_bytes > 0 ? fmt::format(" + masks and scores {} ({})",
                                             bytes_text(need.mask_bytes), need.mask_factors)
                               : "",
           need.event_bytes > 0
               ? fmt::format(" + events {} ({})", bytes_text(need.event_bytes), need.event_factors)
               : "",
           need.residual_bytes > 0
               ? fmt::format(" + residual streams {} ({})", bytes_text(need.residual_bytes),
                             need.residual_factors)
               : "",
           bytes_text(need.total())),
       .advice = "Use fewer requests, shorter prompts or a smaller max_tokens"},
      available);
}

}  // namespace attn
