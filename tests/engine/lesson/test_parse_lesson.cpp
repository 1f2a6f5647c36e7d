// SPDX-License-Identifier: GPL-3.0-or-later
// The reader of lesson files and of their expressions. Also how values are shown, and Markdown as
// HTML and as plain text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/register_all.h"
#include "engine/lesson/format/markdown.h"
#include "engine/lesson/format/parse_expression.h"
#include "engine/lesson/format/parse_lesson.h"
#include "tests/engine/lesson/good_lesson.h"

namespace attn::lesson {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ParsedLesson parse(std::string_view text) {
  register_all_backends();
  return parse_lesson(text, "folder/lesson.md");
}

TEST(ParseLesson, AGoodLesson) {
  const ParsedLesson parsed = parse(kGoodLesson);
  ASSERT_TRUE(parsed.ok()) << parsed.error().what();
  const Lesson& lesson = *parsed.lesson;
  EXPECT_EQ(lesson.about.id, "good-lesson");
  EXPECT_EQ(lesson.about.title, "A good lesson");
  EXPECT_EQ(lesson.about.version, 3);
  EXPECT_THAT(lesson.about.needs_models, IsEmpty());
  EXPECT_EQ(lesson.origin, "lesson.md");
  EXPECT_EQ(lesson.hash.size(), 16u);
  ASSERT_THAT(lesson.steps, SizeIs(2));
  const Step& first = lesson.steps[0];
  EXPECT_EQ(first.title, "One row");
  EXPECT_EQ(first.view, "heatmap");
  EXPECT_EQ(first.line, 10);
  EXPECT_EQ(first.scenario.engine.clock, ClockKind::kVirtual);
  EXPECT_EQ(first.scenario.engine.threads, 2);
  EXPECT_THAT(first.facts, SizeIs(2));
  ASSERT_THAT(first.tasks, SizeIs(2));
  const auto& number = std::get<NumberQuestion>(first.tasks[0].form);
  EXPECT_EQ(number.measure.unit, "%");
  EXPECT_EQ(number.measure.scale, 100);
  EXPECT_EQ(number.tolerance, 5);
  EXPECT_EQ(number.max, 100);
  EXPECT_THAT(first.tasks[0].hints, SizeIs(2));
  EXPECT_FALSE(first.tasks[0].hints[0].show);
  EXPECT_TRUE(first.tasks[0].hints[1].show);
  EXPECT_TRUE(first.tasks[0].reveal);
  EXPECT_THAT(first.tasks[0].explanations, SizeIs(2));
  EXPECT_EQ(first.tasks[0].name, "step1-predict");
  EXPECT_EQ(std::get<ClickQuestion>(first.tasks[1].form).kind, PlaceKind::kCell);
  EXPECT_EQ(lesson.steps[1].scenario, first.scenario);
  const auto& choice = std::get<ChoiceQuestion>(lesson.steps[1].tasks[0].form);
  EXPECT_THAT(choice.options, SizeIs(3));
  const auto& goal = std::get<Goal>(lesson.steps[1].tasks[1].form);
  EXPECT_THAT(goal.solution, ElementsAre(Setting{"block_size", "5"}));
  EXPECT_EQ(lesson.num_tasks(), 4u);
  EXPECT_GT(lesson.minutes(), 0.5);
  EXPECT_LT(lesson.minutes(), 5);
}

TEST(ParseLesson, LineEndsAndAByteOrderMarkDoNotMatter) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : kGoodLesson) text += c == '\n' ? "\r\n" : std::string(1, c);
  const ParsedLesson parsed = parse(text);
  ASSERT_TRUE(parsed.ok()) << parsed.error().what();
  EXPECT_EQ(parsed.lesson->steps[1].title, "Blocks");
}

TEST(ParseLesson, AllMistakesAreToldAtOnce) {
  std::string text(kGoodLesson);
  const auto change = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  change("language: en", "language: English");
  change("weight(key=3)", "wieght(key=3)");
  change(":::hint\n", ":::hnit\n");
  change("controls=\"block_size\"", "controls=\"block_sice\"");
  const ParsedLesson parsed = parse(text);
  ASSERT_FALSE(parsed.ok());
  std::vector<int> lines;
  for (const Mistake& mistake : parsed.mistakes) lines.push_back(mistake.line);
  EXPECT_TRUE(std::ranges::is_sorted(lines));
  const std::string all = parsed.error().what();
  for (const char* part : {"lesson.md, line 4", "Did you mean `weight`?", "Did you mean `hint`?",
                           "Did you mean `block_size`?"})
    EXPECT_THAT(all, HasSubstr(part));
}

