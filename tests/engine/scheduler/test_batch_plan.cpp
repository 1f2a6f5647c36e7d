// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/batch_plan.h"

#include <gtest/gtest.h>

#include "engine/scheduler/request.h"

namespace attn {
namespace {

TEST(BatchPlan, CountsTokensByPhase) {
  BatchPlan plan;
  EXPECT_TRUE(plan.empty());
  plan.sequences = {
      {.request = 1, .context_len = 0, .query_len = 7, .is_prefill = true, .num_samples = 1},
      {.request = 2, .context_len = 0, .query_len = 5, .is_prefill = true, .num_samples = 0},
      {.request = 3, .context_len = 9, .query_len = 1, .is_prefill = false, .num_samples = 1}};
  EXPECT_FALSE(plan.empty());
  EXPECT_EQ(plan.num_prefill_tokens(), 12);
  EXPECT_EQ(plan.num_decode_tokens(), 1);
}

TEST(BatchPlan, ReadsAsText) {
  BatchPlan plan;
  plan.step = 4;
  plan.sequences = {
      {.request = 1, .context_len = 0, .query_len = 7, .is_prefill = true, .num_samples = 1},
      {.request = 2, .context_len = 0, .query_len = 5, .is_prefill = true, .num_samples = 0}};
  plan.admitted = {1, 2};
  plan.ignored = {9};
  plan.free_blocks_before = 8;
  plan.free_blocks_after = 5;
  EXPECT_EQ(to_string(plan),
            "step 4: 2 sequences, 12 tokens in prefill, 0 tokens in decode\n"
            "  admitted: 1, 2\n"
            "  ignored: 9\n"
            "  request 1: prefill tokens 0 to 6, then samples\n"
            "  request 2: prefill tokens 0 to 4\n"
            "  free blocks: 8 before, 5 after\n");
  plan = {};
  plan.step = 5;
  plan.sequences = {
      {.request = 3, .context_len = 9, .query_len = 1, .is_prefill = false, .num_samples = 1}};
  plan.preempted = {{5, PreemptionMode::kRecompute}, {4, PreemptionMode::kSwap}};
  EXPECT_EQ(to_string(plan),
            "step 5: 1 sequence, 0 tokens in prefill, 1 token in decode\n"
            "  preempted: 5 by recompute, 4 by swap\n"
            "  request 3: decode token 9, then samples\n"
            "  free blocks: 0 before, 0 after\n");
  EXPECT_EQ(to_string(BatchPlan{}),
            "step 0: nothing to compute\n  free blocks: 0 before, 0 after\n");
}

TEST(RequestState, NamesAreThoseOfTheLiterature) {
  EXPECT_EQ(name_of(RequestState::kWaiting), "WAITING");
  EXPECT_EQ(name_of(RequestState::kRunning), "RUNNING");
  EXPECT_EQ(name_of(RequestState::kSwapped), "SWAPPED");
  EXPECT_EQ(name_of(RequestState::kFinishedStopped), "FINISHED_STOPPED");
  EXPECT_EQ(name_of(RequestState::kFinishedLengthCapped), "FINISHED_LENGTH_CAPPED");
  EXPECT_EQ(name_of(RequestState::kFinishedAborted), "FINISHED_ABORTED");
  EXPECT_EQ(name_of(RequestState::kFinishedIgnored), "FINISHED_IGNORED");
  EXPECT_FALSE(is_finished(RequestState::kSwapped));
  EXPECT_TRUE(is_finished(RequestState::kFinishedStopped));
}

}  // namespace
}  // namespace attn
