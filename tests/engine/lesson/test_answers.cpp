// SPDX-License-Identifier: GPL-3.0-or-later
// What the program makes of a lesson: answer keys, mistakes that only a run shows, grading, tables
// of results, hand-outs, web pages, questions in the format GIFT, and the skeleton of a new lesson.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <regex>

#include "backends/register_all.h"
#include "engine/core/error.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/parse_expression.h"
#include "engine/lesson/quantity/lesson_language.h"
#include "engine/lesson/results/handout.h"
#include "engine/lesson/results/lesson_page.h"
#include "engine/lesson/results/sheets.h"
#include "engine/lesson/results/shipped_words.h"
#include "engine/lesson/run/walk.h"
#include "engine/session/page/run_page.h"
#include "tests/engine/lesson/good_lesson.h"

namespace attn::lesson {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::shared_ptr<const AnswerKey> good_key() {
  static const auto key = [] {
    register_all_backends();
    const ParsedLesson parsed = parse_lesson(kGoodLesson, "good.md");
    EXPECT_TRUE(parsed.ok()) << parsed.error().what();
    return std::make_shared<const AnswerKey>(make_answer_key(parsed.lesson));
  }();
  return key;
}

std::string changed(const char* from, const char* to) {
  std::string text(kGoodLesson);
  return text.replace(text.find(from), std::string_view(from).size(), to);
}
std::vector<Mistake> check(const std::string& text) {
  register_all_backends();
  const ParsedLesson parsed = parse_lesson(text, "lesson.md");
  EXPECT_TRUE(parsed.ok()) << parsed.error().what();
  return parsed.ok() ? check_lesson(parsed.lesson).mistakes : std::vector<Mistake>{};
}

TEST(AnswerKey, IsComputedFromTheRuns) {
  const AnswerKey& key = *good_key();
  ASSERT_THAT(key.steps, SizeIs(2));
  EXPECT_EQ(key.steps[0].run, key.steps[1].run);  // both steps have the same scenario
  EXPECT_GT(key.steps[0].tasks[0].number, 80);
  EXPECT_EQ(key.steps[0].tasks[1].place->key, 3);
  EXPECT_EQ(key.steps[1].tasks[0].option, 1u);
  EXPECT_EQ(key.steps[1].tasks[0].shown, "Three");
  EXPECT_EQ(filled(key.lesson->steps[1].text, *key.steps[1].run),
            "The cache has blocks of 4 tokens.");
  EXPECT_THAT(key_text(key), HasSubstr("block_size = 5"));
}

TEST(GoalWords, AreInTheLanguageOfTheLesson) {
  const AnswerKey& key = *good_key();
  const auto& goal = std::get<Goal>(key.lesson->steps[1].tasks[1].form);
  ConditionValue value{.left = 0.4375, .right = 0.1, .upper = 0.1, .holds = false};
  EXPECT_EQ(goal_words(goal.conditions[0], value),
            "empty slots: 43.8 % now; wanted: less than 10 %");
  EXPECT_EQ(goal_words(goal.conditions[0], value, "en", false),
            "empty slots: 43.8 % before; wanted: less than 10 %");
  EXPECT_EQ(goal_words(goal.conditions[0], value, "de"),
            "leere Slots: 43.8 % jetzt; verlangt: weniger als 10 %");
  Condition range = goal.conditions[0];
  range.relation = Relation::kBetween;
  value.upper = 0.2;
  value.left = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(goal_words(range, value), "empty slots: not in this run; wanted: 10 to 20 %");
  Condition blocks = goal.conditions[0];
  blocks.relation = Relation::kAtLeast;
  blocks.left.nodes.front().call.name = "num_blocks";
  blocks.left.unit = "blocks";
  value = {.left = 40, .right = 76, .upper = 76, .holds = false};
  EXPECT_EQ(goal_words(blocks, value),
            "Blocks of the cache: 40 blocks now; wanted: at least 76 blocks");
  EXPECT_EQ(goal_words(blocks, value, "de"),
            "Blöcke des Caches: 40 Blöcke jetzt; verlangt: mindestens 76 Blöcke");
}

TEST(GoalWords, CountsHaveSeparators) {
  Mistakes mistakes;
  const auto conditions = parse_conditions("kv_bytes(step=peak) > 300000", 1, mistakes);
  ASSERT_THAT(conditions, SizeIs(1));
  EXPECT_EQ(
      goal_words(conditions[0], {.left = 294912, .right = 300000, .upper = 0, .holds = false}),
      "memory of keys and values: 294,912 bytes now; wanted: more than 300,000 bytes");
  EXPECT_EQ(goal_words(conditions[0],
                       {.left = 294912, .right = 300000, .upper = 0, .holds = false, .step = 18}),
            "memory of keys and values: 294,912 bytes now, in step 18; wanted: more than 300,000 "
            "bytes");
  const auto number = [](double value, int decimals = -1) {
    return shown({.expression = {}, .unit = "", .scale = 1, .decimals = decimals}, value);
  };
  EXPECT_EQ(number(999), "999");
  EXPECT_EQ(number(1000), "1,000");
  EXPECT_EQ(number(-123456), "-123,456");
  EXPECT_EQ(number(1234567.891, 2), "1,234,567.89");
  EXPECT_EQ(number(1e20), "1e+20");
  for (const char* language : {"de", "de-AT", "fr"}) {
    const Measure measure{
        .expression = {}, .unit = "", .scale = 1, .decimals = 1, .language = language};
    EXPECT_EQ(shown(measure, 1234567.8), "1234567.8") << language;
  }
}

TEST(CheckLesson, WhatOnlyARunCanTell) {
  EXPECT_THAT(check(std::string(kGoodLesson)), IsEmpty());
  const auto told = [](const char* from, const char* to) {
    const auto mistakes = check(changed(from, to));
    EXPECT_THAT(mistakes, SizeIs(1)) << from;
    return mistakes.empty() ? "" : mistakes[0].what + " | " + mistakes[0].found;
  };
  EXPECT_THAT(told("block_size = 4\"", "block_size = 8\""), HasSubstr("relies on does not hold"));
  EXPECT_THAT(told("[= 3]", "[= 2]"), HasSubstr("not exactly one answer"));
  EXPECT_THAT(told("[< 3]", "[< 4]"), HasSubstr("not exactly one answer"));
  EXPECT_THAT(told("solution=\"block_size=5\"", "solution=\"block_size=7\""),
              HasSubstr("does not reach the goal"));
  EXPECT_THAT(told("waste(step=1) < 0.1", "waste(step=1) < 0.9"), HasSubstr("before anything"));
  EXPECT_THAT(told("tolerance=5", "tolerance=5 max=50"), HasSubstr("not on the slider"));
  EXPECT_THAT(told("tolerance=5", "tolerance=100"), HasSubstr("every answer is right"));
  EXPECT_THAT(told("{{block_size}}", "{{weight(key=99)}}"), HasSubstr("no such key"));
}

TEST(Grading, EachFormOfAnswer) {
  const AnswerKey& key = *good_key();
  const double right = key.steps[0].tasks[0].number;
  EXPECT_TRUE(grade(key, 0, 0, NumberAnswer{right - 4.9}).is_right());
  const Verdict low = grade(key, 0, 0, NumberAnswer{10});
  EXPECT_EQ(low.outcome, Outcome::kTooLow);
  EXPECT_EQ(low.answered, "10 %");
  ASSERT_THAT(low.explanations, SizeIs(2));
  EXPECT_EQ(low.explanations[0], "It is more.");
  EXPECT_THAT(low.explanations[1], HasSubstr(" %."));
  const Verdict choice = grade(key, 1, 0, ChoiceAnswer{0});
  EXPECT_EQ(choice.outcome, Outcome::kWrong);
  ASSERT_THAT(choice.explanations, SizeIs(2));
  EXPECT_THAT(choice.explanations[0], HasSubstr("do not fit"));
  EXPECT_THAT(choice.explanations[1], HasSubstr("Two full blocks"));  // of the right option
  EXPECT_THAT(grade(key, 1, 0, ChoiceAnswer{1}).explanations, SizeIs(1));
  EXPECT_EQ(choice.right, "Three");
  const Verdict goal = grade(key, 1, 1, try_settings(key, 1, 1, {{"block_size", "7"}}));
  EXPECT_FALSE(goal.is_right());
  ASSERT_THAT(goal.conditions, SizeIs(1));
  EXPECT_NEAR(goal.conditions[0].left, 4.0 / 14, 1e-9);
  EXPECT_THROW((void)grade(key, 0, 0, ChoiceAnswer{0}), Error);
  EXPECT_THROW((void)try_settings(key, 1, 1, {{"num_blocks", "7"}}), Error);
  EXPECT_THROW((void)try_settings(key, 1, 1, {{"block_size", "0"}}), Error);
}

TEST(Walk, KeepsTheOrderOfPredictAndReveal) {
  Walk walk(good_key());
  EXPECT_FALSE(walk.can_go_to(1));
  EXPECT_EQ(walk.open_task(), 0u);
  EXPECT_FALSE(walk.state(0, 0).revealed());
  EXPECT_THROW((void)walk.commit(1, right_answer(walk.key(), 0, 1), 1), Error);
  EXPECT_NE(walk.open_hint(0), nullptr);
  EXPECT_NE(walk.open_hint(0), nullptr);
  EXPECT_EQ(walk.open_hint(0), nullptr);
  EXPECT_FALSE(walk.commit(0, NumberAnswer{5}, 12.5).is_right());
  EXPECT_TRUE(walk.state(0, 0).revealed());
  EXPECT_TRUE(walk.commit(0, right_answer(walk.key(), 0, 0), 3).is_right());
  EXPECT_FALSE(walk.state(0, 0).first->is_right());  // the first answer counts
  walk.skip(1);
  ASSERT_TRUE(walk.can_go_to(1));
  walk.go_to(1);
  (void)walk.commit(0, right_answer(walk.key(), 1, 0), 2);
  (void)walk.commit(1, *wrong_answer(walk.key(), 1, 1), 2);
  EXPECT_FALSE(walk.at_end());
  (void)walk.commit(1, right_answer(walk.key(), 1, 1), 2);
  EXPECT_TRUE(walk.at_end());
  EXPECT_EQ(walk.answered(), 3u);

  const auto records = walk.records({"Anna =K", "0.1"});
  ASSERT_THAT(records, SizeIs(5));
  EXPECT_EQ(records[0].record_type, RecordType::kParticipant);
  EXPECT_EQ(records[0].hash, results_hash(records));
  EXPECT_EQ(records[1].predicted, "5 %");
  EXPECT_EQ(records[1].tries, 2);
  EXPECT_EQ(records[1].hints, 2);
  EXPECT_EQ(records[1].seconds, 12.5);
  EXPECT_FALSE(records[1].correct);
  EXPECT_EQ(records[2].predicted, "");
  EXPECT_TRUE(records[4].correct);
  EXPECT_EQ(records[4].record_type, RecordType::kChange);
}

std::vector<ResultRecord> results_of(const std::string& name, const Answer& first) {
  Walk walk(good_key());
  (void)walk.commit(0, first, 4);
  return walk.records({name, "0.1"});
}

// A lesson is continued after two tries that did not reach the goal.
TEST(Walk, CountsTheTriesOfAnEarlierVisit) {
  Walk walk(good_key());
  walk.skip(0);
  walk.skip(1);
  walk.go_to(1);
  walk.skip(0);
  walk.count_wrong_tries(1, 2, 9);
  EXPECT_TRUE(walk.commit(1, right_answer(*good_key(), 1, 1), 1).is_right());
  EXPECT_EQ(walk.right_at_first(), 0U);
  const ResultRecord record = walk.records({"A", "0.1"}).back();
  EXPECT_TRUE(record.correct);
  EXPECT_EQ(record.tries, 3);
  EXPECT_EQ(record.seconds, 9);
}

TEST(Results, ReadBackBitEqualAndHarmless) {
  std::vector<ResultRecord> records = results_of("=HYPERLINK(\"http://x\")", NumberAnswer{1.0 / 3});
  records[0].program = "'+1";
  records[1].predicted = "a, \"b\"\nc";
  records[1].actual = "'quoted";
  records[1].seconds = 1.0 / 3;
  const std::string csv = results_csv(records);
  EXPECT_THAT(csv, HasSubstr(",\"'=HYPERLINK(\"\"http://x\"\")\","));
  EXPECT_EQ(parse_results(csv, "r.csv"), records);
  const auto told = [&](const std::string& text) {
    try {
      (void)parse_results(text, "r.csv");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(told(""), HasSubstr("not the results of a lesson"));
  EXPECT_THAT(told("a,b\n1,2\n"), HasSubstr("found \"a,b\""));
  EXPECT_THAT(told(csv + "guess" + csv.substr(csv.rfind(",0,", csv.size() - 80))),
              HasSubstr("r.csv, line"));
  EXPECT_THAT(told(csv + "\"open"), HasSubstr("no closing quote"));
  EXPECT_EQ(results_file_name("the-sink", "Ana M./K"), "the-sink-Ana_M__K.csv");
}

TEST(Results, TheTableOfAClass) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "attn_class_table";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  const Answer right = right_answer(*good_key(), 0, 0);
  write("a.csv", results_csv(results_of("A", right)));
  write("b.csv", results_csv(results_of("B", NumberAnswer{10})));
  write("c.csv", results_csv(results_of("C", NumberAnswer{10})));
  write("d.csv", results_csv(results_of("D", NumberAnswer{50})));
  write("d-again.csv", results_csv(results_of("D", NumberAnswer{50})));
  auto forged = results_of("E", NumberAnswer{10});
  forged[1].correct = true;
  write("e.csv", results_csv(forged));
  write("f.csv", "not,results\n");
  write("ignored.txt", "text");
  const ClassTable table = collect_results({folder});
  ASSERT_THAT(table.learners, SizeIs(5));
  EXPECT_FALSE(table.learners[4].unchanged);
  EXPECT_THAT(table.notes, SizeIs(3));  // D twice, E changed, f.csv left out
  ASSERT_THAT(table.tasks, SizeIs(1));
  EXPECT_EQ(table.tasks[0].answers, 5);
  EXPECT_EQ(table.tasks[0].correct, 2);
  ASSERT_THAT(table.tasks[0].wrong, SizeIs(2));
  EXPECT_EQ(table.tasks[0].wrong[0].answer, "10 %");
  EXPECT_EQ(table.tasks[0].wrong[0].count, 2);
  EXPECT_THAT(class_csv(table), HasSubstr(",10 %,2,50 %,1,,,,\n"));
  EXPECT_THAT(class_text(table), HasSubstr("2 x 10 %"));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_THROW((void)collect_results({folder}), Error);
}

// Ben reached the goal with his second try, Eve with her first one.
TEST(Results, TheTableTellsTriesFromFirstAnswers) {
  std::vector<ResultRecord> ben(2);
  ben[0].participant = ben[1].participant = "Ben";
  ben[1].record_type = RecordType::kChange;
  ben[1].task = "step4-change";
  ben[1].correct = true;
  ben[1].tries = 2;
  ben[1].seconds = 7.362;
  std::vector<ResultRecord> eve = ben;
  eve[0].participant = eve[1].participant = "Eve";
  eve[1].tries = 1;
  eve[1].seconds = 7.364;
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "attn_tries";
  std::filesystem::create_directories(folder);
  std::vector<std::filesystem::path> files;
  for (std::vector<ResultRecord>* records : {&ben, &eve}) {
    (*records)[0].hash = results_hash(*records);
    files.push_back(folder / ((*records)[0].participant + ".csv"));
    std::ofstream(files.back()) << results_csv(*records);
  }
  const ClassTable table = collect_results(files);
  std::filesystem::remove_all(folder);
  ASSERT_THAT(table.tasks, SizeIs(1));
  EXPECT_EQ(table.tasks[0].correct, 2);
  EXPECT_EQ(table.tasks[0].at_first, 1);
  EXPECT_EQ(table.tasks[0].mean_tries, 1.5);
  EXPECT_EQ(table.learners[0].correct, 1);
  EXPECT_EQ(table.learners[0].at_first, 0);
  EXPECT_THAT(class_csv(table), HasSubstr("answers,right_at_first,correct,skipped,mean_tries,"));
  EXPECT_THAT(class_csv(table), HasSubstr(",2,1,2,0,1.5,0,7.363,"));
  EXPECT_THAT(class_text(table), HasSubstr("1 of   2 right at first (50 %), 2 in the end"));
}

TEST(Results, TheTableNamesTasksOfShippedLessons) {
  for (const char* language : {"en", "de"}) {
    ClassTable table;
    table.tasks.resize(2);
    table.tasks[0].lesson = "the-sink";
    table.tasks[0].task = "step1-predict";
    table.tasks[1].lesson = "my-own";
    table.tasks[1].task = "step2-change";
    ShippedLessons shipped(language);
    name_tasks(table, shipped);
    const Lesson* lesson = shipped.find("the-sink");
    ASSERT_TRUE(lesson);
    EXPECT_EQ(table.tasks[0].title, lesson->about.title);
    EXPECT_THAT(table.tasks[0].question, HasSubstr("5"));  // of layer 5
    EXPECT_THAT(class_csv(table), StartsWith("lesson,step,task,quantity,"));
    EXPECT_THAT(class_csv(table), HasSubstr("wrong_3_count,title,question\n"));
    EXPECT_THAT(class_csv(table), EndsWith(",my-own,step2-change\n"));
  }
}

TEST(Results, CountsOfAClass) {
  const AnswerKey& key = *good_key();
  Walk walk(good_key());
  (void)walk.commit(0, NumberAnswer{5}, 4);  // a rehearsal: the counts of the class replace it
  walk.skip(1);
  walk.go_to(1);
  walk.skip(0);
  const Place right = *key.steps[0].tasks[1].place;
  Place wrong = right;
  wrong.key = 1;
  const ClassCounts counts{{"step1-predict", {{.count = 2}, {}, {}, {}, {.count = 7}}},
                           {"step1-observe", {{4, wrong}, {6, right}}},
                           {"step2-predict", {{.count = 0}, {.count = 0}}}};
  EXPECT_EQ(row_marks(key, 0, 0).back(), RowMark::kHolds);  // 80 % to 100 %
  EXPECT_EQ(row_marks(key, 1, 0), (std::vector{RowMark::kWrong, RowMark::kRight, RowMark::kWrong}));
  const auto records = walk.records({"Class 9b", "0.1"}, counts);
  EXPECT_EQ(parse_results(results_csv(records), "r.csv"), records);
  EXPECT_EQ(records[0].hash, results_hash(records));
  ASSERT_THAT(records, SizeIs(6));
  EXPECT_EQ(records[1].record_type, RecordType::kCounted);
  EXPECT_THAT(records[1].predicted, StartsWith("0 % to "));
  EXPECT_FALSE(records[1].correct);
  EXPECT_EQ(records[2].record_type, RecordType::kCountedRange);
  EXPECT_TRUE(records[2].correct);
  EXPECT_EQ(records[2].tries, 7);
  EXPECT_EQ(records[4].predicted, records[4].actual);
  EXPECT_EQ(records[5].record_type, RecordType::kPrediction);  // nobody was counted

  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "attn_class_counts.csv";
  std::ofstream(file) << results_csv(records);
  const ClassTable table = collect_results({file});
  std::filesystem::remove(file);
  ASSERT_THAT(table.tasks, SizeIs(3));
  EXPECT_EQ(table.tasks[0].task, "step1-observe");
  EXPECT_EQ(table.tasks[0].answers, 10);
  EXPECT_EQ(table.tasks[0].correct, 6);
  ASSERT_THAT(table.tasks[0].wrong, SizeIs(1));
  EXPECT_EQ(table.tasks[0].wrong[0].count, 4);
  EXPECT_EQ(table.tasks[0].skipped, 0);
  EXPECT_EQ(table.tasks[1].answers, 9);
  EXPECT_EQ(table.tasks[1].correct, 7);
  EXPECT_EQ(table.tasks[2].skipped, 1);
  EXPECT_EQ(table.learners[0].answers, 20);
  EXPECT_TRUE(table.learners[0].unchanged);
  ASSERT_THAT(table.notes, SizeIs(1));
  EXPECT_THAT(table.notes[0], HasSubstr("step1-predict: answers of a class were counted"));
  EXPECT_THAT(class_text(table), HasSubstr("7 of   9 right at first (78 %)"));
}

TEST(Handout, OfTheLearnerAndOfTheTeacher) {
  const AnswerKey& key = *good_key();
  const std::string learner = handout_html(key);
  const std::string teacher = handout_html(key, {.with_key = true, .picture = {}});
  EXPECT_THAT(learner, HasSubstr("class=\"box\""));
  EXPECT_THAT(learner, Not(HasSubstr("class=\"key\"")));
  EXPECT_THAT(learner, HasSubstr("On paper: write down what you would click."));
  EXPECT_THAT(learner, Not(HasSubstr("Two full blocks")));
  EXPECT_THAT(teacher, HasSubstr("Two full blocks"));
  EXPECT_THAT(teacher, HasSubstr("Goal: empty slots: less than 10 %."));
  EXPECT_THAT(teacher, HasSubstr("For example: Tokens per block = 5."));
  EXPECT_THAT(teacher, Not(HasSubstr("waste(step=1)")));
  EXPECT_THAT(teacher, HasSubstr("(an answer up to 5 % too small or too large is right)"));
  const std::string picture =
      handout_html(key, {.with_key = false, .picture = [](size_t) { return "data:x"; }});
  EXPECT_THAT(picture, HasSubstr("<img src=\"data:x\""));
}

AnswerKey key_of(const std::string& text) {
  register_all_backends();
  const ParsedLesson parsed = parse_lesson(text, "lesson.md");
  EXPECT_TRUE(parsed.ok()) << parsed.error().what();
  return make_answer_key(parsed.lesson);
}

TEST(Handout, EachPageNamesItsLesson) {
  Lesson lesson;
  lesson.about.title = "Pages: \"the\" table";
  lesson.about.language = "de";
  lesson.origin = "09-the-block-table.md";
  EXPECT_EQ(heading_of(lesson), "Lektion 9: Pages: \"the\" table");
  for (const char* name : {"own.md", "9.md", "a-9-b.md", ""}) {
    lesson.origin = name;
    EXPECT_EQ(heading_of(lesson), lesson.about.title);
  }
  const std::string html = handout_html(key_of(changed("title: ", "title: </style>\"\\")));
  EXPECT_THAT(html, HasSubstr("@bottom-left { content: \"\\3c /style\\3e \\22 \\5c "));
  EXPECT_THAT(html, HasSubstr("counter(page)"));
}

TEST(Key, AClickKeepsItsTargetWhateverIsRevealed) {
  const AnswerKey key = key_of(changed("Click the cell with the largest weight.\n:::",
                                       "Click the cell with the largest weight.\n:::\n\n"
                                       ":::reveal view=heatmap at=\"weight(key=5)\"\n:::"));
  const auto& place = key.steps[0].tasks[1].place;
  ASSERT_TRUE(place);
  EXPECT_EQ(place->key, 3);
}

TEST(Handout, ATextThatTellsAnAnswerBeginsAnotherSheet) {
  EXPECT_THAT(further_sheets(*good_key()), IsEmpty());
  EXPECT_EQ(sheets_text(*good_key()), "");
  const auto sheets = [](const char* text) {
    return further_sheets(key_of(changed("The cache has blocks of {{block_size}}.", text)));
  };
  const std::string exact = shown({.expression = {}, .unit = "%", .scale = 1, .decimals = 1},
                                  good_key()->steps[0].tasks[0].number);
  const auto told = sheets(("Token 3 gets " + exact + ", as we saw.").c_str());
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].first, (HandoutPart{1, HandoutPart::kStepText}));
  EXPECT_EQ(told[0].tells, "step1-predict");
  EXPECT_THAT(sheets("One row of 3 has layer 4, and 10 of 12 have 77."), IsEmpty());
  EXPECT_THAT(sheets("It was {{weight(key=3) | % | 1}}."), SizeIs(1));
  const AnswerKey key =
      key_of(changed("blocks of {{block_size}}.", "blocks, and {{weight(key=3) | % | 1}}."));
  const std::string html = handout_html(key);
  EXPECT_THAT(html, HasSubstr("Sheet 1 of 2<"));
  EXPECT_LT(html.find("Sheet 2 of 2, after the answers to sheet 1"), html.find("2. Blocks"));
  EXPECT_THAT(sheets_text(key), HasSubstr("sheet 2 begins with step 2, which tells the answer to "
                                          "step1-predict"));
  std::vector<std::string> notes;
  (void)gift_text(key, &notes);
  EXPECT_THAT(notes, testing::Contains(HasSubstr("the text of step 2 tells the answer")));
}

