// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/model_change.h"

#include "engine/core/memory.h"
#include "engine/model/load_model.h"
#include "engine/session/scenario/model_scenario.h"
#include "engine/session/scenario/prompts/example_prompt.h"
#include "gui/views/workload/fields/attention_fields.h"

namespace attn::gui {

ModelOfForm model_of(const Scenario& scenario) {
  ModelOfForm model;
  try {
    const std::filesystem::path path = model_folder(scenario);
    model.shape = check_model(path, available_memory_bytes()).shape;
    model.example = example_prompt(path, model.shape);
  } catch (const std::exception&) {
  }
  return model;
}

void follow_model(Scenario& scenario, const SourceShape& shape) {
  set_attention_type(scenario, shape.type_of_model());
  fit_to_model(scenario, shape);
}

ModelChange read_model_change(const Scenario& scenario, const std::string& model) {
  Scenario changed = scenario;
  changed.source.model = model;
  return {model, model_of(scenario).example, model_of(changed)};
}

void change_model(Scenario& scenario, const ModelChange& change) {
  if (!scenario.source.reads_text()) return;
  scenario.source.model = change.model;
  for (ScenarioRequest& request : scenario.requests)
    if (request.prompt == change.example) request.prompt = change.now.example;  // nobody typed it
  follow_model(scenario, change.now.shape);
}

std::string shipped_model_at(const std::filesystem::path& path) {
  try {
    for (const std::string& name : shipped_models())
      if (std::filesystem::absolute(find_model(name)).lexically_normal() == path.lexically_normal())
        return name;
  } catch (const std::exception&) {
    // Shipped models may be missing.
  }
  return {};
}

}  // namespace attn::gui
