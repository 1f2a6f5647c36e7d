// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the program's words and of its lessons: English or German (gui/translations).
#pragma once

#include <QString>
#include <string>
#include <string_view>
#include <vector>

class QApplication;

namespace attn::gui {

const std::vector<std::string>& language_words();

// The language to use: `asked` if it is not empty, else the user's stored choice if use_settings,
// else German if that is the first language of the system, else English. GUI thread.
QString chosen_language(std::string_view asked, bool use_settings);

// The user's stored choice, a word of --language; empty: none that is known.
QString stored_language();
void store_language(const QString& word);

// Call after QApplication is made and before the first text is shown.
void use_language(QApplication& app, const QString& word);

// The language of use_language() as a word of --language; "en" before that call. Any thread.
QString program_language();

}  // namespace attn::gui
