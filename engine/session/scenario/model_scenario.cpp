// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/model_scenario.h"

#include <algorithm>
#include <limits>

#include "engine/core/files/json.h"
#include "engine/core/utf8.h"
#include "engine/model/load_model.h"
#include "engine/session/scenario/prompts/example_prompt.h"

namespace attn {

Scenario model_scenario(const std::filesystem::path& path) {
  // Memory is checked when a run starts.
  const ModelCheck check = check_model(path, std::numeric_limits<int64_t>::max());
  check.problems.throw_if_any();
  constexpr size_t kMostTitleBytes = 200;
  Scenario scenario;
  const std::string title = escape_unprintable(check.shape.name);
  scenario.title = title.substr(0, whole_chars(title, kMostTitleBytes));
  scenario.source.model = std::filesystem::absolute(path).string();
  // The heads may have a size that the default backend does not take.
  scenario.engine.pad_head_size = true;
  ScenarioRequest request;
  request.prompt = example_prompt(path, check.shape);
  scenario.requests.push_back(std::move(request));
  fit_to_model(scenario, check.shape);
  return scenario;
}

void fit_to_model(Scenario& scenario, const SourceShape& shape) {
  if (shape.type_of_model() != AttentionType::kDecoder)
    scenario.attention.type = shape.type_of_model();
  if (shape.type_of_model() == AttentionType::kEncoderOnly)
    for (ScenarioRequest& request : scenario.requests) request.max_tokens = 1;
  const bool has_bias = std::ranges::any_of(
      shape.calls, [](const AttentionCall& call) { return !call.relative_bias.empty(); });
  if (has_bias) scenario.engine.backend = "unified";
}

}  // namespace attn
