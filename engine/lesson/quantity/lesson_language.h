// SPDX-License-Identifier: GPL-3.0-or-later
// The words that the engine itself puts into a lesson, such as units and places, in the language of
// the lesson. A new language is one more table. Any thread.
#pragma once

#include <map>
#include <string_view>

namespace attn::lesson {

using LessonWords = std::map<std::string_view, std::string_view>;
// English words and what they are called in the language; empty for English and for languages
// without a table.
const LessonWords& words_of_language(std::string_view language);
// The word or sentence itself where the language has none.
std::string_view in_language(std::string_view english, std::string_view language);

}  // namespace attn::lesson
