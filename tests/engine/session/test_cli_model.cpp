// SPDX-License-Identifier: GPL-3.0-or-later
// Models on the command line: what `attn inspect` and `attn models` say of them, and what commands
// do with encoders, stop tokens and notes of a folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/model/files/npy.h"
#include "engine/session/scenario/model_scenario.h"
#include "tests/engine/model/families/family_case.h"
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

TEST(CliModel, InspectPrintsModelFilesOfSentencePiece) {
  const std::string folder = std::string(ATTN_SOURCE_DIR) + "/tests/golden/sentence_piece";
  EXPECT_THAT(attn_program({"inspect", folder + "/suffix/spiece.model"}).out,
              AllOf(HasSubstr("spiece.model: SentencePiece, Unigram, 640 pieces"),
                    HasSubstr("unused       63"), HasSubstr("one added behind a text")));
  EXPECT_THAT(attn_program({"inspect", folder + "/marian_bpe/source.spm"}).out,
              HasSubstr("source.spm: SentencePiece, BPE, 400 pieces"));
  const Result marian = attn_program({"inspect", folder + "/marian"});
  EXPECT_EQ(marian.code, 2);
  EXPECT_THAT(marian.out, AllOf(HasSubstr("vocab.json: tokenizer, 723 tokens"),
                                HasSubstr("normalizer: nmt_nfkc"), HasSubstr("weights are missing"),
                                Not(HasSubstr("tokenizer is missing"))));
}