TEST(CheckLesson, SaysWhyNothingIsShared) {
  const auto told = [](const char* requests, const char* engine) {
    std::string text = changed("block_size = 4\"", "blocks_saved(step=2) > 0\"");
    const auto replace = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    replace("{ \"name\": \"A\", \"prompt_tokens\": 10, \"max_tokens\": 3 }", requests);
    replace("\"num_blocks\": 8", std::string("\"num_blocks\": 16") + engine);
    for (const Mistake& mistake : check(text))
      if (mistake.found.starts_with("blocks_saved")) return mistake.advice;
    return std::string("nothing");
  };
  constexpr const char* kOne = R"({ "name": "A", "prompt_tokens": 10, "max_tokens": 3 })";
  constexpr const char* kTwo = R"({ "name": "A", "prompt_tokens": 10, "max_tokens": 3 },
                                  { "name": "B", "prompt_tokens": 10, "max_tokens": 3 })";
  EXPECT_THAT(told(kOne, ""), StartsWith("The run has one request"));
  EXPECT_THAT(told(kTwo, ""), StartsWith("Prefix caching is off"));
  EXPECT_THAT(told(kTwo, R"(, "enable_prefix_caching": true, "extended": true)"),
              HasSubstr("A and B"));
}

// A token may look like Markdown or HTML. A text does not read it as such.
TEST(Key, KeepsTheTextOfTokens) {
  const FrozenRun& run = *good_key()->steps[0].run;
  auto snapshot = std::make_shared<EngineSnapshot>(run.end());
  auto tokens = *snapshot->requests[0].tokens;
  tokens[3].text = SharedText(" <s>");
  tokens[4].text = SharedText("*a_b*");
  snapshot->requests[0].tokens = std::make_shared<const std::vector<TokenView>>(tokens);
  const FrozenRun odd(snapshot, run.events());
  Place place{.kind = PlaceKind::kCell, .request = 0, .layer = 0, .head = 0, .query = 4, .key = 3};
  EXPECT_EQ(place_text(place, odd), "query 4 “*a_b*”, key 3 “<s>”");
  const ParsedLesson parsed = parse_lesson(
      changed("The cache has blocks of {{block_size}}.", "It reads {{heaviest_key}}."), "l.md");
  ASSERT_TRUE(parsed.ok());
  const std::string text = filled(parsed.lesson->steps[1].text, odd);
  EXPECT_THAT(markdown_to_plain(text), HasSubstr("key 3 “<s>”"));
  EXPECT_THAT(markdown_to_html(text), HasSubstr("“&lt;s&gt;”"));
  EXPECT_EQ(markdown_to_plain(markdown_escaped("1. *a* &amp; `b` [c](d) \\ | # e")),
            "1. *a* &amp; `b` [c](d) \\ | # e");
  EXPECT_EQ(markdown_to_plain(markdown_escaped("a\n\nb\r\n# c")), "a  b  # c");
}

