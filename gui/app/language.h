// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the program's own words and of its lessons: English, which stands in the source,
// or German, from gui/translations. It is chosen once, at the start; numbers look the same in both.
#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

class QApplication;

namespace attn::gui {

// What --language and the setting take: "en", "de".
const std::vector<std::string>& language_words();

// The language of the window: `asked` (a word of --language), else the one that the user has chosen
// in the menu, else German where it is the first language of the system, else English.
// use_settings: whether the user's choice is read. GUI thread.
QString chosen_language(std::string_view asked, bool use_settings);

// The user's choice, a word of --language; empty: as the system. It counts from the next start on.
QString stored_language();
void store_language(const QString& word);

// After QApplication is made and before the first text is shown. If the program was built without
// the German texts, "de" only changes the lessons and Qt's own dialogs.
void use_language(QApplication& app, const QString& word);

// A word of --language; "en" unless use_language() has said otherwise. Any thread.
QString program_language();

}  // namespace attn::gui
