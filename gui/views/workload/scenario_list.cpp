// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/scenario_list.h"

#include <exception>
#include <map>

#include "engine/session/scenario/scenario.h"

namespace attn::gui {

QString words_of_scenario(const QString& name) {
  QString words = name;
  words.replace(QLatin1Char('-'), QLatin1Char(' '));
  if (!words.isEmpty()) words[0] = words[0].toUpper();
  return words;
}

const AboutScenario& about_scenario(const QString& name) {
  static std::map<QString, AboutScenario> read;
  const auto found = read.find(name);
  if (found != read.end()) return found->second;
  AboutScenario& about = read[name];
  try {
    const Scenario scenario = load_scenario(find_scenario(name.toStdString()));
    about = {QString::fromStdString(scenario.title), QString::fromStdString(scenario.description)};
  } catch (const std::exception&) {
    // Opening the scenario says what is wrong with it.
  }
  return about;
}

}  // namespace attn::gui
