// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `lesson`: a lesson file or, if the bytes are no lesson, a file of results. No
// scenario is run; the target `scenario` does that.
#include <cmath>
#include <stdexcept>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/lesson/format/controls.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/lesson/results/handout.h"
#include "engine/lesson/results/result.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

using namespace lesson;

bool read_results(std::string_view bytes) {
  try {
    const std::vector<ResultRecord> records = parse_results(bytes, "results.csv");
    if (parse_results(results_csv(records), "results.csv") != records)
      throw std::logic_error("results change when they are written again");
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Applies the settings that reach a goal, and reads them again.
void use_goal(const Goal& goal, const Scenario& scenario) {
  try {
    const Scenario changed = with_settings(scenario, goal.solution);
    for (const Control& control : goal.controls) (void)value_of(control, changed);
  } catch (const Error&) {
  }
}

bool run_lesson(std::string_view bytes) {
  register_all_backends();
  const ParsedLesson parsed = parse_lesson(bytes, "lesson.md");
  if (parsed.ok() != parsed.mistakes.empty())
    throw std::logic_error("a lesson that was refused has no mistakes");
  for (const Mistake& mistake : parsed.mistakes)
    if (mistake.line < 0 || mistake.what.empty())
      throw std::logic_error("a mistake without words or line");
  if (!parsed.ok()) {
    (void)parsed.error().what();
    return read_results(bytes);
  }
  for (const Step& step : parsed.lesson->steps) {
    for (const Text::Insertion& insertion : step.text.insertions)
      for (const double value : {0.0, -0.0, 1.0, 0.25, -1234567.5, 1e20, std::nan("")})
        (void)shown(insertion.measure, value);
    (void)markdown_to_html(step.text.markdown);
    (void)markdown_to_plain(step.text.markdown);
    (void)markdown_escaped(step.title);
    (void)is_empty_at_end(step.view);
    if (step.num_predictions() > step.tasks.size())
      throw std::logic_error("a step has more predictions than tasks");
    for (const Task& task : step.tasks)
      if (const auto* goal = std::get_if<Goal>(&task.form)) use_goal(*goal, step.scenario);
  }
  if (parsed.lesson->num_tasks() > 0) (void)parsed.lesson->minutes();
  (void)results_file_name(parsed.lesson->about.id, parsed.lesson->about.title);
  try {
    (void)find_lesson(parsed.lesson->about.id);
  } catch (const Error&) {
  }
  return true;
}

// Lines that lessons may or may not have.
constexpr std::string_view kLines[] = {
    "1. **one** &amp; &#228; &#x1F600; `code` & a",
    "2. two\\",
    "   - three  ",
    "   four",
    "| a | b |\n|---|---|\n| c | *d* |",
    "#### A heading",
    "[a link](https://example.org)",
    "![a picture](a.png)",
    "<b>html</b>",
    "> quoted",
    "---",
    "a **b** c<br>",
    "~~~",
    "```predict",
    "```",
    "{{weight(row=1, col=2)}} {{nothing}} {{1 + (2 * 3)}} {{max(1)}}",
    "fact: 1 + 1 > 2 as %",
    "value: weight(row=1, row=2, x=3) / 0",
    "when: > and 1 < 2"};

std::string change_lesson(std::string_view bytes, Random& random) {
  std::string text(bytes);
  const auto line_begin = [&] {
    const size_t at = below(random, text.size() + 1);
    const size_t end = text.rfind('\n', at > 0 ? at - 1 : 0);
    return end == std::string::npos ? 0 : end + 1;
  };
  if (text.empty()) return "## \n";
  const size_t begin = line_begin();
  const size_t length = std::min(text.find('\n', begin), text.size() - 1) + 1 - begin;
  const std::string line = text.substr(begin, length);
  switch (below(random, 6)) {
    case 0:
      text.erase(begin, length);
      break;
    case 1:
      text.insert(line_begin(), line);
      break;
    case 3:
    case 4:
      return change_text(text, random);
    case 5:
      text.insert(line_begin(), std::string(kLines[below(random, std::size(kLines))]) + "\n");
      break;
    default:
      if (const size_t at = text.find_first_of("0123456789", begin); at != std::string::npos)
        text.replace(at, 1, std::to_string(odd_number(random, 3)));
  }
  return text;
}

std::vector<Seed> lesson_seeds() {
  std::vector<Seed> list;
  list.push_back({"skeleton", skeleton("seed", "A seed")});
  for (const std::filesystem::path& file : shipped_lessons())
    list.push_back({"shipped-" + file.stem().string(), test::read_bytes(file)});
  ResultRecord who, answer;
  who.participant = "=A, \"B\"";
  answer.record_type = RecordType::kPrediction;
  answer.predicted = "12 %";
  who.hash = results_hash({answer});
  list.push_back({"results", results_csv({who, answer})});
  return list;
}

}  // namespace

const Target kLessonTarget = {"lesson", run_lesson, change_lesson, lesson_seeds};

}  // namespace attn::fuzz
