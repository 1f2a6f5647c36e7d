// SPDX-License-Identifier: GPL-3.0-or-later
// ModelChange: another model for a scenario, with what the scenario takes from its files. Reading
// them takes time, so it may be done in another thread. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn::gui {

// What cannot be read of a model keeps its default.
struct ModelOfForm {
  SourceShape shape;
  std::string example = "Once upon a time";  // a prompt to begin with
};
ModelOfForm model_of(const Scenario& scenario);
// Adapts the scenario, whose model has this shape.
void follow_model(Scenario& scenario, const SourceShape& shape);

struct ModelChange {
  std::string model;    // a name or a path
  std::string example;  // the example prompt of the model before
  ModelOfForm now;
};
ModelChange read_model_change(const Scenario& scenario, const std::string& model);
// Puts the model into a scenario whose source is a model, and fits the scenario to it. A prompt
// that is the example of the model before becomes that of the new one.
void change_model(Scenario& scenario, const ModelChange& change);

// The name of the model that comes with the program and is at this absolute path; empty: none is.
std::string shipped_model_at(const std::filesystem::path& path);

}  // namespace attn::gui
