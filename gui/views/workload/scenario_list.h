// SPDX-License-Identifier: GPL-3.0-or-later
// The names of scenarios and of their groups in the window, and the title and description from a
// scenario's file. GUI thread; no Widgets.
#pragma once

#include <QString>
#include <string>

namespace attn::gui {

// What lists and menus call the scenario: the title in its file, translated; without a title the
// name of the file.
QString words_of_scenario(const QString& name);
// The title of a group of scenario_groups(), translated.
QString words_of_group(const std::string& title);

struct AboutScenario {
  QString title, description;  // in the window's language, if they are translated
};
// From the file of the scenario; empty if it cannot be read. A file is read once.
const AboutScenario& about_scenario(const QString& name);

}  // namespace attn::gui
