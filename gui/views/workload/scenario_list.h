// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped scenarios as the lists of the window name them, with what their files say about them.
// GUI thread; no Widgets.
#pragma once

#include <QString>
#include <string>

namespace attn::gui {

// "First look" for "first-look": the words of README.md and of the documents, translated.
QString words_of_scenario(const QString& name);
// The title of a group of scenario_groups(), translated.
QString words_of_group(const std::string& title);

struct AboutScenario {
  QString title, description;  // in the language of the window
};
// What the file of a shipped scenario says; empty where it cannot be read. A file is read once.
const AboutScenario& about_scenario(const QString& name);

}  // namespace attn::gui
