// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/check_start.h"

#include <fmt/ranges.h>

#include <limits>

#include "engine/core/error.h"
#include "engine/model/load_model.h"
#include "engine/model/synthetic/tensor_source.h"
#include "engine/session/run/layer_configs.h"

namespace attn {
namespace {

void check_model_folder(const Scenario& scenario) {
  const ModelCheck model = check_model(model_folder(scenario), std::numeric_limits<int64_t>::max());
  model.problems.throw_if_any();
  const AttentionBackend& backend = backend_named(scenario.engine.backend);
  const std::vector<std::string> reasons =
      not_supported_reasons(backend, layer_configs(scenario, model.shape));
  if (!reasons.empty())
    throw Error(ErrorCode::kNotSupported, {.what = "the backend cannot run this model",
                                           .where = place_in(scenario, "$.engine.backend"),
                                           .found = scenario.engine.backend,
                                           .allowed = "",
                                           .advice = fmt::format("{}", fmt::join(reasons, " "))});
}

}  // namespace

void check_start(const Scenario& scenario) {
  validate(scenario);
  if (scenario.source.tensors)
    read_tensor_shapes(*scenario.source.tensors,
                       std::filesystem::path(scenario.origin.file).parent_path(),
                       place_in(scenario, "$.source.tensors"),
                       scenario.attention.type == AttentionType::kEncoderDecoder);
  if (scenario.source.reads_text()) check_model_folder(scenario);
}

}  // namespace attn
