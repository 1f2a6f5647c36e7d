// SPDX-License-Identifier: GPL-3.0-or-later
// The words that the engine puts into a lesson, its hand-out and its page, such as units and
// places, in the language of the lesson. Any thread.
#pragma once

#include <map>
#include <string_view>

namespace attn::lesson {

using LessonWords = std::map<std::string_view, std::string_view>;
// English words and their translations. Empty for English and for languages without a table.
const LessonWords& words_of_language(std::string_view language);
std::string_view in_language(std::string_view english, std::string_view language);

}  // namespace attn::lesson