// The results go into cells of a spreadsheet, so they are plain words, not Markdown.
TEST(Walk, WritesAnswersInWords) {
  std::string text = changed("] Three >", "] {{heaviest_key}}, *three* >");
  const char* const fewer = "] Fewer than three >";
  text.replace(text.find(fewer), std::string_view(fewer).size(), "] Not {{heaviest_key}} >");
  const auto key = std::make_shared<const AnswerKey>(key_of(text));
  const std::string place = place_text(*key->steps[0].tasks[1].place, *key->steps[0].run);
  ASSERT_THAT(place, HasSubstr(", key 3"));
  for (const size_t chosen : {0u, 1u}) {
    Walk walk(key);
    walk.skip(0);
    walk.skip(1);
    walk.go_to(1);
    (void)walk.commit(0, ChoiceAnswer{chosen}, 1);
    const ResultRecord record = walk.records({"A", "0.1"}).at(3);
    EXPECT_EQ(record.actual, place + ", three");
    EXPECT_EQ(record.predicted, chosen == 0 ? "Not " + place : record.actual);
  }
}

TEST(Key, ShowsTheStepOfTheQuestion) {
  const AnswerKey& key = *good_key();
  EXPECT_EQ(key.steps[0].tasks[0].step, 0);  // 0: the last step
  EXPECT_EQ(key.steps[1].tasks[0].step, 1);
  // A goal names the step that it is about, unless the lesson gives its number.
  const FrozenRun& run = *key.steps[1].run;
  for (const auto& [text, step] :
       std::map<std::string, int64_t>{{"waste(step=1) < 0.1", 0},
                                      {"waste(step=fullest) < 0.1", run.peak().step_to_show},
                                      {"waste < 0.1", run.peak().step},
                                      {"num_requests = 1", 0}}) {
    Mistakes mistakes;
    const auto conditions = parse_conditions(text, 1, mistakes);
    ASSERT_THAT(conditions, SizeIs(1)) << text;
    EXPECT_EQ(value_of(conditions[0], run).step, step) << text;
    if (step > 0) {
      EXPECT_GT(step_of(conditions[0].left, run), 0) << text;
    }
  }
  const AnswerKey blocks = key_of(changed("predict kind=choice quantity=\"blocks_used(step=1)\"",
                                          "predict kind=choice quantity=\"num_requests + 2\""));
  EXPECT_EQ(blocks.steps[1].tasks[0].step, 0);  // the heatmap shows the last step
  std::string text = changed("predict kind=choice quantity=\"blocks_used(step=1)\"",
                             "predict kind=choice quantity=\"num_requests + 2\"");
  text.replace(text.find("scenario view=heatmap"), 21, "scenario view=blocks");
  EXPECT_EQ(key_of(text).steps[1].tasks[0].step, 1);  // the first step with three blocks
  EXPECT_THAT(lesson_page_html(key_of(text)), HasSubstr("\"shownStep\":1"));
}

