// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/llama.h"
#include "engine/model/synthetic.h"
#include "engine/session/engine.h"

namespace attn {

std::shared_ptr<Source> load_source(const Scenario& scenario, const LoadProgress& progress) {
  if (scenario.source.synthetic)
    return make_synthetic_source(*scenario.source.synthetic, scenario.seed);
  const std::filesystem::path folder = find_model(scenario.source.model);
  return LlamaModel::load(folder, [&](double fraction) {
    return !progress || progress(fraction, "loading " + folder.filename().string());
  });
}

}  // namespace attn
