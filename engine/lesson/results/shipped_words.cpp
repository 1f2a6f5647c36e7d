// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/results/shipped_words.h"

#include <exception>
#include <sstream>

#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/parse_lesson.h"

namespace attn::lesson {
namespace {

std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

// The numbers in a question are those of a run, which is not computed here, so each is left open.
std::string question_words(const Text& question) {
  std::string text;
  size_t at = 0;
  for (const Text::Insertion& insertion : question.insertions) {
    text += question.markdown.substr(at, insertion.begin - at) + "…";
    at = insertion.end;
  }
  text += question.markdown.substr(at);
  return on_one_line(markdown_to_plain(text));
}

}  // namespace

const Lesson* ShippedLessons::find(const std::string& id) {
  const auto [at, is_new] = read_.try_emplace(id);
  if (!is_new) return at->second.get();
  try {
    for (const std::filesystem::path& file : shipped_lessons(language_))
      if (file.stem().string().ends_with('-' + id)) {
        const ParsedLesson parsed = read_lesson(file);
        if (parsed.lesson && parsed.lesson->about.id == id) at->second = parsed.lesson;
      }
  } catch (const std::exception&) {
    // Shipped data may be missing. The table then has the names of lessons and tasks.
  }
  return at->second.get();
}

const Task* find_task(const Lesson& lesson, std::string_view name) {
  for (const Step& step : lesson.steps)
    for (const Task& task : step.tasks)
      if (task.name == name) return &task;
  return nullptr;
}

void name_tasks(ClassTable& table, ShippedLessons& lessons) {
  for (ClassTable::Task& row : table.tasks) {
    const Lesson* lesson = lessons.find(row.lesson);
    const Task* task = lesson ? find_task(*lesson, row.task) : nullptr;
    row.title = lesson ? lesson->about.title : row.lesson;
    row.question = task ? question_words(task->question) : row.task;
  }
}

}  // namespace attn::lesson
