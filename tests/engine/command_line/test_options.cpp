// SPDX-License-Identifier: GPL-3.0-or-later
// Options, which holds the words of a command line: what is read from them, what is refused, and
// the text of --help.
#include "engine/command_line/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace attn {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

const CommandSpec kCommand = {"attn try",
                              "Tries something.",
                              {{"FILE", "what it is"}, {"MORE", "what it may be", false}},
                              {{"--model", "DIR", "a folder\nor a name"},
                               {"--backends", "A,B,...", "names"},
                               {"--steps", "N", "a number"},
                               {"--greedy", "", "a flag"}},
                              "A note."};

void expect_refused(const Words& words, const std::string& message) {
  try {
    const Options options(kCommand, words);
    ADD_FAILURE() << "accepted, not " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_THAT(error.what(), HasSubstr(message));
  }
}

TEST(Options, ValuesFlagsAndWords) {
  for (const Words& words :
       {Words{"a", "--model", "m", "--greedy"}, {"--greedy", "--model=m", "a"}}) {
    const Options options(kCommand, words);
    EXPECT_FALSE(options.help());
    EXPECT_EQ(options.required_text("FILE"), "a");
    EXPECT_EQ(options.text("--model"), "m");
    EXPECT_TRUE(options.has("--greedy"));
    EXPECT_FALSE(options.has("MORE"));
    EXPECT_EQ(options.integer("--steps", 7, 0, 9), 7);
  }
  EXPECT_EQ(Options(kCommand, {"--", "--greedy"}).text("FILE"), "--greedy");
  EXPECT_EQ(Options(kCommand, {"a", "-"}).text("MORE"), "-");
}

TEST(Options, ValuesThatLookLikeSomethingElse) {
  for (const char* value :
       {"-1", "--greedy", "--model=", "a=", "=", "[a,b]", "{}", "\"a\"", "a b", "true"})
    EXPECT_EQ(Options(kCommand, {"a", "--model", value}).text("--model"), value);
  EXPECT_EQ(Options(kCommand, {"a", "--model=b=c="}).text("--model"), "b=c=");
}

TEST(Options, WhatIsWrongIsSaid) {
  expect_refused({"a", "--modle", "m"},
                 "unknown option at attn try: found `--modle`. Did you mean `--model`?");
  expect_refused({"a", "--modle=m"}, "found `--modle`");
  expect_refused({"a", "-x"}, "found `-x`. See `attn try --help`.");
  expect_refused({"a", "--model"},
                 "the value is missing at attn try --model: found nothing, allowed --model DIR");
  expect_refused({"--model=", "a"},
                 "the value is empty at attn try --model: found '', allowed --model DIR");
  expect_refused({"a", "--model", ""}, "the value is empty at attn try --model");
  expect_refused({"a", "--greedy=1"}, "this option takes no value at attn try --greedy");
  expect_refused({"a", "--greedy="}, "this option takes no value at attn try --greedy");
  expect_refused({"a", "--greedy", "--greedy"}, "option given twice at attn try --greedy");
  expect_refused({"a", "--model=b", "--model", "c"}, "option given twice at attn try --model");
  expect_refused({}, "an argument is missing at attn try: found nothing, allowed FILE MORE");
  expect_refused({"a", "b", "c="}, "found `c=`, allowed FILE MORE");
  expect_refused({"a", "b", "c"}, "too many arguments at attn try: found `c`, allowed FILE MORE");
}

TEST(Options, HelpChecksNamesOnly) {
  for (const Words& words :
       {Words{"-h"}, {"--model", "--help"}, {"--help", "--greedy", "--greedy", "--model="}})
    EXPECT_TRUE(Options(kCommand, words).help());
  expect_refused({"--help", "--foo"}, "unknown option");
  const std::string help = help_text(kCommand);
  for (const char* part :
       {"Tries something.", "Usage: attn try [options] FILE [MORE]\n", "  FILE ", "what it is",
        "--model DIR ", "or a name", "--greedy ", "this text", "\nA note.\n"})
    EXPECT_THAT(help, HasSubstr(part));
}

TEST(Options, NumbersAndChoices) {
  const auto steps = [](const char* value) {
    return Options(kCommand, {"a", "--steps", value}).integer("--steps", 0, -5, 9);
  };
  EXPECT_EQ(steps("-5"), -5);
  for (const char* wrong : {"10", "1.5", "ten", "1 ", "0x1", "99999999999999999999"})
    EXPECT_THROW(steps(wrong), Error) << wrong;
  const Options options(kCommand, {"a", "--backends", "one,two"});
  EXPECT_EQ(options.choices("--backends", {"one", "two"}), (Words{"one", "two"}));
  EXPECT_THROW(options.choices("--backends", {"one"}), Error);
  EXPECT_THROW(options.choice("--backends", "", {"one"}), Error);
  EXPECT_EQ(options.choice("--model", "other", {"one"}), "other");
  EXPECT_EQ(comma_list("a,,b,"), (Words{"a", "", "b", ""}));
  EXPECT_EQ(whole_number("12x"), std::nullopt);
}

}  // namespace
}  // namespace attn