// Request B begins and ends in one step, so it has no blocks in the state after any step.
TEST(LessonPage, RingsNoBlockThatNoStepShows) {
  std::string text(kGoodLesson);
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("\"prompt_tokens\": 10, \"max_tokens\": 3 }",
          "\"prompt_tokens\": 4, \"max_tokens\": 2 }, "
          "{ \"name\": \"B\", \"prompt_tokens\": 14, \"max_tokens\": 1 }");
  replace("\"num_blocks\": 8", "\"num_blocks\": 8, \"max_num_seqs\": 1");
  replace("scenario view=heatmap", "scenario view=blocks");
  const auto page = [&](const std::string& target) {
    std::string other = text;
    return lesson_page_html(
        key_of(other.replace(other.find("\"heaviest_key\""), 14, '"' + target + '"')));
  };
  const std::string of_b = page("block_of(token=0, request=1)");
  EXPECT_THAT(of_b, HasSubstr("\"shownStep\":1,"));
  EXPECT_THAT(of_b, HasSubstr("\"place\":{\"view\":\"blocks\",\"row\":false,\"step\":1}"));
  EXPECT_THAT(page("block_of(token=0, step=1)"),
              HasSubstr("\"place\":{\"view\":\"blocks\",\"row\":false,\"block\":0,\"step\":1}"));
}