TEST(CliModel, ModelsListsWhatIsInAFolder) {
  const LlamaFolder fine, broken;
  fine.write();
  broken.write();
  std::filesystem::remove(broken.path() / "model.safetensors");
  const ScratchFolder all;
  std::filesystem::rename(fine.path(), all.path / "fine");
  std::filesystem::rename(broken.path(), all.path / "broken");
  const Result listed = attn_program({"models", all.path});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(listed.out,
              AllOf(HasSubstr(": 2 models\nbroken\n"), HasSubstr("cannot run: weights are missing"),
                    HasSubstr("fine\n"), HasSubstr("  llama, "), HasSubstr("of F32 weights"),
                    HasSubstr("  can run\n")));
  const Result nowhere = attn_program({"models", all.path / "nowhere"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("there is no folder to look into"));
  EXPECT_EQ(attn_program({"models", all.path / "fine" / "config.json"}).code, 2);
  std::filesystem::remove_all(all.path / "fine");
  EXPECT_EQ(attn_program({"models", all.path}).code, 0);  // although no model there can run
}

TEST(CliModel, InspectSaysWhetherAModelCanRun) {
  const Result bundled = attn_program({"inspect", "tinystories-gqa"});
  EXPECT_EQ(bundled.code, 0) << bundled.err;
  EXPECT_THAT(bundled.out, AllOf(HasSubstr("can run with the backends "), HasSubstr("torch_sdpa"),
                                 HasSubstr("the same as the input's"), HasSubstr("token 1\n"),
                                 HasSubstr("not with other backends:"), HasSubstr("MiB"),
                                 Not(HasSubstr("notes"))));

  LlamaFolder folder;  // heads of size 6
  folder.config["sliding_window"] = 8;
  folder.config["bad_words_ids"] = {{3}, {1}};
  folder.tensors["more"] = Tensor(DType::kU8, {3});
  folder.write();
  const Result small = attn_program({"inspect", folder.path()});
  EXPECT_EQ(small.code, 0) << small.err;
  EXPECT_THAT(small.out,
              AllOf(HasSubstr("can run with the backends"), HasSubstr("TORCH_SDPA"),
                    HasSubstr("not 6"), HasSubstr("its own"), HasSubstr("no token of their own"),
                    HasSubstr("never generated    token 1, 3\n"), HasSubstr("notes:"),
                    HasSubstr("sliding_window (8)"), HasSubstr("\"more\"")));
}

TEST(CliModel, InspectCallsAFolderOfArraysWhatItIs) {
  test::TemporaryFolder folder;
  const Tensor array(DType::kF32, {2, 5, 8});
  for (const char* name : {"q.npy", "k.npy", "v.npy"})
    write_file_atomically(folder.path() / name, npy_bytes(array));
  const Result fine = attn_program({"inspect", folder.path()});
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_THAT(fine.out, AllOf(HasSubstr("folder of arrays"), HasSubstr("q.npy: NumPy array"),
                              HasSubstr("can run as queries, keys and values"),
                              Not(HasSubstr("model folder"))));
  std::filesystem::remove(folder.path() / "v.npy");
  const Result part = attn_program({"inspect", folder.path()});
  EXPECT_EQ(part.code, 2) << part.out;
  EXPECT_THAT(part.out, HasSubstr("cannot run as queries, keys and values: "));
}

TEST(CliModel, TheExampleOfAModelIsItsFirstPrompt) {
  LlamaFolder folder;
  const auto prompt = [&] {
    folder.write();
    return attn::model_scenario(folder.path()).requests.front().prompt;
  };
  EXPECT_EQ(prompt(), "Once upon a time");
  folder.config["example_prompt"] = "abba";
  EXPECT_EQ(prompt(), "abba");
  for (const nlohmann::json& bad : {nlohmann::json(""), nlohmann::json(3)}) {
    folder.config["example_prompt"] = bad;
    try {
      prompt();
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      EXPECT_THAT(error.parts().where, HasSubstr("$.example_prompt"));
    }
  }
  EXPECT_EQ(attn::model_scenario(find_model("dates-encdec")).requests.front().prompt,
            "the third of March 2021");
}

TEST(CliModel, AnEncoderSaysWhichWordIsHidden) {
  const FamilyCase bert("bert_1");
  const auto folder = bert.write();
  const auto said = [&](const std::string& prompt, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"generate", "--model",   folder,   "--prompt",
                                      prompt,     "--backend", "unified"};
    words.insert(words.end(), more.begin(), more.end());
    return attn_program(words);
  };
  const Result without = said("ab");
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("no token that hides a word"));
  // The vocabulary gets a word for every token. The token of a row with known logits becomes
  // [MASK].
  const Tensor logits = bert.golden("logits");
  const int64_t place = bert.ids("logits_rows")[1], vocabulary = logits.dim(1);
  const std::vector<int32_t> ids = bert.ids("prompt_ids");
  const int32_t mask = ids[static_cast<size_t>(place)];
  const auto word = [&](int64_t id) { return id == mask ? "[MASK]" : fmt::format("w{}", id); };
  nlohmann::json words;
  for (int64_t id = 0; id < vocabulary; ++id) words[word(id)] = id;
  nlohmann::json tokenizer;
  tokenizer["added_tokens"][0] = {{"id", mask}, {"content", "[MASK]"}, {"special", true}};
  tokenizer["pre_tokenizer"]["type"] = "WhitespaceSplit";
  tokenizer["model"] = {{"type", "WordLevel"}, {"vocab", words}, {"unk_token", word(0)}};
  std::ofstream(folder / "tokenizer.json") << tokenizer;
  const float* row = logits.data<float>() + vocabulary;
  const std::string expected =
      fmt::format("token {}: \"{}\" ", place, word(std::max_element(row, row + vocabulary) - row));
  std::string prompt;
  for (const int32_t id : ids) prompt += word(id) + " ";
  const Result hidden = said(prompt);
  EXPECT_EQ(hidden.code, 0) << hidden.err;
  EXPECT_THAT(hidden.out, AllOf(HasSubstr(expected), HasSubstr("%, ")));
  EXPECT_EQ(std::ranges::count(hidden.out, '\n'), 1 + std::ranges::count(ids, mask));

  const Result nothing = said(word(mask == 1 ? 2 : 1));
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, AllOf(HasSubstr("--prompt"), HasSubstr("a text with [MASK]")));
  const Result many = said(prompt, {"--max-tokens", "3"});
  EXPECT_EQ(many.code, 2);
  EXPECT_THAT(many.err, HasSubstr("--max-tokens"));
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
              AllOf(HasSubstr("With the option pad_head_size (Head padding in the window), heads "
                              "are padded with zeros to 32"),
                    HasSubstr("--pad-head-size, or --backend reference")));
  const Result padded = generate(folder, {"--pad-head-size"});
  EXPECT_EQ(padded.code, 0) << padded.err;
  EXPECT_EQ(padded.out, generate(folder, {"--backend", "reference"}).out);
  const test::TemporaryFolder out;
  std::vector<std::string> words = {"explore",
                                    "--model",
                                    folder.path(),
                                    "--prompt",
                                    "abba",
                                    "--dump",
                                    out.path() / "dump.safetensors"};
  EXPECT_EQ(attn_program(words).code, 3);
  words.insert(words.end(), {"--pad-head-size", "--knock-out", "L0H0"});
  const Result explored = attn_program(words);
  EXPECT_EQ(explored.code, 0) << explored.err;
}

