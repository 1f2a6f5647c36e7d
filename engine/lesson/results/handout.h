// SPDX-License-Identifier: GPL-3.0-or-later
// What a teacher prints or takes along: a hand-out of a lesson with empty boxes, the teacher's copy
// with the key, the questions for Moodle, and the skeleton of a new lesson. Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

struct HandoutOptions {
  bool with_key = false;  // the teacher's copy
  // The picture of the start state of a step, as the `src` of an img element; empty: none. The
  // window draws it, the command line has none.
  std::function<std::string(size_t step)> picture = {};
};
// One HTML page without scripts, for print.
std::string handout_html(const AnswerKey& key, const HandoutOptions& options = {});

// What stands on each page, so that a page that lies alone says where it belongs: "Lesson 9: Pages:
// the block table". The number is that at the beginning of the file's name; without a number the
// heading is the title alone.
std::string heading_of(const Lesson& lesson);

// The question of a task in the words for print. One that asks for a click and has no such words
// gets a sentence that says what to do on paper.
std::string printed_question(const Lesson& lesson, const Task& task, const FrozenRun& run);

// The questions that Moodle can ask (numbers and choices), in its GIFT format. notes: gets
// sentences for the teacher, such as what was left out.
std::string gift_text(const AnswerKey& key, std::vector<std::string>* notes = nullptr);

// A lesson that passes check_lesson(), to begin from. language: of what it says, "en" or "de".
std::string skeleton(std::string_view id, std::string_view title, std::string_view language = "en");

}  // namespace attn::lesson
