// SPDX-License-Identifier: GPL-3.0-or-later
// The lessons that come with the program: no mistakes, every right answer is right and every wrong
// one wrong, and each keeps the rules of good lessons.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "backends/register_all.h"
#include "engine/lesson/run/walk.h"

namespace attn::lesson {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

std::vector<fs::path> lessons() {
  register_all_backends();
  return shipped_lessons();
}

std::shared_ptr<SourceCache> sources() {
  static const auto cache = std::make_shared<SourceCache>();
  return cache;
}

class ShippedLesson : public testing::TestWithParam<fs::path> {};

TEST_P(ShippedLesson, IsRightAndShort) {
  const ParsedLesson parsed = read_lesson(GetParam());
  ASSERT_TRUE(parsed.ok()) << parsed.error().what();
  const LessonCheck found = check_lesson(parsed.lesson, {.sources = sources()});
  for (const Mistake& mistake : found.mistakes)
    ADD_FAILURE() << mistake.error(parsed.origin).what();
  EXPECT_THAT(found.notes, IsEmpty());
  if (!found.mistakes.empty()) return;
  const auto key = std::make_shared<const AnswerKey>(*found.key);
  // Both ways through it: all answers right, and all wrong first.
  for (const bool right : {true, false}) {
    Walk walk(key);
    for (size_t step = 0; step < key->steps.size(); ++step) {
      ASSERT_TRUE(walk.can_go_to(step));
      walk.go_to(step);
      for (size_t task = 0; task < key->steps[step].tasks.size(); ++task) {
        const bool goal = !parsed.lesson->steps[step].tasks[task].is_question();
        if (!right) {
          const Verdict& verdict = walk.commit(task, *wrong_answer(*key, step, task), 1);
          EXPECT_FALSE(verdict.is_right()) << parsed.lesson->steps[step].tasks[task].name;
          EXPECT_FALSE(verdict.explanations.empty() && !goal);
          if (goal) walk.skip(task);
        } else if (goal) {
          walk.skip(task);  // check_lesson() has tried its solution
        } else {
          EXPECT_TRUE(walk.commit(task, right_answer(*key, step, task), 1).is_right());
        }
      }
    }
    EXPECT_TRUE(walk.at_end());
  }
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name;
  for (const char c : info.param.stem().string()) name += std::isalnum(c) ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, ShippedLesson, testing::ValuesIn(lessons()), test_name);

TEST(ShippedLessons, ThereAreSeventeenWithDifferentIds) {
  std::set<std::string> ids;
  for (const fs::path& file : lessons()) {
    const ParsedLesson parsed = read_lesson(file);
    if (!parsed.ok()) continue;
    EXPECT_TRUE(ids.insert(parsed.lesson->about.id).second) << file;
    EXPECT_EQ(file.stem().string().substr(3), parsed.lesson->about.id);
    EXPECT_EQ(parsed.lesson->about.language, "en");
  }
  EXPECT_EQ(ids.size(), 17u);
}

// The last lesson of each part ends with a building task.
TEST(ShippedLessons, EachPartEndsWithABuildingTask) {
  std::map<std::string, std::shared_ptr<const Lesson>> last;
  for (const fs::path& file : lessons())
    if (const ParsedLesson parsed = read_lesson(file); parsed.ok())
      last[parsed.lesson->about.part] = parsed.lesson;
  EXPECT_EQ(last.size(), 3u);
  for (const auto& [part, lesson] : last) {
    bool builds = false;
    for (const Step& step : lesson->steps)
      for (const Task& task : step.tasks) builds = builds || task.kind == TaskKind::kBuild;
    EXPECT_TRUE(builds) << lesson->about.id << " ends the part " << part;
  }
}

TEST(ShippedLessons, AreFoundByNumberAndName) {
  const auto files = lessons();
  ASSERT_FALSE(files.empty());
  EXPECT_EQ(find_lesson("1"), files[0]);
  EXPECT_EQ(find_lesson("01"), files[0]);
  EXPECT_EQ(find_lesson(files[0].stem().string()), files[0]);
  EXPECT_THROW((void)find_lesson("99"), Error);
}

std::string document() {
  std::ifstream in(std::string(ATTN_SOURCE_DIR) + "/docs/lessons.md");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// The lesson with line numbers in the chapter on writing one.
TEST(LessonsDocument, ItsExampleIsALesson) {
  register_all_backends();
  const std::string text = document();
  const size_t begin = text.find("```\n 1  ---\n");
  ASSERT_NE(begin, std::string::npos);
  std::istringstream lines(text.substr(begin + 4, text.find("```", begin + 3) - begin - 4));
  std::string lesson;
  for (std::string line; std::getline(lines, line);)
    lesson += (line.size() > 4 ? line.substr(4) : "") + "\n";
  const ParsedLesson parsed = parse_lesson(lesson, "lessons.md");
  ASSERT_TRUE(parsed.ok()) << parsed.error().what();
  for (const Mistake& mistake : check_lesson(parsed.lesson).mistakes)
    ADD_FAILURE() << mistake.error("lessons.md").what();
}

TEST(LessonsDocument, NamesEveryViewAndDirective) {
  const std::string text = document();
  for (const std::string& view : view_names())
    EXPECT_NE(text.find('`' + view + '`'), std::string::npos) << view;
}

}  // namespace
}  // namespace attn::lesson
