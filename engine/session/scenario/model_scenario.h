// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario for a model that was opened by itself: its folder or its GGUF file. Any thread.
#pragma once

#include <filesystem>

#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

// One request with the example prompt of the model, and the model by its absolute path. The model
// is checked, its weights are not read. Throws Error as load_model() where it cannot be loaded.
Scenario model_scenario(const std::filesystem::path& path);

// Sets what the scenario of a model must say because of its layers: the attention type of an
// encoder, which writes no text, and of a model with an encoder and a decoder, and a backend that
// has a relative bias where the model has one.
void fit_to_model(Scenario& scenario, const SourceShape& shape);

}  // namespace attn