TEST(LessonPage, AsksAndHoldsTheRunsAndLoadsNothing) {
  const std::string page = lesson_page_html(*good_key());
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("\"kind\":\"number\""));
  EXPECT_THAT(page, HasSubstr("\"near\":\"an answer up to 5 % too small or too large is right\""));
  EXPECT_THAT(page, HasSubstr("\"kind\":\"choice\""));
  EXPECT_THAT(page, HasSubstr("Tokens per block = 5"));
  EXPECT_THAT(page, HasSubstr("\"layers\":[{\"rows\":"));
  for (const char* outside : {"http:", "https:", "src=", "href=", "@import", "url("})
    EXPECT_THAT(page, Not(HasSubstr(outside)));
}

// The texts in single quotes that scripts pass to their functions say().
std::vector<std::string> said_texts(std::string_view script) {
  const std::regex say(R"(\bsay\('([^']*)')");
  std::vector<std::string> texts;
  for (std::cregex_iterator at(script.data(), script.data() + script.size(), say), end; at != end;
       ++at)
    texts.push_back((*at)[1]);
  return texts;
}

TEST(LessonPage, IsInTheLanguageOfTheLesson) {
  EXPECT_THAT(lesson_page_html(*good_key()), HasSubstr("\"words\":{}"));
  const std::string german = lesson_page_html(key_of(changed("language: en", "language: de")));
  EXPECT_THAT(german, HasSubstr("\"Timeline\":\"Zeitachse\""));
  EXPECT_THAT(german, HasSubstr("showRun(stage, runs[step.run], false, lesson.words)"));
}

