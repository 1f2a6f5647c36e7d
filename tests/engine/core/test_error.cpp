// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/error.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/core/files/problems.h"

namespace attn {
namespace {

TEST(Error, HasTheFormOfTheDocuments) {
  const Error error(ErrorCode::kBadInput, {"block size is out of range", "$.engine.block_size", "0",
                                           "1 to 256 tokens", "Use 16"});
  EXPECT_STREQ(error.what(),
               "block size is out of range at $.engine.block_size: found 0, allowed 1 to 256 "
               "tokens. Use 16.");
  EXPECT_EQ(error.exit_code(), 2);
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error(ErrorCode::kFailed, {"no space left", "report.csv", "", "", ""}).what(),
               "no space left at report.csv");
}

// Names come from files and could send control codes to the terminal.
TEST(Error, WhatIsNotPrintableIsEscaped) {
  EXPECT_STREQ(Error(ErrorCode::kBadInput,
                     {"unknown tensor", "a.st", "\"\x1b[31m\n\xe2\x80\xae\xff\"", "\"größe\"", ""})
                   .what(),
               "unknown tensor at a.st: found \"\\x1B[31m\\x0A\\xE2\\x80\\xAE\\xFF\", allowed "
               "\"größe\"");
  EXPECT_STREQ(Error(ErrorCode::kFailed, {std::string("a\0b", 3), "", "", "", ""}).what(),
               "a\\x00b");
}

TEST(Error, RefusalKeepsItsSentences) {
  const Error error = Error::not_supported({"One reason.", "Another."});
  EXPECT_EQ(error.exit_code(), 3);
  EXPECT_EQ(error.sentences().size(), 2u);
  EXPECT_STREQ(error.what(), "One reason.\nAnother.");
}

TEST(Problems, AreToldTogetherAndOneAloneAsItIs) {
  Problems problems;
  EXPECT_NO_THROW(problems.throw_if_any());
  EXPECT_TRUE(problems.holds([] {}));
  const Error first(ErrorCode::kNotSupported, {"biases are not supported", "$.bias", "", "", ""});
  EXPECT_FALSE(problems.holds([&] { throw first; }));
  EXPECT_EQ(problems.error().parts().where, "$.bias");
  EXPECT_EQ(problems.error().exit_code(), 3);
  problems.add({ErrorCode::kFailed, {"file cannot be read", "", "", "", ""}});
  EXPECT_EQ(problems.error().exit_code(), 1);
  problems.add({ErrorCode::kBadInput, {"tensor is missing", "", "", "", ""}});
  EXPECT_EQ(problems.error().exit_code(), 2);
  EXPECT_STREQ(problems.error().what(),
               "biases are not supported at $.bias\nfile cannot be read\ntensor is missing");
  EXPECT_THROW(problems.holds([] { throw Error(ErrorCode::kCancelled, {}); }), Error);
  problems.add(first);
  EXPECT_EQ(problems.all().size(), 3u);
  for (int i = 0; i < 30; ++i)
    problems.add({ErrorCode::kBadInput, {fmt::format("tensor {} is missing", i), "", "", "", ""}});
  EXPECT_EQ(problems.sentences().size(), 21u);
  EXPECT_EQ(problems.sentences().back(), "... and 13 more.");
}

TEST(Error, FailedAndCancelledExitWithOne) {
  EXPECT_EQ(Error(ErrorCode::kFailed, {}).exit_code(), 1);
  EXPECT_EQ(Error(ErrorCode::kCancelled, {}).exit_code(), 1);
}

}  // namespace
}  // namespace attn
