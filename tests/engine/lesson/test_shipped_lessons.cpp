// SPDX-License-Identifier: GPL-3.0-or-later
// That the lessons that come with the program have no mistakes, that their hand-outs tell no answer
// too early, and that the German ones have the structure of the English ones. Also that the
// examples in the document about lessons are right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "backends/register_all.h"
#include "engine/lesson/quantity/lesson_language.h"
#include "engine/lesson/results/handout.h"
#include "engine/lesson/results/sheets.h"
#include "engine/lesson/run/walk.h"

namespace attn::lesson {
namespace {

namespace fs = std::filesystem;
using testing::Each;
using testing::IsEmpty;
using testing::Not;

std::vector<fs::path> lessons() {
  register_all_backends();
  return shipped_lessons();
}

std::shared_ptr<SourceCache> sources() {
  static const auto cache = std::make_shared<SourceCache>();
  return cache;
}

// Wrong answers that are near or that learners often give: by the number of the lesson and the
// name of the task.
const std::multimap<std::pair<std::string, std::string>, double> kOften{
    {{"01", "step1-predict"}, 101}, {{"03", "step2-predict"}, 54}, {{"03", "step2-predict"}, 56},
    {{"07", "step1-predict"}, 31},  // the last new token counted, too
    {{"07", "step1-predict"}, 29},  {{"07", "step2-predict"}, 13}, {{"08", "step1-predict"}, 31},
    {{"10", "step1-predict"}, 50},  // as if each request had one block
    {{"10", "step2-predict"}, 112}, {{"11", "step1-predict"}, 41}, {{"15", "step2-predict"}, 1984},
    {{"15", "step3-predict"}, 2},   // the window divided by the size of a block
    {{"17", "step2-predict"}, 38},  // the weight
};

// The answer of wrong_answer(), every wrong option of a choice, and wrong numbers: those of kOften,
// and at the ends of the slider and just outside the tolerance.
std::vector<Answer> wrong_answers(const AnswerKey& key, size_t step, size_t task) {
  std::vector<Answer> answers{*wrong_answer(key, step, task)};
  const Task& of = key.lesson->steps[step].tasks[task];
  const TaskKey& right = key.steps[step].tasks[task];
  if (const auto* choice = std::get_if<ChoiceQuestion>(&of.form)) {
    for (size_t i = 0; i < choice->options.size(); ++i)
      if (i != right.option) answers.push_back(ChoiceAnswer{i});
  } else if (const auto* number = std::get_if<NumberQuestion>(&of.form)) {
    const auto often = kOften.equal_range({key.lesson->origin.substr(0, 2), of.name});
    for (auto each = often.first; each != often.second; ++each)
      answers.push_back(NumberAnswer{each->second});
    const double factor = std::max(1.0, number->factor);
    const double far = 1.01 * std::max(number->tolerance, right.number * (factor - 1)) + 0.01;
    for (const double answer : {number->min, right.number - far, right.number + far, number->max})
      if (answer >= number->min && answer <= number->max &&
          !grade(key, step, task, NumberAnswer{answer}).is_right())
        answers.push_back(NumberAnswer{answer});
  }
  return answers;
}

// --- GIFT ---

// Moodle's rules: the name of a category is not escaped, a question is
// "::name::[format]text{answers}", and elsewhere each of ~=#{}:\ is escaped.
void expect_gift_format(const AnswerKey& key) {
  static const std::regex number(R"(#-?[0-9.e+-]+:[0-9.e+-]+(#[^#]+)?(####[^#]+)?)");
  static const std::regex choice(R"(\n(  [=~][^#\n]+ #[^#\n]*\n){2,8}(  ####[^#]+)?)");
  static const std::regex escaped(R"(\\[~=#{}:\\])");
  std::istringstream lines(gift_text(key, nullptr));
  std::string line;
  std::getline(lines, line);
  EXPECT_THAT(line, testing::StartsWith("// "));
  std::getline(lines, line);
  EXPECT_EQ(line, "$CATEGORY: " + key.lesson->about.title);
  const std::string text =
      std::regex_replace(std::string(std::istreambuf_iterator<char>(lines), {}), escaped, "x");
  size_t questions = 0;
  for (size_t at = text.find("::"); at != std::string::npos;
       at = text.find("::", at), ++questions) {
    const size_t named = text.find("::[plain]", at + 2), open = text.find('{', at);
    ASSERT_LT(named, open) << text.substr(at, 200);
    const size_t close = text.find('}', open);
    ASSERT_NE(close, std::string::npos);
    const std::string answers = text.substr(open + 1, close - open - 1);
    EXPECT_TRUE(std::regex_match(answers, number) || std::regex_match(answers, choice)) << answers;
    at = close;
  }
  size_t expected = 0;
  for (const Step& step : key.lesson->steps)
    for (const Task& task : step.tasks)
      expected += std::holds_alternative<NumberQuestion>(task.form) ||
                  std::holds_alternative<ChoiceQuestion>(task.form);
  EXPECT_EQ(questions, expected);
}

// --- what a hand-out tells too early ---

std::string without_tags(const std::string& html) {
  std::string text;
  bool inside = false;
  for (const char c : html) {
    if (c == '<') inside = true;
    if (!inside) text += c;
    if (c == '>') {
      inside = false;
      text += ' ';
    }
  }
  return text;
}

// Whether the text has a number that is `wanted`, rounded to its decimals. Whole numbers up to 10
// are ignored, because many texts contain some.
bool has_number(const std::string& text, double wanted) {
  static const std::regex number(R"(\d[\d,]*(\.\d+)?)");
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    std::string digits = at->str();
    std::erase(digits, ',');
    const size_t point = digits.find('.');
    const auto decimals =
        point == std::string::npos ? 0 : static_cast<int>(digits.size() - point - 1);
    const double value = std::stod(digits);
    if (decimals == 0 && value <= 10) continue;
    if (std::abs(value - wanted) <= 0.5 * std::pow(10, -decimals) * (1 + 1e-9)) return true;
  }
  return false;
}

// The word in the text of a place: for a request or a head the whole text, else what stands in
// the last quotation marks; empty: there is none.
std::string word_of(const Place& place, const FrozenRun& run, const std::string& language) {
  const std::string text = place_text(place, run, language);
  if (place.kind == PlaceKind::kRequest || place.kind == PlaceKind::kHead) return text;
  const size_t open = text.rfind("“"), close = text.rfind("”");
  return open == std::string::npos ? "" : text.substr(open + 3, close - open - 3);
}

std::vector<std::string> told_too_early(const AnswerKey& key) {
  const std::string html = handout_html(key);
  std::vector<std::string> told;
  constexpr std::string_view kTask = "<div class=\"task\">", kSheet = "<p class=\"sheet further\">";
  size_t at = 0;
  for (size_t step = 0; step < key.steps.size(); ++step)
    for (size_t index = 0; index < key.steps[step].tasks.size(); ++index) {
      const Task& task = key.lesson->steps[step].tasks[index];
      const TaskKey& right = key.steps[step].tasks[index];
      at = html.find(kTask, at) + kTask.size();
      const size_t sheet_end = html.find(kSheet, at);
      const size_t below = std::min(html.find(kTask, at), html.find("<h2>", at));
      if (!task.is_question() || below >= sheet_end || below == std::string::npos) continue;
      const std::string text = without_tags(html.substr(below, sheet_end - below));
      const auto* choice = std::get_if<ChoiceQuestion>(&task.form);
      const std::string word =
          std::holds_alternative<ClickQuestion>(task.form)
              ? word_of(*right.place, *key.steps[step].run, key.lesson->about.language)
              : "";
      const bool part = choice && choice->measure && choice->measure->unit == "part";
      const bool asks_number = word.empty() && (!choice || choice->measure);
      if (asks_number && has_number(text, right.number * (part ? 100 : 1)))
        told.push_back(task.name + ": " + text);
      if (!word.empty() && std::regex_search(text, std::regex("\\b" + word + "\\b")))
        told.push_back(task.name + ": " + word + " in " + text);
    }
  return told;
}

TEST(Sheets, ATextBeginsOneThatTellsTheBlockOfAQuestion) {
  register_all_backends();
  const ParsedLesson parsed = read_lesson(find_lesson("9"));
  ASSERT_TRUE(parsed.ok());
  const AnswerKey key = make_answer_key(parsed.lesson, {.sources = sources()});
  const std::vector<SheetStart> further = further_sheets(key);
  ASSERT_EQ(further.size(), 1U);
  EXPECT_EQ(further[0].first, (HandoutPart{2, HandoutPart::kStepText}));
  EXPECT_EQ(further[0].tells, "step2-predict");
}

// In these tasks the number of the run can only be estimated.
const std::set<std::string> kEstimated{"06 step2-predict", "12 step2-predict", "17 step1-predict"};

TEST(ShippedLessons, WholeNumbersThatCanBeWorkedOutAreExact) {
  size_t exact = 0;
  for (const fs::path& file : lessons()) {
    const ParsedLesson parsed = read_lesson(file);
    ASSERT_TRUE(parsed.ok());
    for (const Step& step : parsed.lesson->steps)
      for (const Task& task : step.tasks) {
        const auto* number = std::get_if<NumberQuestion>(&task.form);
        if (!number || number->step < 1 || number->measure.unit == "%" ||
            number->measure.expression.text.starts_with("dot_spread"))
          continue;
        const std::string name = file.filename().string().substr(0, 2) + ' ' + task.name;
        if (kEstimated.contains(name)) {
          EXPECT_THAT(tolerance_words(*number), Not(IsEmpty())) << name;
          continue;
        }
        ++exact;
        EXPECT_EQ(number->tolerance, 0) << name;
        EXPECT_EQ(number->factor, 1) << name;
        EXPECT_EQ(tolerance_words(*number), "") << name;
      }
  }
  EXPECT_GE(exact, 14U);
}

// Blocks shows the state after a step, so a goal that counts blocks before that would contradict
// the picture: in lesson 7 with 19 new tokens, 9 blocks were judged and 8 shown.
TEST(ShippedLessons, GoalsJudgeWhatBlocksShows) {
  size_t fullest = 0;
  for (const fs::path& file : lessons()) {
    const ParsedLesson parsed = read_lesson(file);
    ASSERT_TRUE(parsed.ok());
    for (const Step& step : parsed.lesson->steps)
      for (const Task& task : step.tasks)
        if (const auto* goal = std::get_if<Goal>(&task.form))
          for (const Condition& condition : goal->conditions)
            for (const Expression::Node& node : condition.left.nodes) {
              const auto at = node.call.arguments.find("step");
              if (at == node.call.arguments.end()) continue;
              EXPECT_NE(at->second.text, "peak") << file << ": " << condition.text;
              fullest += at->second.text == "fullest";
            }
  }
  EXPECT_GE(fullest, 2U);
}

class ShippedLesson : public testing::TestWithParam<fs::path> {};

TEST_P(ShippedLesson, IsRightAndShort) {
  const ParsedLesson parsed = read_lesson(GetParam());
  ASSERT_TRUE(parsed.ok()) << parsed.error().what();
  // On a hand-out nothing can be clicked, so a task with a click has other words there.
  for (const Step& step : parsed.lesson->steps)
    for (const Task& task : step.tasks)
      if (std::holds_alternative<ClickQuestion>(task.form)) {
        EXPECT_FALSE(task.on_paper.empty()) << task.name;
        EXPECT_EQ(task.on_paper.markdown.find("lick"), std::string::npos) << task.name;
      }
  const LessonCheck found = check_lesson(parsed.lesson, {.sources = sources()});
  for (const Mistake& mistake : found.mistakes)
    ADD_FAILURE() << mistake.error(parsed.origin).what();
  EXPECT_THAT(found.notes, IsEmpty());
  if (!found.mistakes.empty()) return;
  const auto key = std::make_shared<const AnswerKey>(*found.key);
  EXPECT_THAT(told_too_early(*key), IsEmpty());
  AnswerKey german = *found.key;
  german.lesson = read_lesson(find_lesson(GetParam().stem().string(), "de")).lesson;
  ASSERT_TRUE(german.lesson);
  EXPECT_THAT(told_too_early(german), IsEmpty());
  expect_gift_format(*key);
  expect_gift_format(german);
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
          for (const Answer& answer : wrong_answers(*key, step, task)) {
            const Verdict other = grade(*key, step, task, answer);
            EXPECT_FALSE(other.is_right()) << other.answered;
            EXPECT_THAT(other.explanations, Each(Not(IsEmpty()))) << other.answered;
            EXPECT_FALSE(other.explanations.empty() && !goal) << other.answered;
          }
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

// The expressions whose values a text shows. They must be the same in every language.
std::string measures_of(const Text& text) {
  std::set<std::string> measures;
  for (const Text::Insertion& insertion : text.insertions)
    measures.insert(insertion.measure.expression.text);
  std::string all;
  for (const std::string& measure : measures) all += " {" + measure + "}";
  return all;
}
std::string structure_of(const std::optional<Spotlight>& spotlight) {
  if (!spotlight) return "";
  return " view=" + spotlight->view + (spotlight->at ? " at=" + spotlight->at->text : "");
}
std::string structure_of(const Task& task) {
  std::ostringstream out;
  out << name_of(task.kind) << ' ' << task.name << measures_of(task.question);
  if (const auto* number = std::get_if<NumberQuestion>(&task.form)) {
    const Measure& measure = number->measure;
    out << " number " << measure.expression.text << ' ' << measure.unit << ' ' << measure.decimals
        << " tolerance=" << number->tolerance << " factor=" << number->factor << ' ' << number->min
        << ".." << number->max << " by " << number->step;
  } else if (const auto* choice = std::get_if<ChoiceQuestion>(&task.form)) {
    for (const ChoiceQuestion::Option& option : choice->options)
      out << " [" << option.when.text << ']' << measures_of(option.text)
          << measures_of(option.explanation);
    if (choice->measure) out << " of " << choice->measure->text;
  } else if (const auto* click = std::get_if<ClickQuestion>(&task.form)) {
    out << " click " << click->target.text;
  } else {
    const Goal& goal = std::get<Goal>(task.form);
    for (const Control& control : goal.controls) out << ' ' << control.name;
    for (const Condition& condition : goal.conditions) out << " goal=" << condition.text;
    for (const Setting& setting : goal.solution)
      out << ' ' << setting.control << '=' << setting.value;
  }
  for (const Hint& hint : task.hints)
    out << "\n    hint" << structure_of(hint.show) << measures_of(hint.text);
  out << "\n    reveal" << structure_of(task.reveal);
  for (const Explanation& explanation : task.explanations)
    out << "\n    explain " << (explanation.when ? name_of(*explanation.when) : "")
        << measures_of(explanation.text);
  return out.str();
}
std::string structure_of(const Lesson& lesson) {
  std::ostringstream out;
  out << lesson.about.id << " version " << lesson.about.version;
  for (const std::string& model : lesson.about.needs_models) out << ' ' << model;
  for (const Step& step : lesson.steps) {
    Scenario scenario = step.scenario;
    scenario.title.clear();  // the title is translated
    out << "\nstep view=" << step.view << measures_of(step.text) << '\n' << to_json(scenario);
    for (const Condition& fact : step.facts) out << "\n  fact " << fact.text;
    for (const Task& task : step.tasks) out << "\n  " << structure_of(task);
  }
  return out.str();
}

TEST(GermanLessons, HaveTheStructureOfTheEnglishOnes) {
  const auto english = lessons(), german = shipped_lessons("de");
  ASSERT_EQ(english.size(), german.size());
  for (size_t i = 0; i < english.size(); ++i) {
    EXPECT_NE(english[i], german[i]) << "is not translated";
    const ParsedLesson one = read_lesson(english[i]), other = read_lesson(german[i]);
    ASSERT_TRUE(other.ok()) << other.error().what();
    EXPECT_EQ(other.lesson->about.language, "de") << german[i];
    EXPECT_EQ(structure_of(*one.lesson), structure_of(*other.lesson)) << german[i];
    EXPECT_LE(other.lesson->minutes(), 5) << german[i];
  }
  EXPECT_EQ(find_lesson("6", "de"), german[5]);
}

TEST(GermanLessons, TheirScenariosHaveTitlesOfTheirOwn) {
  const auto english = lessons(), german = shipped_lessons("de");
  std::set<std::string> shipped;
  for (const std::string& name : shipped_scenarios())
    shipped.insert(load_scenario(find_scenario(name)).title);
  size_t own = 0;
  for (size_t i = 0; i < english.size(); ++i) {
    const ParsedLesson one = read_lesson(english[i]), other = read_lesson(german[i]);
    ASSERT_EQ(one.lesson->steps.size(), other.lesson->steps.size());
    for (size_t step = 0; step < one.lesson->steps.size(); ++step) {
      const std::string& title = one.lesson->steps[step].scenario.title;
      if (shipped.contains(title)) continue;  // the window translates these
      ++own;
      EXPECT_NE(title, other.lesson->steps[step].scenario.title) << german[i];
    }
  }
  EXPECT_GE(own, 13u);
}

TEST(GermanLessons, UnitsAndPlacesAreGerman) {
  Measure measure;
  measure.unit = "blocks";
  measure.language = "de";
  EXPECT_EQ(shown(measure, 1), "1 Block");
  EXPECT_EQ(shown(measure, 7), "7 Blöcke");
  EXPECT_EQ(shown(measure, 294912), "294912 Blöcke");  // "294,912" would be read as about 295
  EXPECT_EQ(to_string({.kind = PlaceKind::kHead, .layer = 4, .head = 2}, false, "de"),
            "Schicht 4, Kopf 2");
  for (const Quantity& quantity : all_quantities()) {
    const std::string_view unit = quantity.unit;
    const bool same = unit.empty() || unit == "part" || unit == "ns";
    EXPECT_TRUE(same || words_of_language("de").contains(unit)) << unit;
  }
}

std::string document() {
  std::ifstream in(std::string(ATTN_SOURCE_DIR) + "/docs/lessons.md");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

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

TEST(LessonsDocument, ItsExampleOfSharingShares) {
  register_all_backends();
  const std::string text = document();
  const size_t begin = text.find("---\nid: shared-beginning");
  ASSERT_NE(begin, std::string::npos);
  std::string lesson = text.substr(begin, text.find("```", begin) - begin);
  const ParsedLesson parsed = parse_lesson(lesson, "lessons.md");
  ASSERT_TRUE(parsed.ok()) << parsed.error().what();
  const LessonCheck found = check_lesson(parsed.lesson, {.sources = sources()});
  for (const Mistake& mistake : found.mistakes) ADD_FAILURE() << mistake.error("lessons.md").what();
  EXPECT_THAT(found.notes, IsEmpty());
  EXPECT_GT(found.key->steps[0].tasks[0].number, 0);

  const std::string small_steps = ", \"max_num_batched_tokens\": 16";
  ASSERT_NE(lesson.find(small_steps), std::string::npos);
  lesson.erase(lesson.find(small_steps), small_steps.size());
  const LessonCheck other = check_lesson(parse_lesson(lesson, "x").lesson, {.sources = sources()});
  ASSERT_FALSE(other.mistakes.empty());
  EXPECT_THAT(other.mistakes[0].error("x").what(),
              testing::HasSubstr("Rain and Sun are prefilled in the same step (1)"));
}

TEST(LessonsDocument, NamesEveryViewAndDirective) {
  const std::string text = document();
  for (const std::string& view : view_names())
    EXPECT_NE(text.find('`' + view + '`'), std::string::npos) << view;
}

}  // namespace
}  // namespace attn::lesson
