// SPDX-License-Identifier: GPL-3.0-or-later
// What `attn run`, its reports and `attn compare` say of scenarios whose attention is not that of a
// plain decoder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/session/attn_program.h"

namespace attn {
namespace {

using test::attn_program;
using test::read_file;
using Result = test::ProgramResult;
using testing::HasSubstr;
using testing::Not;

TEST(CliAttention, RunsSayTheRuleWhereItIsNotAPlainDecoder) {
  for (const auto& [name, line] :
       {std::pair{"alibi", "attention: decoder, ALiBi\n"},
        std::pair{"sliding-window", "attention: decoder, sliding window 16 tokens\n"},
        std::pair{"encoder", "attention: encoder only\n"},
        std::pair{"cross-attention", "attention: encoder-decoder (cross)\n"}}) {
    const Result result = attn_program({"run", name});
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(line));
  }
  const Result plain = attn_program({"run", "synthetic-needle"});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.out, Not(HasSubstr("attention:")));
}

TEST(CliAttention, EncodersWriteTheSameReportTwice) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    const Result result =
        attn_program({"run", "encoder", "--export", folder.path() / name, "--clock", "virtual"});
    ASSERT_EQ(result.code, 0) << result.err;
  }
  for (const char* file : {"manifest.json", "heatmap-request0-layer0-head1.csv", "index.html"})
    EXPECT_EQ(read_file(folder.path() / "a" / file), read_file(folder.path() / "b" / file)) << file;
  EXPECT_THAT(read_file(folder.path() / "a" / "manifest.json"),
              HasSubstr("\"masked\": \"nothing\""));
  EXPECT_THAT(read_file(folder.path() / "a" / "index.html"), HasSubstr("encoder only"));
}

TEST(CliAttention, ComparisonsSayTheRuleAndWhoRefusesIt) {
  const test::TemporaryFolder folder;
  const std::string csv = folder.path() / "compare.csv";
  Result result =
      attn_program({"compare", "sliding-window", "--backends", "unified,pallas", "--csv", csv});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("decoder, sliding window 16 tokens; cache"));
  EXPECT_THAT(result.out, HasSubstr("PALLAS has no sliding window"));
  EXPECT_THAT(read_file(csv),
              HasSubstr("unified,UNIFIED,attention,,\"decoder, sliding window 16 tokens\","));
  result = attn_program({"compare", "encoder", "--backends", "torch_sdpa,xformers"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("note: Encoder attention has no KV cache"));
}

}  // namespace
}  // namespace attn
