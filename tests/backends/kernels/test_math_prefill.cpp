// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel `math` of torch_sdpa: that it reports each row once, and that it computes nothing once
// its gate is cancelled.
#include "backends/torch_sdpa/math_prefill.h"

#include <gtest/gtest.h>

#include "tests/engine/kernels/prefill_operands.h"

namespace attn::testing {
namespace {

using backends::torch_sdpa::math_prefill;

TEST(MathPrefill, TellsEveryRowOnce) {
  Prefill prefill(333, 4, 2, 64);
  Traced traced(2);
  Tensor scores;
  CountingSink sink;
  traced.execution.rows = &sink;
  ASSERT_TRUE(math_prefill(prefill.args, scores, prefill.workspace, traced.execution));
  EXPECT_EQ(sink.rows, 333 * 4);
  EXPECT_EQ(sink.finite, 333 * 4);
}

TEST(MathPrefill, StopsWhenTheGateIsCancelled) {
  Prefill prefill(300, 2, 2, 32);
  Traced traced(2);
  Tensor scores;
  RunGate gate;
  traced.execution.gate = &gate;
  gate.cancel();
  EXPECT_FALSE(math_prefill(prefill.args, scores, prefill.workspace, traced.execution));
  EXPECT_TRUE(traced.tiles().empty());
}

}  // namespace
}  // namespace attn::testing
