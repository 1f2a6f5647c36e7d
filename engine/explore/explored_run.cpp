// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/explored_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"

namespace attn {

std::optional<ExploredRun> explore(Scenario scenario, std::shared_ptr<Source> source,
                                   std::vector<EngineOptions::GivenPrompt> prompts, RunGate* gate) {
  if (!dynamic_cast<Model*>(source.get()))
    throw_bad_input(
        {"only a model can be explored", "source", source->shape().name, "a model folder", ""});
  const SourceShape& shape = source->shape();
  const bool has_interventions = !scenario.requests.front().interventions.empty();
  int64_t longest = 0, all_blocks = 0;
  for (size_t i = 0; i < scenario.requests.size(); ++i) {
    ScenarioRequest& request = scenario.requests[i];
    const auto tokens = static_cast<int64_t>(
        i < prompts.size() ? prompts[i].ids.size() : source->encode(request.prompt).size());
    if (i > 0) request.max_tokens = 1;
    const int64_t end = std::min(shape.max_model_len, tokens + request.max_tokens);
    const auto encoder =
        static_cast<int64_t>(i < prompts.size() ? prompts[i].encoder_ids.size() : 0);
    longest = std::max({longest, end, encoder});
    for (const int64_t of_table : {end, encoder})
      if (of_table > 0) all_blocks += of_table / scenario.engine.block_size + 1;
    request.residual = i == 0 ? ResidualWindow{0, end} : ResidualWindow{};
  }
  scenario.engine.num_blocks = std::max(scenario.engine.num_blocks, all_blocks + 1);
  scenario.engine.max_num_batched_tokens =
      std::max(scenario.engine.max_num_batched_tokens, longest);
  std::vector<float> rows;
  EngineOptions options;
  options.gate = gate;
  options.prompts = std::move(prompts);
  options.on_logits = [&](const Tensor& logits, const std::vector<uint32_t>& requests) {
    const int64_t vocab = logits.dim(1);
    for (size_t i = 0; i < requests.size(); ++i) {
      const float* row = logits.data<float>() + static_cast<int64_t>(i) * vocab;
      if (requests[i] == 0) rows.insert(rows.end(), row, row + vocab);
    }
  };
  Engine engine(std::move(scenario), source, std::move(options));
  engine.run_to_end();
  if (engine.has_work()) return std::nullopt;
  const Request& request = *engine.scheduler().find(0);
  if (request.state == RequestState::kFinishedIgnored)
    throw_bad_input({"the prompt cannot run", "prompt", request.ignored_reason, "", ""});
  engine.require_effect();
  ExploredRun run;
  run.source = std::move(source);
  run.tokens = request.token_ids();
  run.generated = request.output_ids;
  if (!run.generated.empty()) run.tokens.pop_back();  // sampled, but not computed
  run.logits =
      Tensor(DType::kF32, {static_cast<int64_t>(rows.size()) / shape.vocab_size, shape.vocab_size});
  std::ranges::copy(rows, run.logits.data<float>());
  run.residual = engine.residual(0);
  run.attention = engine.attention(0);
  if (has_interventions)
    run.changed_numbers = engine.snapshot(EnginePhase::kFinished).requests.front().changed_numbers;
  return run;
}

void require_sum(const Model& model, const char* what) {
  const std::string& reason = model.network().not_a_sum;
  if (!reason.empty())
    throw Error::not_supported(
        {fmt::format("{} is not defined for the model {}. {}", what, model.shape().name, reason)});
}

}  // namespace attn
