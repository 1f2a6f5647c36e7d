// SPDX-License-Identifier: GPL-3.0-or-later
// Bad lessons: most are the good one with one change. Also random changes of a lesson, which must
// not crash (ATTN_LESSON_MUTATIONS: how many, 1,000 by default).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/register_all.h"
#include "engine/core/rng.h"
#include "engine/lesson/run/answer_key.h"
#include "tests/engine/lesson/good_lesson.h"

namespace attn::lesson {
namespace {

using testing::HasSubstr;

struct Bad {
  const char* name;
  const char* from;  // replaced by `to`
  const char* to;
  const char* what;    // a part of the message
  int line_after = 0;  // line of the mistake minus line of the change
};
// Special values of line_after. kWhole: the mistake has no line (0). kFirst: it is in line 1.
constexpr int kWhole = -1000, kFirst = -2000;

constexpr Bad kBad[] = {
    // --- Front matter ---
    {"NoFrontMatter", "---\nid", "id", "does not begin with its front matter", kFirst},
    {"FrontMatterWithoutEnd", "version: 3\n---\n", "version: 3\n", "has no end", kFirst},
    {"IdWithCapitals", "good-lesson", "Good-Lesson", "`id` has a wrong value"},
    {"IdMissing", "id: good-lesson\n", "", "has no `id`", kFirst},
    {"TitleEmpty", "title: A good lesson", "title:", "`title` has a wrong value"},
    {"LanguageInWords", "language: en", "language: English", "`language` has a wrong value"},
    {"VersionZero", "version: 3", "version: 0", "`version` has a wrong value"},
    {"VersionText", "version: 3", "version: three", "`version` has a wrong value"},
    {"NeedsUnknownModel", "needs: nothing", "needs: model tinystories", "no such bundled model"},
    {"NeedsOtherWord", "needs: nothing", "needs: everything", "`needs` has a wrong value"},
    {"UnknownFrontKey", "part: Tests", "prat: Tests", "has no such key"},
    {"FrontKeyTwice", "part: Tests", "part: Tests\npart: More", "given twice", 1},
    {"FrontLineWithoutValue", "part: Tests", "Tests", "has no value"},
    // --- Steps and texts ---
    {"NoSteps", "## One row", "### One row", "before the first step"},
    {"TextBeforeSteps", "## One row", "Hello.\n\n## One row", "before the first step"},
    {"HeadingOfLevelOne", "The cache has", "# The cache\n\nThe cache has", "heading of this level"},
    {"StepWithoutTitle", "## Blocks", "## ", "the title of a step"},
    {"TextAfterDirective", ":::observe kind=click", "And now?\n\n:::observe kind=click",
     "after a directive of its step"},
    {"Link", "*one* portion", "[one](http://a.b) portion", "no links"},
    {"Picture", "*one* portion", "![one](a.png) portion", "no pictures"},
    {"Html", "*one* portion", "<b>one</b> portion", "no HTML"},
    {"ControlCharacter", "*one* portion", "\x01 portion", "control character"},
    {"NotUtf8", "*one* portion", "\xff portion", "not UTF-8"},
    {"InsertionWithoutEnd", "{{visible_keys}}", "{{visible_keys", "has no end"},
    {"InsertionOfUnknown", "{{visible_keys}}", "{{visible_key}}", "no such quantity"},
    {"InsertionInWrongUnit", "{{visible_keys}}", "{{visible_keys | ms}}", "in this unit"},
    {"PlaceInCode", "*one* portion", "`{{heaviest_key}}` portion", "cannot stand in code"},
    {"PlaceInABlockOfCode", "The cache has", "```\na\n{{heaviest_key}}\n```\nThe cache has",
     "cannot stand in code", 2},
    {"InsertionWithWrongDecimals", "{{block_size}}", "{{block_size | tokens | x}}", "decimals"},
    // --- Directives ---
    {"UnknownDirective", ":::hint\nLook for", ":::hnit\nLook for", "no such directive"},
    {"DirectiveWithoutEnd", "bright column.\n:::\n", "bright column.\n", "is not closed", -1},
    {"EndWithoutDirective", "## Blocks", ":::\n\n## Blocks", "none is open"},
    {"UnknownAttribute", "unit=% tolerance=5", "unit=% tolerance=5 colour=red",
     "no such attribute"},
    {"AttributeTwice", "unit=% tolerance=5", "unit=% unit=% tolerance=5", "given twice"},
    {"AttributeWithoutValue", "unit=% tolerance=5", "unit= tolerance=5", "has no value"},
    {"QuoteWithoutEnd", "target=\"heaviest_key\"", "target=\"heaviest_key", "no closing quote"},
    {"NotAnAttribute", "unit=% tolerance=5", "unit=% tolerance", "not an attribute"},
    {"UnknownView", ":::reveal view=heatmap", ":::reveal view=heatmaps",
     "does not have this value"},
    {"HintBeforeATask", ":::fact that", ":::hint\nNo.\n:::\n\n:::fact that", "none before it"},
    {"TooManyHints", ":::reveal", ":::hint\na\n:::\n\n:::hint\nb\n:::\n\n:::reveal",
     "too many hints", 4},
    {"EmptyHint", "Look for a bright column.\n", "", "a hint is empty", -1},
    {"EmptyExplanation", "It is more.\n", "", "an explanation is empty", -1},
    {"TwoReveals", ":::explain when=low", ":::reveal view=tiles\n:::\n\n:::explain when=low",
     "two reveals"},
    {"RevealWithText", "at=\"weight(key=3)\"\n:::\n\n:::explain",
     "at=\"weight(key=3)\"\nHere.\n:::\n\n:::explain", "a reveal has no text", 1},
    {"WrongOutcome", ":::explain when=low", ":::explain when=wrong", "no answer of this task"},
    {"NoExplanation", ":::explain when=wrong\nLook again.\n:::\n", "", "has no explanation", -4},
    {"FactThatIsNoCondition", "block_size = 4\"", "block_size\"", "not a condition"},
    // --- Questions ---
    {"NoKind", ":::predict kind=number", ":::predict", "has no `kind`"},
    {"UnknownKind", ":::predict kind=number", ":::predict kind=guess", "does not have this value"},
    {"NoQuantity", " quantity=\"weight(key=3)\" unit", " unit", "has no `quantity`"},
    {"UnknownQuantity", "quantity=\"weight(key=3)\"", "quantity=\"wieght(key=3)\"",
     "no such quantity"},
    {"UnknownArgument", "quantity=\"weight(key=3)\"", "quantity=\"weight(kye=3)\"",
     "no such argument"},
    {"ArgumentTwice", "quantity=\"weight(key=3)\"", "quantity=\"weight(key=3, key=4)\"",
     "argument is given twice"},
    {"ArgumentOfAnotherKind", "quantity=\"weight(key=3)\"", "quantity=\"weight(key=first)\"",
     "does not take this"},
    {"BracketWithoutEnd", "quantity=\"weight(key=3)\"", "quantity=\"weight(key=3\"", "not closed"},
    {"TextAfterExpression", "quantity=\"weight(key=3)\"", "quantity=\"weight(key=3) 5\"",
     "does not belong"},
    {"PlaceAsNumber", "quantity=\"weight(key=3)\" unit=%", "quantity=\"heaviest_key\" max=9",
     "is a place and not a number"},
    {"NumberAsPlace", "target=\"heaviest_key\"", "target=\"steps\"", "no place"},
    {"NoTolerance", " tolerance=5", "", "how near an answer must be"},
    {"NegativeTolerance", " tolerance=5", " tolerance=-5", "is not a number in its range"},
    {"SliderWithoutLength", " tolerance=5", " tolerance=5 min=50 max=50", "no length"},
    {"NoSlider", "quantity=\"weight(key=3)\" unit=%", "quantity=\"steps\"",
     "how far its slider goes"},
    {"TypedAnswer", "- [= 3] Three", "- [x] Three", "the right answer is typed"},
    {"OptionWithoutExplanation", " > Two full blocks and a half.", "", "no explanation of its own"},
    {"OneOption",
     "- [< 3] Fewer than three > Ten tokens do not fit into two blocks of four.\n- [= 3] "
     "Three > Two full blocks and a half.\n",
     "", "number of answers", -2},
    {"PredictionAfterTheRunWasShown", ":::explain when=wrong\nLook again.\n:::\n",
     ":::explain when=wrong\nLook again.\n:::\n\n:::predict kind=choice\nWhat?\n- [block_size = 4] "
     "A > a\n- [block_size != 4] B > b\n:::\n",
     "when the run of its step was shown", 4},
    {"TooManyPredictions", ":::observe kind=click",
     ":::predict kind=choice\nWhat?\n- [block_size = 4] A > a\n- [block_size != 4] B > b\n:::\n"
     ":::predict kind=choice\nWhat?\n- [block_size = 4] A > a\n- [block_size != 4] B > b\n:::\n"
     ":::predict kind=choice\nWhat?\n- [block_size = 4] A > a\n- [block_size != 4] B > b\n:::\n"
     ":::predict kind=choice\nWhat?\n- [block_size = 4] A > a\n- [block_size != 4] B > b\n:::\n"
     "\n:::observe kind=click",
     "too many predictions", 15},
    {"NoQuestion", "Click the cell with the largest weight.\n", "", "has no question", -1},
    // --- Scenarios ---
    {"NoScenario", ":::scenario view=heatmap\n{", ":::fact that=\"steps > 0\"\n:::\n\n:::hint\n{",
     "no scenario", -4},
    {"EmptyScenario", ":::scenario view=heatmap\n{", ":::scenario view=heatmap\n:::\n\n:::hint\n{",
     "the scenario is empty"},
    {"UnknownShippedScenario", ":::scenario view", ":::scenario name=first-lok view",
     "no such scenario"},
    {"PreviousOfTheFirst", ":::scenario view", ":::scenario name=previous view",
     "no scenario before"},
    {"JsonFault", "\"num_blocks\": 8 }", "\"num_blocks\": 8, }", "JSON"},
    {"UnknownScenarioKey", "\"num_blocks\": 8 }", "\"num_block\": 8 }", "unknown key"},
    {"ScenarioValueOutOfRange", "\"num_blocks\": 8 }", "\"num_blocks\": 0 }", "out of range"},
    {"ModelThatIsNotNamed",
     "\"synthetic\": { \"kind\": \"needle\", \"num_layers\": 1, \"num_heads\": 2, "
     "\"num_kv_heads\": 1,\n                             \"head_size\": 32, "
     "\"needle_position\": 3 } },\n  \"requests\": [ { \"name\": \"A\", \"prompt_tokens\": 10,",
     "\"model\": \"tinystories-gqa\" },\n  \"requests\": [ { \"prompt\": \"A\",", "does not name",
     -2},
    // --- Goals ---
    {"NoControls", "controls=\"block_size\" goal", "goal", "has no `controls`"},
    {"UnknownControl", "controls=\"block_size\" goal", "controls=\"block\" goal",
     "no such control"},
    {"NoGoal", " goal=\"waste(step=1) < 0.1\"", "", "has no `goal`"},
    {"GoalThatIsNoCondition", "goal=\"waste(step=1) < 0.1\"", "goal=\"waste\"", "not a condition"},
    {"NoSolution", " solution=\"block_size=5\"", "", "has no `solution`"},
    {"SolutionOfAnotherControl", "solution=\"block_size=5\"", "solution=\"num_blocks=5\"",
     "cannot change"},
    {"ControlThatTheScenarioLacks", "controls=\"block_size\" goal",
     "controls=\"block_size, prompt\" goal", "no such control"},
};

int line_at(std::string_view text, size_t at) {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

class BadLesson : public testing::TestWithParam<Bad> {};

TEST_P(BadLesson, IsRefusedWithLineFoundAndAllowed) {
  register_all_backends();
  const Bad& bad = GetParam();
  std::string text(kGoodLesson);
  const size_t at = text.find(bad.from);
  ASSERT_NE(at, std::string::npos) << bad.from;
  text.replace(at, std::string_view(bad.from).size(), bad.to);
  const ParsedLesson parsed = parse_lesson(text, "bad.md");
  ASSERT_FALSE(parsed.ok());
  ASSERT_FALSE(parsed.mistakes.empty());
  const auto found = std::ranges::find_if(parsed.mistakes, [&](const Mistake& mistake) {
    return mistake.what.find(bad.what) != std::string::npos;
  });
  ASSERT_NE(found, parsed.mistakes.end()) << bad.what << "; told was:\n" << parsed.error().what();
  const int line = bad.line_after == kWhole   ? 0
                   : bad.line_after == kFirst ? 1
                                              : line_at(text, at) + bad.line_after;
  EXPECT_EQ(found->line, line) << parsed.error().what();
  EXPECT_FALSE(found->found.empty()) << found->what;
  EXPECT_FALSE(found->allowed.empty()) << found->what;
  EXPECT_THAT(parsed.error().what(), HasSubstr("bad.md"));
}

INSTANTIATE_TEST_SUITE_P(Table, BadLesson, testing::ValuesIn(kBad),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(BadLessons, ThereAreSixtyOfThem) {
  EXPECT_GE(std::size(kBad), 60u);
}

TEST(BadLessons, LimitsOfSize) {
  register_all_backends();
  EXPECT_THAT(parse_lesson(std::string(kMostLessonBytes + 1, 'a'), "a").error().what(),
              HasSubstr("too long"));
  std::string steps(kGoodLesson);
  for (size_t i = 0; i < kMostSteps; ++i) steps += "\n## More\n\nText.\n";
  EXPECT_THAT(parse_lesson(steps, "a").error().what(), HasSubstr("too many steps"));
  std::string deep(kGoodLesson);
  deep.replace(deep.find("weight(key=3)"), 13, std::string(200, '(') + "1" + std::string(200, ')'));
  EXPECT_THAT(parse_lesson(deep, "a").error().what(), HasSubstr("brackets within brackets"));
  for (const char* text : {"", "\n", "---", "---\n---\n", ":::", "## ", "{{"})
    EXPECT_FALSE(parse_lesson(text, "a").ok()) << text;
}

TEST(BadLessons, RandomChangesDoNotCrash) {
  register_all_backends();
  const char* asked = std::getenv("ATTN_LESSON_MUTATIONS");
  const long mutations = asked ? std::atol(asked) : 1000;
  Rng rng(20);
  const auto below = [&](size_t count) { return static_cast<size_t>(rng.below(count)); };
  constexpr std::string_view kParts[] = {
      ":::",  "\n:::\n", "{{", "}}",   "(",  ")",   "\"",
      "##  ", "- [",     "] ", "=",    "..", " > ", "|",
      "0",    "-",       "\\", "\xff", "*",  "<",   "99999999999999999999",
      "key=", "last",    "and"};
  for (long i = 0; i < mutations; ++i) {
    std::string text(kGoodLesson);
    for (size_t changes = 1 + below(4); changes > 0; --changes) {
      const size_t at = below(text.size());
      const size_t length = std::min(text.size() - at, 1 + below(40));
      switch (below(5)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(below(text.size()), length));
          break;
        case 2:
          text.insert(at, kParts[below(std::size(kParts))]);
          break;
        case 3:
          if (!text.empty()) text[at] = static_cast<char>(below(256));
          break;
        default:
          text.resize(at);
      }
      if (text.empty()) break;
    }
    const ParsedLesson parsed = parse_lesson(text, "m.md");
    ASSERT_EQ(parsed.ok(), parsed.mistakes.empty());
    const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const Mistake& mistake : parsed.mistakes) {
      ASSERT_GE(mistake.line, 0) << mistake.what;
      ASSERT_LE(mistake.line, lines) << mistake.what;
      ASSERT_FALSE(mistake.what.empty());
    }
    if (parsed.ok() && i % 20 == 0) (void)check_lesson(parsed.lesson);
  }
}

}  // namespace
}  // namespace attn::lesson
