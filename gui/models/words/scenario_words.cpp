// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/words/scenario_words.h"

#include "engine/session/scenario/scenario.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

// gui/translations/update.py finds the texts in assets/scenarios.
QString translated(const std::string& text) {
  return text.empty() ? QString() : tr(text.c_str());
}

// Decided by the description, because the title of any scenario may also be a word of the window.
bool is_translated(const Scenario& scenario) {
  return translated(scenario.description) != QString::fromStdString(scenario.description);
}

QString in_language(const Scenario& scenario, const std::string& text) {
  return is_translated(scenario) ? translated(text) : QString::fromStdString(text);
}

}  // namespace

QString title_of(const Scenario& scenario) {
  return in_language(scenario, scenario.title);
}

QString description_of(const Scenario& scenario) {
  return in_language(scenario, scenario.description);
}

}  // namespace attn::gui
