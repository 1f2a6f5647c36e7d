// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `lesson`: a lesson file or, if the bytes are no lesson, a file of results. No
// scenario is run; the target `scenario` does that.
#include <stdexcept>

#include "backends/register_all.h"
#include "engine/core/error.h"
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
    (void)markdown_to_html(step.text.markdown);
    (void)markdown_to_plain(step.text.markdown);
  }
  (void)parsed.lesson->minutes();
  return true;
}

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
  switch (below(random, 3)) {
    case 0:
      text.erase(begin, length);
      break;
    case 1:
      text.insert(line_begin(), line);
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
