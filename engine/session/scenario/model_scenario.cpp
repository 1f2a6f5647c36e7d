// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/scenario/model_scenario.h"

#include <algorithm>
#include <limits>

#include "engine/core/files/json.h"
#include "engine/core/utf8.h"
#include "engine/model/load_model.h"

namespace attn {

Scenario model_scenario(const std::filesystem::path& path) {
  // Whether it fits in memory is checked with the run.
  const ModelCheck check = check_model(path, std::numeric_limits<int64_t>::max());
  check.problems.throw_if_any();
  constexpr size_t kMostTitleBytes = 200;
  Scenario scenario;
  const std::string title = escape_unprintable(check.shape.name);
  scenario.title = title.substr(0, whole_chars(title, kMostTitleBytes));
  scenario.source.model = std::filesystem::absolute(path).string();
  // Somebody else's model: its heads may have a size that the default backend does not take.
  scenario.engine.pad_head_size = true;
  ScenarioRequest request;
  request.prompt = "Once upon a time";
  fit_to_model(scenario, check.shape);
  if (check.shape.type_of_model() == AttentionType::kEncoderOnly) {
    scenario.attention.type = AttentionType::kEncoderOnly;
    request.max_tokens = 1;
  }
  scenario.requests.push_back(std::move(request));
  return scenario;
}

void fit_to_model(Scenario& scenario, const SourceShape& shape) {
  if (shape.type_of_model() == AttentionType::kEncoderDecoder)
    scenario.attention.type = AttentionType::kEncoderDecoder;
  const bool has_bias = std::ranges::any_of(
      shape.calls, [](const AttentionCall& call) { return !call.relative_bias.empty(); });
  if (has_bias) scenario.engine.backend = "unified";
}

}  // namespace attn
