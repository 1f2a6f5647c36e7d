// SPDX-License-Identifier: GPL-3.0-or-later
// Expects that two snapshots show the same state of a run.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/session/run/snapshot.h"

namespace attn::test {

inline void expect_same_times(const RequestTimes& found, const RequestTimes& expected) {
  EXPECT_EQ(found.queued_ns, expected.queued_ns);
  EXPECT_EQ(found.scheduled_ns, expected.scheduled_ns);
  EXPECT_EQ(found.first_token_ns, expected.first_token_ns);
  EXPECT_EQ(found.finished_ns, expected.finished_ns);
  EXPECT_EQ(found.token_ns, expected.token_ns);
  EXPECT_EQ(found.pauses, expected.pauses);
}

inline void expect_same_tokens(const std::vector<TokenView>& found,
                               const std::vector<TokenView>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].id, expected[i].id);
    EXPECT_EQ(found[i].text, expected[i].text);
  }
}

inline void expect_same_request(const RequestView& found, const RequestView& expected) {
  SCOPED_TRACE(expected.name);
  EXPECT_EQ(found.id, expected.id);
  EXPECT_EQ(found.name, expected.name);
  EXPECT_EQ(found.state, expected.state);
  EXPECT_EQ(found.ignored_reason, expected.ignored_reason);
  EXPECT_EQ(found.prompt_len, expected.prompt_len);
  EXPECT_EQ(found.num_computed, expected.num_computed);
  EXPECT_EQ(found.num_cached, expected.num_cached);
  EXPECT_EQ(found.num_preemptions, expected.num_preemptions);
  EXPECT_EQ(found.parent, expected.parent);
  EXPECT_EQ(found.sample_index, expected.sample_index);
  EXPECT_EQ(found.beam_rank, expected.beam_rank);
  EXPECT_EQ(found.cumulative_logprob, expected.cumulative_logprob);
  EXPECT_EQ(found.own_table, expected.own_table);
  EXPECT_EQ(found.cross_table, expected.cross_table);
  EXPECT_EQ(found.attention != nullptr, expected.attention != nullptr);
  ASSERT_EQ(found.encoder_tokens != nullptr, expected.encoder_tokens != nullptr);
  if (found.encoder_tokens) expect_same_tokens(*found.encoder_tokens, *expected.encoder_tokens);
  expect_same_tokens(*found.tokens, *expected.tokens);
  EXPECT_EQ(*found.prompt_text, *expected.prompt_text);
  EXPECT_EQ(*found.output_text, *expected.output_text);
  expect_same_times(found.times, expected.times);
  EXPECT_EQ(found.metrics.queue_ns, expected.metrics.queue_ns);
  EXPECT_EQ(found.metrics.ttft_ns, expected.metrics.ttft_ns);
  EXPECT_EQ(found.metrics.tpot_ns, expected.metrics.tpot_ns);
  EXPECT_EQ(found.metrics.itl_ns, expected.metrics.itl_ns);
  EXPECT_EQ(found.metrics.e2e_ns, expected.metrics.e2e_ns);
  EXPECT_EQ(found.metrics.paused_ns, expected.metrics.paused_ns);
}

inline void expect_same_prefixes(const EngineSnapshot& found, const EngineSnapshot& expected) {
  ASSERT_EQ(found.prefixes != nullptr, expected.prefixes != nullptr);
  if (!expected.prefixes) return;
  ASSERT_EQ(found.prefixes->size(), expected.prefixes->size());
  for (size_t i = 0; i < found.prefixes->size(); ++i) {
    const PrefixView &x = (*found.prefixes)[i], &y = (*expected.prefixes)[i];
    ASSERT_EQ(x.parent, y.parent) << i;
    ASSERT_EQ(x.block, y.block) << i;
    ASSERT_EQ(x.depth, y.depth) << i;
    expect_same_tokens(*x.tokens, *y.tokens);
  }
}

inline void expect_same_state(const EngineSnapshot& found, const EngineSnapshot& expected) {
  SCOPED_TRACE("step " + std::to_string(expected.step));
  EXPECT_EQ(found.step, expected.step);
  EXPECT_EQ(found.plan, expected.plan);
  EXPECT_EQ(found.blocks, expected.blocks);
  EXPECT_EQ(found.swap_blocks, expected.swap_blocks);
  EXPECT_EQ(found.free_blocks, expected.free_blocks);
  EXPECT_EQ(found.generated_tokens, expected.generated_tokens);
  EXPECT_EQ(found.tokens_per_s, expected.tokens_per_s);
  expect_same_prefixes(found, expected);
  ASSERT_EQ(found.requests.size(), expected.requests.size());
  for (size_t i = 0; i < found.requests.size(); ++i)
    expect_same_request(found.requests[i], expected.requests[i]);
}

}  // namespace attn::test
