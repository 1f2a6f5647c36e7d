// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a lesson file and collects its mistakes (up to kMostMistakes). No scenario is run;
// check_lesson() does that. Also finds the shipped lessons. Any thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/lesson/format/lesson.h"
#include "engine/lesson/format/mistakes.h"

namespace attn::lesson {

// A lesson beyond one of these limits is refused.
inline constexpr size_t kMostLessonBytes = size_t{1} << 20;
inline constexpr size_t kMostSteps = 40, kMostTasksOfStep = 8, kMostHints = 3;
// Most predictions of a step, which are asked before the run is shown.
inline constexpr size_t kMostPredictions = 4;

struct ParsedLesson {
  std::shared_ptr<const Lesson> lesson;  // null: there are mistakes
  std::vector<Mistake> mistakes;         // by line; at most kMostMistakes
  std::string origin;
  bool ok() const { return lesson != nullptr; }
  // An Error with a sentence for each mistake. There must be at least one.
  Error error() const;
};

// origin: name or path of the file, for messages.
ParsedLesson parse_lesson(std::string_view text, std::string_view origin);
// Throws as InputFile does, and Error(kBadInput) if the file is too large; mistakes in its text are
// in the result.
ParsedLesson read_lesson(const std::filesystem::path& file);

// The shipped lessons, assets/lessons/*.md, sorted by name. A file of the same name in
// assets/lessons/<language>/ takes the place of the English one.
std::vector<std::filesystem::path> shipped_lessons(std::string_view language = "en");
// A shipped lesson by its file's name without .md or by its number ("6"). Otherwise what exists or
// looks like a path is returned as it is, and for other names Error(kBadInput) lists the lessons.
// language: as in shipped_lessons().
std::filesystem::path find_lesson(std::string_view name_or_file, std::string_view language = "en");

}  // namespace attn::lesson
