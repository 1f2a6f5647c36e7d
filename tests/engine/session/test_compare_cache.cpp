// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons with and without a cache: what is counted equals the closed formulas, and both runs
// give the tokens of the plain run.
#include "engine/session/compare/compare_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "engine/core/error.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using test::model_scenario;
using test::synthetic_scenario;
using testing::HasSubstr;

CacheCompareResult cache_comparison(const Scenario& scenario) {
  CacheCompareSpec spec;
  spec.scenario = scenario;
  return compare_cache(spec);
}

int64_t triangle(int64_t n) {
  return n * (n + 1) / 2;
}

// The number of pairs of a query and a key in n causal rows that see at most `window` keys.
int64_t band(int64_t n, int64_t window) {
  return n <= window ? triangle(n) : triangle(window) + (n - window) * window;
}

std::vector<int32_t> tokens_of_plain_run(const Scenario& scenario, uint32_t request) {
  Engine engine(scenario, {});
  engine.run_to_end();
  return engine.scheduler().find(request)->output_ids;
}

TEST(CompareCache, PairsAreThoseOfTheTriangles) {
  constexpr int64_t kPrompt = 20, kTokens = 5;
  Scenario scenario = synthetic_scenario({kPrompt}, kTokens);
  scenario.source.synthetic->head_size = 128;  // all backends support this size
  for (const char* backend : {"reference", "torch_sdpa", "xformers", "pallas", "unified"}) {
    scenario.engine.backend = backend;
    const CacheCompareResult result = cache_comparison(scenario);
    SCOPED_TRACE(result.backend);
    const int64_t heads = 2 * 4;
    ASSERT_EQ(result.heads(), heads);
    EXPECT_EQ(result.with_cache.steps.size(), size_t{kTokens});
    ASSERT_EQ(result.without_cache.steps.size(), size_t{kTokens});
    EXPECT_EQ(result.with_cache.pairs, heads * triangle(kPrompt + kTokens - 1));
    EXPECT_EQ(result.with_cache.tokens, kPrompt + kTokens - 1);
    int64_t pairs = 0, tokens = 0;
    for (int64_t i = 0; i < kTokens; ++i) {
      const auto at = static_cast<size_t>(i);
      const int64_t length = kPrompt + i;
      const CacheCompareStep &with = result.with_cache.steps[at],
                             &without = result.without_cache.steps[at];
      ASSERT_EQ(with.rows.size(), 1u);
      ASSERT_EQ(without.rows.size(), 1u);
      EXPECT_EQ(with.rows[0].first, i == 0 ? 0 : length - 1);
      EXPECT_EQ(with.rows[0].end, length);
      EXPECT_EQ(with.pairs, heads * (i == 0 ? triangle(length) : length));
      EXPECT_EQ(without.rows[0].first, 0);
      EXPECT_EQ(without.rows[0].end, length);
      EXPECT_EQ(without.pairs, heads * triangle(length));
      EXPECT_EQ(without.tokens, length);
      EXPECT_GE(without.tile_pairs, without.pairs);
      EXPECT_GT(without.ns, 0u);
      pairs += heads * triangle(length);
      tokens += length;
    }
    EXPECT_EQ(result.without_cache.pairs, pairs);
    EXPECT_EQ(result.without_cache.tokens, tokens);
    EXPECT_TRUE(result.equal_heads());
    EXPECT_TRUE(result.same_answers());
    EXPECT_EQ(result.answers[0].compared_rows, kTokens);
    EXPECT_LT(result.max_difference(), 1e-3 * std::max(1.0, result.answers[0].largest_logit));
    EXPECT_EQ(result.answers[0].without_cache, tokens_of_plain_run(scenario, 0));
    EXPECT_TRUE(result.notes.empty());
  }
}

// The run without a cache also computes the rows that have left the window.
TEST(CompareCache, AWindowNarrowsBothRuns) {
  constexpr int64_t kPrompt = 37, kTokens = 12, kWindow = 9;
  Scenario scenario = synthetic_scenario({kPrompt}, kTokens);
  scenario.attention.sliding_window = kWindow;
  scenario.engine.block_size = 4;
  const CacheCompareResult result = cache_comparison(scenario);
  EXPECT_EQ(result.with_cache.pairs, result.heads() * band(kPrompt + kTokens - 1, kWindow));
  int64_t pairs = 0;
  for (int64_t i = 0; i < kTokens; ++i) pairs += result.heads() * band(kPrompt + i, kWindow);
  EXPECT_EQ(result.without_cache.pairs, pairs);
  EXPECT_TRUE(result.same_answers());
  EXPECT_EQ(result.answers[0].with_cache, tokens_of_plain_run(scenario, 0));
}

