// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a scenario for a model that was opened without one, and fits scenarios to models. Any
// thread.
#pragma once

#include <filesystem>

#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

// A scenario with one request, the example prompt of the model. It names the model by its absolute
// path. The weights are not read. Throws Error if the model's files are refused.
Scenario model_scenario(const std::filesystem::path& path);

// Adapts the scenario to the model's layers: sets the attention type if the model is not a decoder,
// max_tokens 1 for an encoder, and the backend `unified` if a layer has a relative position bias.
void fit_to_model(Scenario& scenario, const SourceShape& shape);

}  // namespace attn
