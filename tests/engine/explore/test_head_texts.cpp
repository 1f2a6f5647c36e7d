// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of heads over a set of texts: that each row counts once, that long texts are cut, and that
// the shipped texts show the induction heads. Also the reader of files of texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "engine/core/error.h"
#include "engine/explore/texts/head_texts.h"
#include "engine/session/record/head_reader.h"
#include "tests/engine/explore/toy_model.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {
namespace {

using namespace test;

TEST(HeadTexts, EachRowCountsOnceWhicheverTextItIsIn) {
  const std::vector<std::string> texts{"One day a boy found a stone. A boy!", "The end."};
  const std::shared_ptr<Model> model = bundled_model();
  std::vector<double> shares;
  const auto scores =
      score_texts(toy_scenario(1), model, texts, [&](double share) { shares.push_back(share); });
  ASSERT_TRUE(scores);
  EXPECT_EQ(shares, (std::vector{0.5, 1.0}));
  EXPECT_EQ(scores->texts, 2);
  EXPECT_EQ(scores->cut, 0);
  // Computes two of the scores here, row by row.
  std::vector<ExploredRun> runs;
  int64_t tokens = 0;
  for (const std::string& text : texts) runs.push_back(run_of(model, model->encode(text)));
  const SourceShape& shape = model->shape();
  for (int64_t head = 0; head < shape.num_layers * shape.num_heads; ++head) {
    double previous = 0, mass = 0, distance = 0;
    int64_t rows = 0, previous_rows = 0;
    tokens = 0;
    for (const ExploredRun& run : runs) {
      HeadReading reading;
      ASSERT_TRUE(read_head(
          *run.attention, head / shape.num_heads, head % shape.num_heads, run.num_tokens(),
          repeated_tokens(run.tokens), [] { return false; }, reading));
      tokens += run.num_tokens();
      for (const HeadRowScore& row : reading.rows) {
        ++rows;
        previous += row.previous;
        mass += row.mass;
        distance += row.distance_tokens;
      }
      previous_rows += run.num_tokens() - 1;
    }
    const HeadScores& of = scores->heads[static_cast<size_t>(head)];
    EXPECT_EQ(of.rows, rows);
    EXPECT_EQ(of.previous_rows, previous_rows);
    EXPECT_NEAR(*of.previous, previous / static_cast<double>(previous_rows), 1e-12);
    EXPECT_NEAR(*of.distance_tokens, distance / mass, 1e-9);
  }
  EXPECT_EQ(scores->tokens, tokens);
}

TEST(HeadTexts, TheShippedTextsShowTheInductionHeads) {
  const auto texts = read_texts(std::string(ATTN_SOURCE_DIR) + "/assets/texts/stories.txt");
  ASSERT_GE(std::ssize(texts), 20);
  const std::vector<std::string> some(texts.begin(), texts.begin() + 4);
  const auto scores = score_texts(toy_scenario(1), bundled_model(), some);
  ASSERT_TRUE(scores);
  const int64_t heads = bundled_model()->shape().num_heads;
  std::vector<std::pair<double, int64_t>> ranked;
  for (size_t head = 0; head < scores->heads.size(); ++head)
    ranked.emplace_back(*scores->heads[head].induction, static_cast<int64_t>(head));
  std::ranges::sort(ranked, std::greater());
  EXPECT_EQ(ranked[0].second / heads, 4);
  EXPECT_EQ(ranked[1].second / heads, 4);
}

// The queries of "b" overflow, so the weights of its row are NaN.
TEST(HeadTexts, NanIsNotHidden) {
  ToyShape shape;
  shape.layers = 1;
  const auto model = random_toy(7, shape, [&](Tensors& tensors) {
    const std::span<float> words = tensors["model.embed_tokens.weight"].span<float>();
    const auto width = static_cast<size_t>(shape.width);
    for (size_t i = 0; i < words.size(); i += width) words[i] = 0;
    std::fill_n(words.begin() + static_cast<ptrdiff_t>(2 * width), width, 0.0f);
    words[2 * width] = 1;
    std::ranges::fill(tensors["model.layers.0.input_layernorm.weight"].span<float>(), 1.0f);
    const std::span<float> queries =
        tensors["model.layers.0.self_attn.q_proj.weight"].span<float>();
    for (size_t i = 0; i < queries.size(); i += width) queries[i] = 3e38f;
  });
  const auto scores = score_texts(toy_scenario(1), model, {"ba"});
  ASSERT_TRUE(scores);
  for (const HeadScores& of : scores->heads) {
    EXPECT_TRUE(std::isnan(of.entropy_nats.value()));
    EXPECT_TRUE(std::isnan(of.distance_tokens.value()));
    EXPECT_TRUE(std::isnan(of.distance_variance.value()));
  }
}

// The bundled model has room for 512 tokens. One of them is generated, so a text is cut to 511.
TEST(HeadTexts, ALongTextIsCutAndCounted) {
  std::string text = "One day a boy found a stone.";
  while (text.size() < 4000) text += " The stone was small.";
  const auto scores = score_texts(toy_scenario(1), bundled_model(), {text});
  ASSERT_TRUE(scores);
  EXPECT_EQ(scores->cut, 1);
  EXPECT_EQ(scores->tokens, std::min(kMostTextTokens, bundled_model()->shape().max_model_len - 1));
}

TEST(HeadTexts, ACancelledRunGivesNothing) {
  RunGate gate;
  gate.cancel();
  EXPECT_FALSE(score_texts(toy_scenario(1), bundled_model(), {"One day."}, {}, &gate));
}

TEST(HeadTexts, WhatIsNoFileOfTextsIsRefused) {
  const ScratchFolder folder;
  const auto file = folder.path / "texts.txt";
  const auto write = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  };
  write("one\r\n\n  \n two\n");
  EXPECT_EQ(read_texts(file), (std::vector<std::string>{"one", " two"}));
  const std::string many = [] {
    std::string lines;
    for (int64_t i = 0; i <= kMostTexts; ++i) lines += "a\n";
    return lines;
  }();
  for (const std::string& bad :
       {std::string(), std::string("\n\n"), std::string("a\0b", 3), std::string("a\xff\n"), many,
        "a\n" + std::string(static_cast<size_t>(kMostTextBytes) + 1, 'b')}) {
    write(bad);
    EXPECT_THROW(read_texts(file), Error);
  }
  EXPECT_THROW(read_texts(folder.path / "none.txt"), Error);
}

}  // namespace
}  // namespace attn
