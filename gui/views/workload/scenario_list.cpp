// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/scenario_list.h"

#include <QCoreApplication>
#include <exception>
#include <map>

#include "engine/session/scenario/scenario.h"
#include "gui/models/words/scenario_words.h"

namespace attn::gui {
namespace {

// The titles of scenario_groups(), marked for translation.
[[maybe_unused]] constexpr const char* kGroups[] = {
    QT_TRANSLATE_NOOP("ScenarioGroups", "First steps"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Cache"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Scheduler"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Masks and biases"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Kinds of attention"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Backend: Torch SDPA"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Backend: xFormers"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Backend: Pallas"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "Backend: unified"),
    QT_TRANSLATE_NOOP("ScenarioGroups", "More")};

}  // namespace

QString words_of_scenario(const QString& name) {
  const QString& title = about_scenario(name).title;
  return title.isEmpty() ? name : title;
}

QString words_of_group(const std::string& title) {
  return QCoreApplication::translate("ScenarioGroups", title.c_str());
}

const AboutScenario& about_scenario(const QString& name) {
  static std::map<QString, AboutScenario> read;
  const auto found = read.find(name);
  if (found != read.end()) return found->second;
  AboutScenario& about = read[name];
  try {
    const Scenario scenario = load_scenario(find_scenario(name.toStdString()));
    about = {title_of(scenario), description_of(scenario)};
  } catch (const std::exception&) {
    // `about` stays empty.
  }
  return about;
}

}  // namespace attn::gui
