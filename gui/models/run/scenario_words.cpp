// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/run/scenario_words.h"

#include "engine/session/scenario/scenario.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

// gui/translations/update.py finds the texts in assets/scenarios.
QString translated(const std::string& text) {
  return text.empty() ? QString() : tr(text.c_str());
}

}  // namespace

QString title_of(const Scenario& scenario) {
  return translated(scenario.title);
}

QString description_of(const Scenario& scenario) {
  return translated(scenario.description);
}

}  // namespace attn::gui