TEST(CliModel, AnEncoderContinuesNoText) {
  const FamilyCase golden("bert_1");
  const std::string folder = golden.write();
  const test::TemporaryFolder out;
  const Result refused = attn_program({"explore", "--model", folder, "--prompt", "abba", "--dump",
                                       out.path() / "dump.safetensors"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(
      refused.err,
      AllOf(HasSubstr("is an encoder, which continues no text at attn explore --model"),
            HasSubstr("attn run " + folder + " --export DIR"), Not(HasSubstr("$.attention"))));
}

TEST(CliModel, ATextEndsWithAnyStopToken) {
  LlamaFolder folder;
  folder.write();
  const auto ids = [&] { return generate(folder, {"--backend", "reference"}).out; };
  const std::string whole = ids();  // "3 1 4 ..."
  ASSERT_EQ(std::ranges::count(whole, ' '), 7);
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

TEST(CliModel, TheEncoderReadsThePrompt) {
  FamilyCase golden("t5_1");
  const std::string folder = golden.write();
  const test::TemporaryFolder out;
  const std::string dump = out.path() / "dump.safetensors";
  const std::vector<std::string> words = {"generate", "--model", folder,         "--prompt",
                                          "abba",     "--ids",   "--max-tokens", "5"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    return attn_program(all);
  };
  const Result plain = with({"--dump", dump});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_THAT(plain.err, HasSubstr("3 tokens of the encoder, 1 prompt token, 5 new tokens"));
  const SafetensorsFile file = SafetensorsFile::open(dump);
  const int64_t heads = golden.config.at("num_heads");
  EXPECT_EQ(file.read("encoder_ids").dim(0), 3);
  EXPECT_EQ(file.read("weights.1").shape(), (Shape{heads, 3, 3}));
  EXPECT_EQ(file.read("weights.2").shape(), (Shape{heads, 5, 5}));
  EXPECT_EQ(file.read("weights.3").shape(), (Shape{heads, 5, 3}));

  EXPECT_THAT(with({"--decoder-prompt", "ab"}).err, HasSubstr("2 prompt tokens, 5 new tokens"));
  EXPECT_THAT(with({"--decoder-prompt", std::string(2 * 127, 'b')}).err,
              HasSubstr("too long for this model at --decoder-prompt: found 255 tokens, allowed at "
                        "most 127 tokens"));
  EXPECT_EQ(with({"--backend", "reference"}).out, plain.out);
  const Result refused = with({"--backend", "torch_sdpa"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("TORCH_SDPA has no relative position bias"));
  const Result decoder = attn_program(
      {"generate", "--model", "tinystories-gqa", "--prompt", "a", "--decoder-prompt", "b"});
  EXPECT_EQ(decoder.code, 2);
  EXPECT_THAT(decoder.err, HasSubstr("--decoder-prompt"));
  const Result explored =
      attn_program({"explore", "--model", folder, "--prompt", "ab", "--dump", dump + "2"});
  EXPECT_EQ(explored.code, 0) << explored.err;
  const std::string session = out.path() / "a.attn-session";
  const auto csv = [&](const std::string& source, const std::string& to,
                       const std::vector<std::string>& more) {
    std::vector<std::string> all = {"run", source, "--export", out.path() / to};
    all.insert(all.end(), more.begin(), more.end());
    const Result run = attn_program(all);
    EXPECT_EQ(run.code, 0) << run.err;
    return test::read_file(out.path() / to / "heatmap-request0-layer0-head0.csv");
  };
  Scenario scenario = attn::model_scenario(folder);
  scenario.requests[0].prompt = "abbaabba";
  const std::string file_of_scenario = out.path() / "t5.json";
  std::ofstream(file_of_scenario) << to_json(scenario);
  const std::string of_run = csv(file_of_scenario, "run", {"--session", session});
  EXPECT_EQ(std::ranges::count(of_run, '\n'), 7);  // a heading and six tokens
  EXPECT_EQ(csv(session, "session", {}), of_run);
  golden.config["suppress_tokens"] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  golden.write();
  const Result inspected = attn_program({"inspect", folder});
  EXPECT_EQ(inspected.code, 0);
  EXPECT_THAT(inspected.out, AllOf(HasSubstr("can run with the backends"), HasSubstr("unified"),
                                   HasSubstr("token 2, 3, 4, 5, 6, 7, 8, 9 and 2 more\n"),
                                   HasSubstr("XFORMERS has no relative position bias")));
}

}  // namespace
}  // namespace attn
