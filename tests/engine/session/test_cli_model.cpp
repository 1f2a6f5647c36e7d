// SPDX-License-Identifier: GPL-3.0-or-later
// Model folders on the command line: whether a model can run, why not, and what its files say about
// the end of a text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/model/families/llama_folder.h"
#include "tests/engine/session/attn_program.h"

namespace attn {
namespace {

using test::attn_program;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Result = test::ProgramResult;

Result generate(const LlamaFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"generate", "--model", folder.path(),  "--prompt",
                                    "abab",     "--ids",   "--max-tokens", "8"};
  words.insert(words.end(), more.begin(), more.end());
  return attn_program(words);
}

TEST(CliModel, InspectSaysWhetherAModelCanRun) {
  const Result bundled = attn_program({"inspect", "tinystories-gqa"});
  EXPECT_EQ(bundled.code, 0) << bundled.err;
  EXPECT_THAT(bundled.out, AllOf(HasSubstr("can run with the backends "), HasSubstr("torch_sdpa"),
                                 HasSubstr("the same as the input's"), HasSubstr("token 1\n"),
                                 HasSubstr("not with other backends:"), HasSubstr("MiB"),
                                 Not(HasSubstr("notes"))));

  LlamaFolder folder;  // heads of size 6, which torch_sdpa does not support
  folder.config["sliding_window"] = 8;
  folder.tensors["more"] = Tensor(DType::kU8, {3});
  folder.write();
  const Result small = attn_program({"inspect", folder.path()});
  EXPECT_EQ(small.code, 0) << small.err;
  EXPECT_THAT(small.out,
              AllOf(HasSubstr("can run with the backends"), HasSubstr("TORCH_SDPA"),
                    HasSubstr("not 6"), HasSubstr("its own"), HasSubstr("no token of their own"),
                    HasSubstr("notes:"), HasSubstr("sliding_window (8)"), HasSubstr("\"more\"")));
}

TEST(CliModel, InspectTellsEveryReason) {
  LlamaFolder folder;
  folder.config["hidden_act"] = "softsign";
  folder.config["rope_scaling"] = {{"rope_type", "spiral"}, {"factor", 2.0}};
  folder.write();
  Result result = attn_program({"inspect", folder.path()});
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("cannot run:"), HasSubstr("\"softsign\""),
                                HasSubstr("\"spiral\""), Not(HasSubstr("can run with"))));
  const Result run = generate(folder, {});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err, AllOf(HasSubstr("\"softsign\""), HasSubstr("\"spiral\"")));

  // A file that cannot be read is one of the reasons, and the others are still listed.
  std::ofstream(folder.path() / "tokenizer.json") << "{";
  std::ofstream(folder.path() / "model.safetensors") << "GGUF and more";
  result = attn_program({"inspect", folder.path()});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("\"hidden_size\" = 12"), HasSubstr("tokenizer.json"),
                    HasSubstr("Open the file itself as the model"), HasSubstr("\"softsign\"")));
}

TEST(CliModel, ReasonsOfAHeadSizeNameAnOptionThatIsThere) {
  const LlamaFolder folder;
  folder.write();
  const Result refused = generate(folder, {});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err,
              HasSubstr("With the option pad_head_size, heads are padded with zeros to 32"));
  const Result padded = generate(folder, {"--pad-head-size"});
  EXPECT_EQ(padded.code, 0) << padded.err;
  EXPECT_EQ(padded.out, generate(folder, {"--backend", "reference"}).out);
}

TEST(CliModel, ATextEndsWithAnyStopToken) {
  LlamaFolder folder;
  folder.write();
  const auto ids = [&] { return generate(folder, {"--backend", "reference"}).out; };
  const std::string whole = ids();  // "3 1 4 ..."
  ASSERT_EQ(std::ranges::count(whole, ' '), 7);
  // Token 4 has no text, but may be sampled.
  const int last = whole[0] - '0', other = last == 4 ? 0 : 4;
  ASSERT_EQ(whole.find(static_cast<char>('0' + other)), std::string::npos) << whole;
  const std::string part = whole.substr(0, 1) + "\n";

  folder.config["eos_token_id"] = {other, last};
  folder.write();
  EXPECT_EQ(ids(), part);
  folder.write_json("generation_config.json", {{"eos_token_id", {other}}});
  EXPECT_EQ(ids(), whole);
  folder.config["eos_token_id"] = other;
  folder.write();
  folder.write_json("generation_config.json", {{"eos_token_id", {other, last}}});
  EXPECT_EQ(ids(), part);
}

TEST(CliModel, NotesOfTheFolderAreToldWithTheRun) {
  LlamaFolder folder;
  folder.config["sliding_window"] = 8;
  folder.write();
  EXPECT_THAT(generate(folder, {"--backend", "reference"}).err,
              HasSubstr("attn: note: sliding_window (8) has no effect"));
}

}  // namespace
}  // namespace attn
