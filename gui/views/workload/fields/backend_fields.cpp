// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fields/backend_fields.h"

#include <algorithm>

#include "engine/attention/backend.h"
#include "gui/models/text.h"
#include "gui/views/workload/fields/backend_answers.h"

namespace attn::gui {
namespace {

FieldSpec switch_field(const QString& name, const QString& meaning, const char* path,
                       const QString& off, const QString& on, bool ScenarioEngine::*member) {
  FieldSpec spec{.name = name, .unit = {}, .meaning = meaning, .path = path};
  spec.options = {{off, "off"}, {on, "on"}};
  spec.word = [member](const Scenario& s, const ScenarioRequest&) {
    return std::string(s.engine.*member ? "on" : "off");
  };
  spec.set_word = [member](Scenario& s, ScenarioRequest&, const std::string& v) {
    s.engine.*member = v == "on";
  };
  return spec;
}

bool has_option(std::string_view backend, std::string_view option) {
  for (const AttentionBackend* one : registered_backends())
    if (one->name() == backend)
      return std::ranges::any_of(one->options(),
                                 [&](const BackendOption& own) { return own.name == option; });
  return false;
}

void add_option_fields(std::vector<FieldSpec>& specs, BackendOption::About about) {
  for (const BackendOption& option : backend_options()) {
    if (option.about != about) continue;
    FieldSpec spec{.name = text_of(option.title),
                   .unit = {},
                   .meaning = text_of(option.meaning),
                   .path = "$.engine." + option.name};
    for (const std::string& value : option.values) spec.options.emplace_back(text_of(value), value);
    spec.word = [option](const Scenario& s, const ScenarioRequest&) {
      return std::string(value_of(s.engine.backend_options, option));
    };
    spec.set_word = [option](Scenario& s, ScenarioRequest&, const std::string& v) {
      choose(s.engine.backend_options, option, v);
    };
    if (about == BackendOption::About::kDevice)
      spec.matters = [name = option.name](const Scenario& s, const ScenarioRequest&) {
        return has_option(s.engine.backend, name);
      };
    specs.push_back(std::move(spec));
  }
}

}  // namespace

std::vector<FieldSpec> backend_fields() {
  const QStringList extended{
      tr("On: the backends that are modelled on an original may do what only the original "
         "refuses."),
      words_on_extended()};
  std::vector<FieldSpec> specs{switch_field(tr("Extended"), extended.join(u' '),
                                            "$.engine.extended", tr("off"), tr("on"),
                                            &ScenarioEngine::extended)};
  add_option_fields(specs, BackendOption::About::kKernel);
  specs.push_back(switch_field(
      tr("Head padding"),
      tr("Where the backend does not support the head size: pads the heads with zeros to the next "
         "size that it supports (pad_head_size). The KV cache becomes larger."),
      "$.engine.pad_head_size", tr("off"), tr("zeros"), &ScenarioEngine::pad_head_size));
  specs.push_back(switch_field(
      tr("Decode plans"),
      tr("Captured: a decode step writes its lengths, slots and block tables into a plan that was "
         "made before, if one fits."),
      "$.engine.use_captured_plan", tr("computed each step"), tr("captured"),
      &ScenarioEngine::use_captured_plan));
  add_option_fields(specs, BackendOption::About::kDevice);
  return specs;
}

}  // namespace attn::gui
