// SPDX-License-Identifier: GPL-3.0-or-later
// Synthetic sources: the weights have the pattern that the kind of source states, and a row does
// not depend on its batch. Also labels, and specs that are refused.
#include "engine/model/synthetic/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "tests/engine/model/dense_attention.h"
#include "tests/engine/model/expect_error.h"

namespace attn {
namespace {

SyntheticSpec spec_of(SyntheticKind kind) {
  SyntheticSpec spec;
  spec.kind = kind;
  spec.max_model_len = 512;
  return spec;
}

std::vector<int32_t> prompt(const Source& source, int64_t length) {
  std::vector<int32_t> tokens(static_cast<size_t>(length));
  for (size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<int32_t>(i % static_cast<size_t>(source.shape().vocab_size));
  return tokens;
}

// The sum of the weights with fn(q, k) in a row: the smallest over all layers, all heads and the
// queries from `first` on.
template <class Fn>
double smallest_mass(const DenseAttention& run, const SourceShape& shape, int64_t first, Fn&& fn) {
  double smallest = 1;
  for (int64_t layer = 0; layer < shape.num_layers; ++layer)
    for (int64_t head = 0; head < shape.num_heads; ++head)
      for (int64_t q = first; q < run.length(); ++q) {
        double mass = 0;
        for (int64_t k = 0; k <= q; ++k)
          if (fn(q, k)) mass += run.weight(layer, head, q, k);
        smallest = std::min(smallest, mass);
      }
  return smallest;
}

TEST(Synthetic, NeedleIsWhereEveryLaterTokenLooks) {
  SyntheticSpec spec = spec_of(SyntheticKind::kNeedle);
  spec.needle_position = 21;
  const auto source = make_synthetic_source(spec, 7);
  DenseAttention run(*source, 2);
  const std::vector<float> logits = run.step(prompt(*source, 200));
  EXPECT_GT(smallest_mass(run, source->shape(), 21, [](int64_t, int64_t k) { return k == 21; }),
            0.8);
  EXPECT_LT(run.weight(0, 0, 20, 7), 0.15);
  EXPECT_EQ(largest(logits), 21) << "the needle is what attention brings back";
  EXPECT_GT(logits[21], 8);
}

TEST(Synthetic, InductionLooksAtWhatFollowedTheSameToken) {
  const SyntheticSpec spec = spec_of(SyntheticKind::kInduction);
  const auto source = make_synthetic_source(spec, 7);
  ASSERT_EQ(source->shape().vocab_size, spec.period);
  DenseAttention run(*source, 2);
  std::vector<int32_t> tokens = prompt(*source, 6 * spec.period);
  std::vector<float> logits = run.step(tokens);
  const auto follows = [&](int64_t q, int64_t k) {
    return k > 0 && tokens[static_cast<size_t>(k - 1)] == tokens[static_cast<size_t>(q)];
  };
  EXPECT_GT(smallest_mass(run, source->shape(), spec.period, follows), 0.8);
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(largest(logits), (tokens.back() + 1) % spec.period) << "the segment goes on";
    tokens.push_back(largest(logits));
    logits = run.step({tokens.back()});
  }
}

TEST(Synthetic, LocalKeepsToItsBand) {
  for (const int64_t period : {4, 16, 40}) {
    for (const int64_t size : {32, 64, 128}) {
      SyntheticSpec spec = spec_of(SyntheticKind::kLocal);
      spec.period = period;
      spec.head_size = size;
      const auto source = make_synthetic_source(spec, 7);
      DenseAttention run(*source, 2);
      run.step(prompt(*source, 300));
      const double mass = smallest_mass(run, source->shape(), 0,
                                        [&](int64_t q, int64_t k) { return q - k < 2 * period; });
      const double core = smallest_mass(run, source->shape(), 0,
                                        [&](int64_t q, int64_t k) { return q - k <= period; });
      EXPECT_GT(mass, 0.9) << "period " << period << ", head size " << size;
      EXPECT_GT(core, 0.7) << "period " << period << ", head size " << size;
      EXPECT_LT(run.weight(0, 0, 299, 299), 2.0 / static_cast<double>(period) + 0.05);
    }
  }
}

TEST(Synthetic, RandomScoresHaveTheStatedDeviation) {
  for (const double sharpness : {1.0, 4.0}) {
    SyntheticSpec spec = spec_of(SyntheticKind::kRandom);
    spec.sharpness = sharpness;
    const auto source = make_synthetic_source(spec, 3);
    DenseAttention run(*source, 2);
    run.step(prompt(*source, 200));
    double sum = 0, squares = 0, count = 0;
    for (int64_t head = 0; head < 4; ++head)
      for (int64_t q = 100; q < 200; ++q) {
        for (int64_t k = 1; k <= q; k += 2) {
          const double difference =
              std::log(run.weight(1, head, q, k)) - std::log(run.weight(1, head, q, k - 1));
          sum += difference;
          squares += difference * difference;
          ++count;
        }
      }
    EXPECT_NEAR(sum / count, 0, 0.02 * sharpness);
    EXPECT_NEAR(std::sqrt(squares / count), sharpness / 2 * std::sqrt(2.0), 0.03 * sharpness);
  }
}

TEST(Synthetic, SharpnessZeroIsUniform) {
  for (const auto kind : {SyntheticKind::kRandom, SyntheticKind::kLocal, SyntheticKind::kInduction,
                          SyntheticKind::kNeedle}) {
    SyntheticSpec spec = spec_of(kind);
    spec.sharpness = 0;
    const auto source = make_synthetic_source(spec, 7);
    DenseAttention run(*source, 1);
    run.step(prompt(*source, 50));
    for (int64_t k = 0; k < 50; ++k) EXPECT_FLOAT_EQ(run.weight(1, 3, 49, k), 1.0f / 50);
  }
}

TEST(Synthetic, BitsDoNotDependOnCutsThreadsOrNeighbours) {
  for (const auto kind : {SyntheticKind::kRandom, SyntheticKind::kLocal, SyntheticKind::kInduction,
                          SyntheticKind::kNeedle}) {
    const auto source = make_synthetic_source(spec_of(kind), 7);
    const std::vector<int32_t> tokens = prompt(*source, 60);
    DenseAttention whole(*source, 1);
    const std::vector<float> logits = whole.step(tokens);
    const auto again = make_synthetic_source(spec_of(kind), 7);
    DenseAttention cut(*again, 3);
    cut.step({tokens.begin(), tokens.begin() + 33});
    std::vector<float> last;
    for (size_t i = 33; i < tokens.size(); ++i) last = cut.step({tokens[i]});
    EXPECT_EQ(last, logits);
    EXPECT_EQ(whole.keys(1), cut.keys(1));
    const auto other_seed = make_synthetic_source(spec_of(kind), 8);
    DenseAttention other(*other_seed, 1);
    if (kind != SyntheticKind::kLocal) {
      other.step(tokens);
      EXPECT_NE(other.keys(1), whole.keys(1));
    }
  }
}

TEST(Synthetic, LabelsGoBothWays) {
  const auto source = make_synthetic_source(spec_of(SyntheticKind::kNeedle), 7);
  EXPECT_EQ(source->token_text(17), "k17");
  EXPECT_EQ(source->encode(" k0  k17\nk511"), (std::vector<int32_t>{0, 17, 511}));
  EXPECT_EQ(source->decode(source->encode("k3 k4")), "k3 k4");
  EXPECT_TRUE(source->encode("").empty());
  EXPECT_TRUE(source->stop_tokens().empty());
  for (const char* bad : {"k512", "k-1", "k", "17", "k1x", "k99999999999999", "K1"})
    expect_refused({ErrorCode::kBadInput, "not a token", "prompt", bad, "k0 to k511"},
                   [&] { source->encode(bad); });
}

// Logits are computed for the first 4,096 labels only; the others are minus infinity.
TEST(Synthetic, LabelsOfALongPromptAreAllDifferent) {
  SyntheticSpec spec = spec_of(SyntheticKind::kNeedle);
  spec.max_model_len = 6000;
  const auto source = make_synthetic_source(spec, 7);
  EXPECT_EQ(source->shape().vocab_size, 6000);
  const std::vector<int32_t> ids = source->prompt_ids(0, 6000, 0);
  EXPECT_EQ(source->token_text(ids[4096]), "k4096");
  EXPECT_EQ(source->token_text(ids.back()), "k5999");
  DenseAttention run(*source, 1);
  const std::vector<float> row = run.step({ids.begin(), ids.begin() + 20});
  EXPECT_TRUE(std::isfinite(row[4095]));
  EXPECT_EQ(row[4096], -std::numeric_limits<float>::infinity());
  EXPECT_LT(std::ranges::max_element(row) - row.begin(), 4096);
}

TEST(Synthetic, RefusesSpecsThatMakeNoSense) {
  const auto refused = [](auto change, const char* where) {
    SyntheticSpec spec = spec_of(SyntheticKind::kLocal);
    change(spec);
    expect_refused({ErrorCode::kBadInput, "", where, "", ""},
                   [&] { make_synthetic_source(spec, 0); });
  };
  refused([](SyntheticSpec& s) { s.num_layers = 0; }, "num_layers");
  refused([](SyntheticSpec& s) { s.num_heads = -1; }, "num_heads");
  refused([](SyntheticSpec& s) { s.num_kv_heads = 3; }, "num_kv_heads");
  refused([](SyntheticSpec& s) { s.head_size = 1; }, "head_size");
  refused([](SyntheticSpec& s) { s.period = 0; }, "period");
  refused([](SyntheticSpec& s) { s.sharpness = -1; }, "sharpness");
  refused([](SyntheticSpec& s) { s.sharpness = 101; }, "sharpness");
  refused([](SyntheticSpec& s) { s.sharpness = std::nan(""); }, "sharpness");
  refused([](SyntheticSpec& s) { s.max_model_len = 0; }, "max_model_len");
}

}  // namespace
}  // namespace attn