TEST(CompareCache, AModelWritesTheSameTextTwice) {
  Scenario scenario = model_scenario(
      {"Once upon a time, there was a cat.", "Once upon a time, there was a dog and a"}, 8);
  for (ScenarioRequest& request : scenario.requests) {
    request.sampling.temperature = 0.8;
    request.sampling.seed = 7;
  }
  const std::vector<int32_t> plain[] = {tokens_of_plain_run(scenario, 0),
                                        tokens_of_plain_run(scenario, 1)};
  scenario.engine.extended = true;
  scenario.engine.policy = SchedulingPolicy::kChunkedPrefill;
  scenario.engine.max_num_batched_tokens = 5;
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 6;
  const CacheCompareResult result = cache_comparison(scenario);
  ASSERT_EQ(result.answers.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(result.answers[i].with_cache, plain[i]);
    EXPECT_EQ(result.answers[i].without_cache, plain[i]);
    EXPECT_EQ(result.answers[i].text_with_cache, result.answers[i].text_without_cache);
    EXPECT_GT(result.answers[i].largest_logit, 0);
  }
  EXPECT_LT(result.max_difference(), 1e-3);
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("without prefix caching")));
  EXPECT_THAT(result.notes, testing::Contains(HasSubstr("no prompt is cut")));
  for (const CacheCompareStep& step : result.without_cache.steps)
    for (const ComputedRows& rows : step.rows) EXPECT_EQ(rows.first, 0);
  for (size_t i = 1; i < result.with_cache.steps.size(); ++i)
    for (const ComputedRows& rows : result.with_cache.steps[i].rows)
      EXPECT_EQ(rows.end - rows.first, 1);
  // With the cache, bytes grow by blocks of 4 tokens. token: bytes of its f32 keys and values in a
  // layer; without a cache only one layer's are held.
  const SourceShape& shape = result.shape;
  const int64_t token = 2 * shape.num_kv_heads * shape.head_size * 4;
  EXPECT_EQ(result.with_cache.steps[0].kv_bytes % (4 * token * shape.num_layers), 0);
  EXPECT_GT(result.with_cache.most_kv_bytes, result.with_cache.steps[0].kv_bytes);
  EXPECT_EQ(result.without_cache.steps[3].kv_bytes, result.without_cache.steps[3].tokens * token);
}

TEST(CompareCache, WhatCannotBeComparedIsRefused) {
  const auto refusal = [](const Scenario& scenario) {
    try {
      cache_comparison(scenario);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
      return std::string(error.what());
    }
    return std::string();
  };
  Scenario scenario = synthetic_scenario({12}, 1);
  scenario.attention.type = AttentionType::kEncoderOnly;
  EXPECT_THAT(refusal(scenario), HasSubstr("An encoder computes its prompt in one step"));
  scenario.attention.type = AttentionType::kEncoderDecoder;
  scenario.requests[0].encoder_tokens = 6;
  EXPECT_THAT(refusal(scenario), HasSubstr("Cross attention"));
  Scenario tensors = synthetic_scenario({12}, 1);
  tensors.source.synthetic.reset();
  tensors.source.tensors.emplace();
  EXPECT_THAT(no_cache_refusal(tensors), HasSubstr("come from files"));
  SourceShape mixed;
  mixed.calls = {{.label = "L0 self"},
                 {.label = "L0 cross", .type = AttentionType::kEncoderDecoder}};
  EXPECT_EQ(no_cache_refusal(synthetic_scenario({12}, 1)), "");
  EXPECT_THAT(no_cache_refusal(synthetic_scenario({12}, 1), &mixed), HasSubstr("Cross attention"));
}

TEST(CompareCache, BothRunsMustFitInMemoryTogether) {
  Scenario scenario = synthetic_scenario({1000}, 1'000'000);
  SyntheticSpec& source = *scenario.source.synthetic;
  source.num_layers = 64;
  source.num_heads = source.num_kv_heads = 32;
  source.head_size = 256;
  source.max_model_len = 1'000'000;
  try {
    cache_comparison(scenario);
    FAIL() << "terabytes were granted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("with and without a cache do not fit in memory together"));
  }
}

TEST(CompareCache, CancelsBetweenSteps) {
  CacheCompareSpec spec;
  spec.scenario = synthetic_scenario({20}, 60);
  RunGate gate;
  double last = 0;
  const CacheCompareResult result =
      compare_cache(spec, &gate, [&](double fraction, const std::string&) {
        EXPECT_GE(fraction, last);
        EXPECT_LE(fraction, 1.0);
        last = fraction;
        if (fraction > 0.3) gate.cancel();
      });
  EXPECT_TRUE(result.cancelled);
  EXPECT_GT(result.without_cache.steps.size(), 1u);
  EXPECT_LT(result.without_cache.steps.size(), 60u);
}

TEST(CompareCache, CsvHasALineForEachStepOfEachRun) {
  Scenario scenario = synthetic_scenario({20, 9}, 4);
  scenario.engine.clock = ClockKind::kVirtual;
  const CacheCompareResult result = cache_comparison(scenario);
  const std::string csv = compare_cache_csv(result);
  EXPECT_EQ(csv, compare_cache_csv(cache_comparison(scenario)));
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "cache,step,tokens,rows,pairs,pairs_per_layer_and_head,pairs_in_tiles,time_ns,"
            "attention_ns,clock,kv_bytes,sampled_tokens,max_logit_difference");
  size_t with = 0, without = 0;
  int64_t pairs[2] = {}, ns[2] = {};
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream cut(line);
    for (std::string cell; std::getline(cut, cell, ',');) cells.push_back(cell);
    const bool has_cache = cells[0] == "with";
    ++(has_cache ? with : without);
    pairs[has_cache ? 0 : 1] += std::stoll(cells[4]);
    ns[has_cache ? 0 : 1] += std::stoll(cells[7]);
    EXPECT_EQ(cells[9], "virtual");
    EXPECT_EQ(cells.size(), has_cache ? 12u : 13u);
  }
  EXPECT_EQ(with, result.with_cache.steps.size());
  EXPECT_EQ(without, result.without_cache.steps.size());
  EXPECT_EQ(pairs[0], result.with_cache.pairs);
  EXPECT_EQ(pairs[1], result.without_cache.pairs);
  EXPECT_EQ(ns[0], static_cast<int64_t>(result.with_cache.ns));
  EXPECT_EQ(ns[1], static_cast<int64_t>(result.without_cache.ns));
  EXPECT_THAT(csv, HasSubstr("without,2,31,0:0-20 1:0-9,"));
}

}  // namespace
}  // namespace attn
