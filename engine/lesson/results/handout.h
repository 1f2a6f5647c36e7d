// SPDX-License-Identifier: GPL-3.0-or-later
// What a teacher prints or takes along: a hand-out of a lesson, the teacher's copy with the key,
// questions for Moodle, and the skeleton of a new lesson. Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/lesson/run/answer_key.h"

namespace attn::lesson {

struct HandoutOptions {
  bool with_key = false;  // the teacher's copy
  // The picture of a step's start state, as the `src` of an img element; empty: none.
  std::function<std::string(size_t step)> picture = {};
};
std::string handout_html(const AnswerKey& key, const HandoutOptions& options = {});

// The name of the lesson for the foot of a printed page: "Lesson 9: Pages: the block table". The
// number is from the file's name; without one it is the title alone.
std::string heading_of(const Lesson& lesson);

// The question of a task for print. A question for a click that has no text for paper gets a
// sentence on what to do.
std::string printed_question(const Lesson& lesson, const Task& task, const FrozenRun& run);

// The number and choice questions in Moodle's GIFT format. notes: gets sentences for the teacher,
// such as what was left out.
std::string gift_text(const AnswerKey& key, std::vector<std::string>* notes = nullptr);

// A lesson to begin from. language: "en" or "de".
std::string skeleton(std::string_view id, std::string_view title, std::string_view language = "en");

}  // namespace attn::lesson