TEST(ParseExpression, PrecedenceUnitsAndPlaces) {
  Mistakes mistakes;
  EXPECT_EQ(parse_expression("1 + 2 * 3", 1, mistakes).nodes.size(), 5u);
  EXPECT_EQ(parse_expression("weight(key=0)", 1, mistakes).unit, "part");
  EXPECT_EQ(parse_expression("weight(key=0) - weight(key=1)", 1, mistakes).unit, "part");
  EXPECT_EQ(parse_expression("weight(key=0) / weight(key=1)", 1, mistakes).unit, "");
  EXPECT_EQ(parse_expression("steps * 2", 1, mistakes).unit, "steps");
  EXPECT_EQ(parse_expression("(steps - 1) / 2", 1, mistakes).unit, "steps");
  EXPECT_TRUE(parse_expression("heaviest_key(query=last_prompt)", 1, mistakes).is_place);
  EXPECT_EQ(parse_measure("modelled_time", "ms", 1, 1, mistakes).scale, 1e-6);
  EXPECT_EQ(parse_condition("steps = 3..5", nullptr, 1, mistakes).relation, Relation::kBetween);
  EXPECT_EQ(parse_conditions("steps < 5 and waste(step=1) >= 0.5", 1, mistakes).size(), 2u);
  EXPECT_TRUE(mistakes.empty()) << mistakes.sorted()[0].what;
}

TEST(ParseExpression, HowValuesAreShown) {
  Mistakes mistakes;
  const auto text = [&](const char* expression, const char* unit, int decimals, double value) {
    return shown(parse_measure(expression, unit, decimals, 1, mistakes), value);
  };
  EXPECT_EQ(text("weight(key=0)", "%", -1, 0.125), "12.5 %");
  EXPECT_EQ(text("weight(key=0)", "%", 0, 0.99), "99 %");
  EXPECT_EQ(text("weight(key=0)", "", 2, 0.125), "0.12");
  EXPECT_EQ(text("steps", "", -1, 1), "1 step");
  EXPECT_EQ(text("steps", "", -1, 7), "7 steps");
  EXPECT_EQ(text("steps", "-", -1, 7), "7");
  EXPECT_EQ(text("modelled_time", "ms", 2, 1.5e6), "1.50 ms");
  EXPECT_EQ(text("cache_bytes", "KiB", -1, 2048), "2 KiB");
  EXPECT_EQ(text("score(key=0)", "", 1, -0.01), "0.0");
}

TEST(Markdown, HtmlAndPlainText) {
  EXPECT_EQ(markdown_to_html("a *b* & <c>"), "<p>a <em>b</em> &amp; &lt;c&gt;</p>\n");
  EXPECT_EQ(markdown_to_plain("one\n\n- a\n- b\n"), "one\n\n- a\n- b");
  EXPECT_EQ(markdown_to_plain("a &amp; b&nbsp;c &#x2014; &#100; &#x1F600; &#0; `&amp;` &none; &"),
            "a & b\u00a0c — d \U0001F600 \uFFFD &amp; &none; &");
  EXPECT_EQ(markdown_to_html("a &amp; b"), "<p>a &amp; b</p>\n");
  EXPECT_THAT(markdown_to_html("| a | b |\n|---|---|\n| 1 | 2 |"), HasSubstr("<td>1</td>"));
  EXPECT_THAT(markdown_mistakes("plain *text*, `code` and\n\n### a heading"), IsEmpty());
  constexpr std::string_view kCode = "a `b` c\n\n    d\n\n\\`e\\`";
  const std::vector<bool> in_code = bytes_in_code(kCode);
  for (const char sign : {'a', 'b', 'c', 'd', 'e'})
    EXPECT_EQ(in_code[kCode.find(sign)], sign == 'b' || sign == 'd') << sign;
  const auto mistakes = markdown_mistakes("first\n\nsee [here](http://a.b)\n\n![x](y.png)\n");
  ASSERT_THAT(mistakes, SizeIs(2));
  EXPECT_THAT(mistakes[0].what, HasSubstr("no links"));
  EXPECT_THAT(mistakes[1].found, HasSubstr("y.png"));
}

}  // namespace
}  // namespace attn::lesson
