// SPDX-License-Identifier: GPL-3.0-or-later
// `attn explore`: names and shapes of the tensors in its file, what the file says of itself, what
// is printed, and errors. Also what `attn run` says of interventions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/engine/explore/toy_model.h"
#include "tests/engine/session/attn_program.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using namespace test;
using testing::HasSubstr;
using Result = ProgramResult;

class CliExplore : public testing::Test {
 protected:
  Result run(std::vector<std::string> more) const {
    std::vector<std::string> words{"explore", "--model", "tinystories-gqa", "--prompt", kPrompt,
                                   "--dump",  file(),    "--threads",       "2"};
    words.insert(words.end(), more.begin(), more.end());
    return attn_program(words);
  }
  std::string file() const { return (folder_.path() / "out.safetensors").string(); }

  static constexpr const char* kPrompt = "Lily went to the park. Lily went to";
  TemporaryFolder folder_;
};

TEST_F(CliExplore, TheFileHasTheTensorsOfTheDocument) {
  const Result result = run({"--max-tokens", "3"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto dump = SafetensorsFile::open(file());
  const SourceShape& shape = bundled_model()->shape();
  const int64_t width = bundled_model()->network().width, vocab = shape.vocab_size,
                heads = shape.num_heads, layers = shape.num_layers;
  const int64_t tokens = static_cast<int64_t>(bundled_model()->encode(kPrompt).size()) + 3 - 1;
  std::map<std::string, Shape> wanted{{"logits", {3, vocab}},
                                      {"residual.embed", {tokens, width}},
                                      {"attribution", {layers, heads}},
                                      {"attribution.mlp", {layers}},
                                      {"attribution.embed", {1}}};
  for (int64_t l = 0; l < layers; ++l) {
    wanted[fmt::format("residual.{}.mid", l)] = {tokens, width};
    wanted[fmt::format("residual.{}.post", l)] = {tokens, width};
    wanted[fmt::format("lens.{}", l)] = {tokens, vocab};
    wanted[fmt::format("head_out.{}", l)] = {heads, tokens, width};
    wanted[fmt::format("written.{}", l)] = {heads, tokens, tokens};
  }
  std::map<std::string, Shape> found;
  for (const TensorEntry& entry : dump.tensors()) found[entry.name] = entry.shape;
  EXPECT_EQ(found, wanted);
  const Tensor logits = dump.read("logits"), lens = dump.read(fmt::format("lens.{}", layers - 1));
  EXPECT_TRUE(
      same_bits(logits.span<float>(), lens.span<float>().last(static_cast<size_t>(3 * vocab))));
  const auto sum_of = [&](const char* name) {
    const Tensor tensor = dump.read(name);
    return std::accumulate(tensor.span<float>().begin(), tensor.span<float>().end(), 0.0);
  };
  EXPECT_NEAR(sum_of("attribution") + sum_of("attribution.mlp") + sum_of("attribution.embed") +
                  std::stod(dump.metadata().at("attribution.biases")),
              std::stod(dump.metadata().at("attribution.difference")), 1e-4);
  EXPECT_THAT(result.out, HasSubstr("residue"));
}

// Layers 0 and 1 are the encoder's; 3 and 5 are cross attention.
TEST_F(CliExplore, AModelWithAnEncoderHasTheTensorsOfItsDecoder) {
  const Result result =
      attn_program({"explore", "--model", "dates-encdec", "--prompt", "the 3rd of May 2021",
                    "--max-tokens", "12", "--dump", file(), "--knock-out", "3.0"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("residue"));
  const auto dump = SafetensorsFile::open(file());
  const int64_t width = 128, heads = 4, sources = 10, tokens = dump.read("logits").dim(0);
  for (int64_t l = 0; l < 6; ++l) {
    EXPECT_EQ(dump.find(fmt::format("residual.{}.post", l)) != nullptr, l >= 2) << l;
    if (l < 2) continue;
    EXPECT_EQ(dump.read(fmt::format("head_out.{}", l)).shape(), (Shape{heads, tokens, width}));
    EXPECT_EQ(dump.read(fmt::format("written.{}", l)).shape(),
              (Shape{heads, tokens, l % 2 == 1 ? sources : tokens}));
  }
  const Tensor logits = dump.read("logits"), lens = dump.read("lens.5");
  EXPECT_TRUE(same_bits(logits.span<float>(), lens.span<float>()));
  const Tensor off = dump.read("head_out.3"), on = dump.read("head_out.5");
  const auto size = static_cast<size_t>(tokens * width);
  EXPECT_EQ(largest(off.span<float>().first(size)), 0);
  EXPECT_GT(largest(on.span<float>().first(size)), 0);
}

TEST_F(CliExplore, WhatIsChangedIsInTheFileAndOnTheScreen) {
  const Result result = run(
      {"--knock-out", "2.1", "--knock-out", "3.0=mean", "--cut", "1.1.6.4", "--pair", "300,400"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("changed: head 3.0 at its mean"));
  const auto dump = SafetensorsFile::open(file());
  EXPECT_EQ(dump.metadata().at("interventions"),
            "head 2.1 off; head 3.0 at its mean; edge 1.1: query 6 does not read key 4");
  EXPECT_EQ(dump.metadata().at("pair"), "300,400");
  const Tensor heads = dump.read("head_out.2"), written = dump.read("written.1");
  const auto size = static_cast<size_t>(heads.dim(1) * heads.dim(2));
  EXPECT_EQ(largest(heads.span<float>().subspan(size, size)), 0);
  EXPECT_EQ(written.data<float>()[(1 * written.dim(1) + 6) * written.dim(2) + 4], 0);
}

TEST_F(CliExplore, APairIsGivenByIdsOrTexts) {
  const auto pair_of = [&](const std::string& text) {
    const Result result = run({"--pair", text});
    EXPECT_EQ(result.code, 0) << result.err;
    return SafetensorsFile::open(file()).metadata().at("pair");
  };
  const std::string by_text = pair_of(" dog, cat");
  EXPECT_EQ(pair_of("dog,cat"), by_text);
  EXPECT_EQ(pair_of(by_text), by_text);
  EXPECT_NE(pair_of(" cat, dog"), by_text);
}

TEST_F(CliExplore, TheEndOfTheContextIsTold) {
  const Result result = run({"--max-tokens", "600"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("Stopped after 500 of 600 tokens: the context of this model "
                                    "has at most 512 tokens."));
}

TEST_F(CliExplore, MistakesAreToldAndLeaveNoFile) {
  const auto said = [&](std::vector<std::string> words, int code) {
    const Result result = run(std::move(words));
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_FALSE(std::filesystem::exists(file()));
    return result.err;
  };
  EXPECT_THAT(said({"--knock-out", "2"}, 2), HasSubstr("L.H, L.H=0, L.H=mean or L.H=sink"));
  EXPECT_THAT(said({"--knock-out", "2.1=7"}, 2), HasSubstr("allowed 0, mean, sink"));
  EXPECT_THAT(said({"--knock-out", "6.0"}, 2), HasSubstr("the source has no such layer"));
  EXPECT_THAT(said({"--knock-out", "4.2", "--knock-out", "L4H2=mean"}, 2),
              HasSubstr("a head is named twice at attn explore --knock-out: found head 4.2 off and "
                        "head 4.2 at its mean, allowed each head once"));
  EXPECT_THAT(said({"--cut", "1.1.6.4", "--cut", "1.1.6.4"}, 2), HasSubstr("each edge once"));
  EXPECT_THAT(said({"--cut", "1.1.2"}, 2), HasSubstr("L.H.q.k"));
  EXPECT_THAT(said({"--cut", "1.1.2.5"}, 2), HasSubstr("a query sees no later key"));
  EXPECT_THAT(said({"--cut", "1.1.900.5"}, 1), HasSubstr("an intervention changed nothing"));
  EXPECT_THAT(said({"--pair", " dog, dog"}, 2), HasSubstr("two different tokens"));
  EXPECT_THAT(said({"--pair", "1"}, 2), HasSubstr("A,B with two different tokens"));
  const Result refused = attn_program({"explore", "--model", "dates-encdec", "--prompt", "May",
                                       "--backend", "torch_sdpa", "--dump", file()});
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.err, HasSubstr("TORCH_SDPA has no relative position bias"));
}

TEST_F(CliExplore, ARunTellsWhatWasChangedAndWhatChangedNothing) {
  const auto run_with = [&](const std::string& intervention) {
    const std::filesystem::path scenario = folder_.path() / "s.json";
    std::ofstream(scenario) << R"({"version": 1, "source": {"model": "tinystories-gqa"},
      "requests": [{"name": "Lily", "prompt": "Once upon a time", "max_tokens": 2,
                    "interventions": [)" +
                                   intervention + "]}]}";
    return attn_program({"run", scenario.string()});
  };
  const Result fine = run_with(R"({"kind": "head", "layer": 1, "head": 2})");
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("changed: Lily: head 1.2 off"));
  const Result nothing = run_with(R"({"kind": "edge", "layer": 1, "query": 90, "key": 2})");
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.err, HasSubstr("an intervention changed nothing"));
  EXPECT_THAT(nothing.out, HasSubstr("note: Lily, edge 1.0: query 90 does not read key 2"));
}

}  // namespace
}  // namespace attn
