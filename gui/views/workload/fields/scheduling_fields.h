// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of requests and of the scheduler, as data of which the form makes widgets. GUI thread.
#pragma once

#include <QString>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/scenario/scenario.h"

namespace attn::gui {

// A field: a number, or a choice if there are options.
struct FieldSpec {
  QString name, unit, meaning;
  const char* path = "";  // JSON path
  bool rare = false;      // true: in the section More
  bool whole = true;
  std::function<double(const Scenario&, const ScenarioRequest&)> number = {};
  std::function<void(Scenario&, ScenarioRequest&, double)> set_number = {};
  std::vector<std::pair<QString, std::string>> options = {};
  std::function<std::string(const Scenario&, const ScenarioRequest&)> word = {};
  std::function<void(Scenario&, ScenarioRequest&, const std::string&)> set_word = {};
  // null: the field always matters.
  std::function<bool(const Scenario&, const ScenarioRequest&)> matters = {};
};

std::vector<FieldSpec> request_fields();     // fields of the shown request
std::vector<FieldSpec> scheduling_fields();  // fields of the whole run

// Whether a and b agree in the choices that fill in or remove other fields.
bool same_kind_of_run(const Scenario& a, const Scenario& b);

}  // namespace attn::gui
