// SPDX-License-Identifier: GPL-3.0-or-later
// FieldSpec: a field of the form as data, of which FieldList makes widgets. GUI thread.
#pragma once

#include <QString>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/session/scenario/scenario.h"

namespace attn::gui {

// A field: a number if it has `number`, otherwise a choice. Its functions are called with the
// request of the shown index, or with a default one.
struct FieldSpec {
  QString name, unit, meaning;
  std::string path;   // JSON path
  bool rare = false;  // true: in the section More
  bool whole = true;
  std::optional<double> least = {};  // smaller numbers are not valid
  std::function<double(const Scenario&, const ScenarioRequest&)> number = {};
  std::function<void(Scenario&, ScenarioRequest&, double)> set_number = {};
  std::vector<std::pair<QString, std::string>> options = {};  // label, value
  // The entry after the options and any value that is no option. Its label is empty: none.
  std::pair<QString, std::string> last_option = {};
  // The label of a value that is no option. null: the value is its own label.
  std::function<QString(const std::string&)> label = {};
  std::function<std::string(const Scenario&, const ScenarioRequest&)> word = {};
  std::function<void(Scenario&, ScenarioRequest&, const std::string&)> set_word = {};
  // null: the field always matters.
  std::function<bool(const Scenario&, const ScenarioRequest&)> matters = {};
};

// The part of a scenario that has the members of `Owner`.
template <class Owner, class AnyScenario, class AnyRequest>
auto& owner_in(AnyScenario& scenario, AnyRequest& request) {
  if constexpr (std::is_same_v<Owner, ScenarioEngine>)
    return scenario.engine;
  else if constexpr (std::is_same_v<Owner, SamplingParams>)
    return request.sampling;
  else
    return request;
}

// A field for a number that is a member of the request, of its sampling or of the engine.
template <class Owner, class Value>
FieldSpec number_field(const QString& name, const QString& unit, const QString& meaning,
                       const char* path, Value Owner::*member) {
  FieldSpec spec{.name = name,
                 .unit = unit,
                 .meaning = meaning,
                 .path = path,
                 .whole = std::is_integral_v<Value>};
  spec.number = [member](const Scenario& s, const ScenarioRequest& r) {
    return static_cast<double>(owner_in<Owner>(s, r).*member);
  };
  spec.set_number = [member](Scenario& s, ScenarioRequest& r, double v) {
    owner_in<Owner>(s, r).*member = static_cast<Value>(v);
  };
  return spec;
}

// The same field in the section More.
inline FieldSpec rare(FieldSpec spec) {
  spec.rare = true;
  return spec;
}

// FieldSpec::matters of several fields: the layers are not those of an encoder alone.
inline bool decodes(const Scenario& scenario, const ScenarioRequest&) {
  return scenario.attention.type != AttentionType::kEncoderOnly;
}

}  // namespace attn::gui
