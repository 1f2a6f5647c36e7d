// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped scenarios as the window names them, with what their files say. GUI thread; no
// Widgets.
#pragma once

#include <QString>
#include <string>

namespace attn::gui {

// "First look" for "first-look", translated.
QString words_of_scenario(const QString& name);
// The title of a group of scenario_groups(), translated.
QString words_of_group(const std::string& title);

struct AboutScenario {
  QString title, description;  // in the window's language
};
// What the file of a scenario says; empty if it cannot be read. A file is read once.
const AboutScenario& about_scenario(const QString& name);

}  // namespace attn::gui
