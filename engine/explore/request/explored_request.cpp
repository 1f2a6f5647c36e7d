// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/request/explored_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/explore/logit_lens.h"

namespace attn {
namespace {

std::vector<int32_t> ids_of(const std::vector<TokenView>& tokens, int64_t count) {
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < std::min(count, std::ssize(tokens)); ++i)
    ids.push_back(tokens[static_cast<size_t>(i)].id);
  return ids;
}

EngineOptions::GivenPrompt prompt_of(const RequestView& request, int64_t tokens) {
  EngineOptions::GivenPrompt prompt{ids_of(*request.tokens, tokens), {}};
  if (request.encoder_tokens)
    prompt.encoder_ids = ids_of(*request.encoder_tokens, std::ssize(*request.encoder_tokens));
  return prompt;
}

Scenario settings_of(const Scenario& run) {
  Scenario alone = run;
  ScenarioEngine& engine = alone.engine;
  engine.policy = SchedulingPolicy::kPrefillFirst;
  engine.preemption = PreemptionMode::kRecompute;
  engine.num_swap_blocks = 0;
  engine.enable_prefix_caching = false;
  engine.watermark = 0;
  engine.use_captured_plan = false;
  engine.clock = ClockKind::kReal;
  alone.arrivals = {};
  alone.requests.clear();
  return alone;
}

ScenarioRequest request_alone(const RequestView& request) {
  ScenarioRequest alone;
  alone.name = request.name;
  alone.prompt = "-";  // the tokens are given
  if (request.encoder_tokens) alone.encoder_tokens = std::ssize(*request.encoder_tokens);
  alone.max_tokens = 1;
  return alone;
}

std::optional<ExploredRun> kept_by_run(const RequestView& request, int64_t rows,
                                       std::shared_ptr<Source> source, const Execution& execution) {
  if (!request.residual || !request.attention || request.residual->shape().first > 0 ||
      request.residual->num_rows() < rows)
    return std::nullopt;
  ExploredRun kept;
  kept.source = std::move(source);
  kept.tokens = ids_of(*request.tokens, rows);
  kept.residual = request.residual;
  kept.attention = request.attention;
  if (!own_logits(kept.model(), *kept.residual, rows - 1, 1, kept.logits, execution))
    return std::nullopt;
  return kept;
}

}  // namespace

int64_t rows_inside(const RequestView& request) {
  const int64_t tokens = request.tokens ? std::ssize(*request.tokens) : 0;
  return tokens > request.prompt_len ? tokens - 1 : tokens;
}

double inside_bytes(const EngineSnapshot& run, int64_t rows) {
  if (run.residual_width == 0) return 0;
  return ResidualRecord::bytes_needed({.num_layers = run.source.num_layers,
                                       .first_layer = run.source.num_encoder_layers(),
                                       .width = run.residual_width,
                                       .num_heads = run.source.num_heads,
                                       .head_size = run.source.head_size,
                                       .first = 0,
                                       .tokens = rows});
}

std::optional<ExploredRun> explore_request(const EngineSnapshot& run, const RequestView& request,
                                           std::shared_ptr<Source> source,
                                           const Execution& execution) {
  const int64_t rows = rows_inside(request);
  if (auto kept = kept_by_run(request, rows, source, execution)) return kept;
  if (execution.gate && execution.gate->cancelled()) return std::nullopt;
  // A mean is taken over the prompt. So the answer must not be part of the prompt and is drawn
  // again.
  const bool draws_again = has_mean(request) && rows > request.prompt_len;
  if (draws_again && request.beam_width > 1)
    throw Error(ErrorCode::kNotSupported,
                {"the tokens of a beam cannot be computed again where a head is at its mean",
                 request.name, "", "a request without beam search", ""});
  std::optional<ExploredRun> result =
      explore_tokens(run, request, draws_again ? request.prompt_len : rows,
                     draws_again ? rows + 1 - request.prompt_len : 1, std::move(source), execution);
  if (!result) return std::nullopt;
  if (result->tokens != ids_of(*request.tokens, rows))
    throw Error(ErrorCode::kFailed,
                {"computing the request again gave other tokens", request.name, "", "", ""});
  const int64_t vocab = result->logits.dim(1);
  if (const int64_t all = result->logits.dim(0); all > 1) {
    Tensor last(DType::kF32, {1, vocab});
    std::copy_n(result->logits.data<float>() + (all - 1) * vocab, vocab, last.data<float>());
    result->logits = std::move(last);
  }
  return result;
}

std::optional<ExploredRun> explore_tokens(const EngineSnapshot& run, const RequestView& request,
                                          int64_t tokens, int64_t max_tokens,
                                          std::shared_ptr<Source> source,
                                          const Execution& execution) {
  Scenario scenario = settings_of(*run.scenario);
  scenario.requests.push_back(request_alone(request));
  std::vector<EngineOptions::GivenPrompt> prompts{prompt_of(request, tokens)};
  ScenarioRequest first = scenario.requests.front();
  first.max_tokens = max_tokens;
  first.sampling = request.sampling;
  first.interventions = request.interventions;
  for (Intervention& what : first.interventions) {
    if (what.with != Replacement::kRequest) continue;
    const RequestView* other = request_by_id(run, what.request);
    if (!other)
      throw_bad_input({"the request from which an intervention takes its values is not there yet",
                       request.name, fmt::format("request {}", what.request), "", ""});
    what.request = std::ssize(scenario.requests);
    scenario.requests.push_back(request_alone(*other));
    prompts.push_back(prompt_of(*other, other->prompt_len));
  }
  scenario.requests.front() = std::move(first);
  return explore(std::move(scenario), std::move(source), std::move(prompts), execution.gate);
}

bool has_mean(const RequestView& request) {
  return std::ranges::any_of(request.interventions, [](const Intervention& what) {
    return what.kind == InterventionKind::kHead && what.with == Replacement::kMean;
  });
}

}  // namespace attn
