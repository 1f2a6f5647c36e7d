// SPDX-License-Identifier: GPL-3.0-or-later
// `attn lesson`: check, new, handout, gift, html, quantities, list, and collect without results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/lesson/quantity/quantity.h"
#include "tests/engine/lesson/good_lesson.h"
#include "tests/engine/session/attn_program.h"

namespace attn::lesson {
namespace {

using test::attn_program;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;
using Result = test::ProgramResult;

std::string write(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file) << text;
  return file.string();
}

TEST(CliLesson, CheckPrintsTheKeyOrTheMistakes) {
  const TemporaryFolder folder;
  const std::string good = write(folder.path() / "good.md", kGoodLesson);
  std::string text(kGoodLesson);
  text.replace(text.find("weight(key=3)"), 13, "wieght(key=3)");
  text.replace(text.find("block_size=5"), 12, "block_sise=5");
  const std::string bad = write(folder.path() / "bad.md", text);
  std::string unreached(kGoodLesson);
  unreached.replace(unreached.find("block_size=5"), 12, "block_size=7");
  const std::string run = write(folder.path() / "run.md", unreached);

  Result result = attn_program({"lesson", "check", good});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("good.md: 2 steps, 4 tasks"));
  EXPECT_THAT(result.out, HasSubstr("step2-predict      Three\n"));
  result = attn_program({"lesson", "check", "--quiet", good, bad, run});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out, HasSubstr("1 of 3 lessons are fine"));
  EXPECT_THAT(result.out, Not(HasSubstr("Three")));
  EXPECT_THAT(result.err, HasSubstr("bad.md, line 26"));
  EXPECT_THAT(result.err, HasSubstr("Did you mean `weight`?"));
  EXPECT_THAT(result.err, HasSubstr("the solution sets what the learner cannot change"));
  EXPECT_THAT(result.err, HasSubstr("the solution does not reach the goal at run.md"));
  EXPECT_EQ(attn_program({"lesson", "check", "/no/such.md"}).code, 2);
  EXPECT_EQ(attn_program({"lesson", "check"}).code, 2);
  result = attn_program({"lesson", "chek", good});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("Did you mean `check`?"));
}

TEST(CliLesson, NewWritesALessonThatIsFine) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "waste.md").string();
  Result result = attn_program({"lesson", "new", "waste", "--title", "Empty slots", "--out", file});
  EXPECT_EQ(result.code, 0) << result.err;
  result = attn_program({"lesson", "check", file});
  EXPECT_EQ(result.code, 0) << result.err;
  result = attn_program({"lesson", "new", "waste", "--out", file});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("already"));
  result = attn_program({"lesson", "new", "Big Waste", "--out", file + "2"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("`id` has a wrong value"));
}

TEST(CliLesson, HandoutGiftAndLists) {
  const TemporaryFolder folder;
  const std::string good = write(folder.path() / "good.md", kGoodLesson);
  Result result = attn_program({"lesson", "handout", good, "--key"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("<!DOCTYPE html>"));
  const std::string out = (folder.path() / "q.gift").string();
  result = attn_program({"lesson", "gift", good, "--out", out});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(test::read_file(out), HasSubstr("=Three"));
  EXPECT_THAT(result.err, HasSubstr("was left out"));
  EXPECT_EQ(attn_program({"lesson", "gift", good, "--out", good}).code, 2);
  EXPECT_EQ(attn_program({"lesson", "html", good, "--out", good}).code, 2);
  const std::string page = (folder.path() / "lesson.html").string();
  result = attn_program({"lesson", "html", good, "--out", page});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(test::read_file(page), HasSubstr("showLesson"));
  result = attn_program({"lesson", "quantities"});
  for (const Quantity& quantity : all_quantities())
    EXPECT_THAT(result.out, HasSubstr(std::string("  ") + quantity.name + "("));
  result = attn_program({"lesson", "list"});
  EXPECT_THAT(result.out, HasSubstr("01-attention-by-hand"));
  // The folder has no results.
  EXPECT_EQ(attn_program({"lesson", "collect", folder.path().string()}).code, 2);
}

}  // namespace
}  // namespace attn::lesson
