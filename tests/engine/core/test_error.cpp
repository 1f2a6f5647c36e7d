// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/error.h"

#include <gtest/gtest.h>

namespace attn {
namespace {

TEST(Error, HasTheFormOfTheDocuments) {
  const Error error(ErrorCode::kBadInput, {"block size is out of range", "$.engine.block_size", "0",
                                           "1 to 256 tokens", "Use 16"});
  EXPECT_STREQ(error.what(),
               "block size is out of range at $.engine.block_size: found 0, allowed 1 to 256 "
               "tokens. Use 16");
  EXPECT_EQ(error.exit_code(), 2);
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_STREQ(Error(ErrorCode::kFailed, {"no space left", "report.csv", "", "", ""}).what(),
               "no space left at report.csv");
}

// A name in a file must not steer the terminal that tells of it.
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

TEST(Error, FailedAndCancelledExitWithOne) {
  EXPECT_EQ(Error(ErrorCode::kFailed, {}).exit_code(), 1);
  EXPECT_EQ(Error(ErrorCode::kCancelled, {}).exit_code(), 1);
}

}  // namespace
}  // namespace attn
