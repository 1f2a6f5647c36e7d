// SPDX-License-Identifier: GPL-3.0-or-later
// Controls: the values of a scenario that a lesson may let the learner change; the table is in
// controls.cpp. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/scenario/scenario.h"

namespace attn::lesson {

enum class ControlKind {
  kInteger,
  kNumber,
  kChoice,  // one of Control::choices
  kSwitch,  // "true" or "false"
  kText,
};

struct Control {
  std::string name;   // "block_size"
  std::string label;  // "Tokens per block"
  std::string path;   // JSON pointer, "/engine/block_size"
  ControlKind kind = ControlKind::kInteger;
  // kInteger, kNumber: the range. kText: bytes.
  double min = 0, max = 0;
  std::string unit;                  // "tokens"; may be empty
  std::vector<std::string> choices;  // kChoice; empty: any text
};

struct Setting {
  std::string control;  // name of a Control
  std::string value;    // as in a file, texts without quotes: "4", "true", "swap"
  bool operator==(const Setting&) const = default;
};

const std::vector<Control>& all_controls();
const Control* find_control(std::string_view name);  // null: there is none
// Whether the scenario has the value that the control changes. For example, only a model has a
// prompt.
bool has_control(const Control& control, const Scenario& scenario);
// The control's value in the scenario, as in Setting. Throws Error(kBadInput) where the canonical
// scenario has no such key.
std::string value_of(const Control& control, const Scenario& scenario);
// Throws Error(kBadInput) for a control that the scenario does not have, for a value that the
// control does not take, and as parse_scenario() does.
Scenario with_settings(const Scenario& scenario, const std::vector<Setting>& settings);

}  // namespace attn::lesson