TEST(LessonPage, EveryTextOfItsScriptsHasAGermanOne) {
  EXPECT_GT(said_texts(page_script()).size(), 50u);
  const LessonWords& german = words_of_language("de");
  const auto parts_of = [](std::string_view text) {
    size_t parts = 0;
    for (size_t at = text.find("{}"); at != std::string_view::npos; at = text.find("{}", at + 2))
      ++parts;
    return parts;
  };
  std::vector<std::string> texts = said_texts(lesson_page_html(*good_key()));  // of both scripts
  for (const std::string_view note :
       {page_notes::kOneLayer, page_notes::kOneHead, page_notes::kLastSteps, page_notes::kNoTiles,
        page_notes::kFirstSpans})
    texts.emplace_back(note);
  for (const std::string& text : texts) {
    const auto at = german.find(text);
    ASSERT_NE(at, german.end()) << text;
    EXPECT_EQ(parts_of(at->second), parts_of(text)) << text;
  }
  // In these places the script has no text of its own except through say().
  const std::string script(page_script());
  const std::regex bare(R"((textContent( =|:)|fillText\(|nothing\() *'[A-Za-z])");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(script, found, bare)) << found.str();
}

TEST(Gift, NumbersAndChoices) {
  std::vector<std::string> notes;
  const std::string gift = gift_text(*good_key(), &notes);
  EXPECT_THAT(gift, HasSubstr("::[plain]"));
  EXPECT_THAT(gift, HasSubstr("{#"));
  EXPECT_THAT(gift, HasSubstr("  =Three #Two full blocks and a half.\n"));
  EXPECT_THAT(gift, HasSubstr("  ~Fewer than three #"));
  EXPECT_THAT(notes, SizeIs(2));  // about the click and about the change
}

TEST(Skeleton, PassesTheCheck) {
  EXPECT_THAT(check(skeleton("my-lesson", "My lesson")), IsEmpty());
}

}  // namespace
}  // namespace attn::lesson
