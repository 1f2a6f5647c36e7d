// SPDX-License-Identifier: GPL-3.0-or-later
// Replaying a captured plan allocates nothing on the heap. This file replaces operator new for its
// program and counts the calls.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/attention/attention_state.h"

namespace {

std::atomic<int64_t> allocations{0};

void* counted(size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(bytes == 0 ? 1 : bytes)) return p;
  throw std::bad_alloc();
}

}  // namespace

// Not inlined: the compiler would otherwise see free() beside an allocation by operator new and
// warn of a mismatch.
[[gnu::noinline]] void* operator new(size_t bytes) {
  return counted(bytes);
}
[[gnu::noinline]] void* operator new[](size_t bytes) {
  return counted(bytes);
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete[](void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete[](void* p, size_t) noexcept {
  std::free(p);
}

namespace attn {
namespace {

TEST(AttentionState, ReplayTakesNothingFromTheHeap) {
  CaptureSpec spec;
  spec.config.num_heads = spec.config.num_kv_heads = 4;
  spec.config.head_size = 32;
  spec.max_blocks_per_seq = 8;
  spec.block_size = 16;
  spec.max_cross_blocks = 4;
  AttentionState state;
  state.capture(16, spec, Execution{});
  std::vector<AttentionMetadata> steps;
  for (int32_t count = 1; count <= 16; ++count) {
    std::vector<std::vector<int32_t>> tables(static_cast<size_t>(count));
    std::vector<SequenceSlice> slices;
    for (int32_t i = 0; i < count; ++i) {
      auto& table = tables[static_cast<size_t>(i)];
      table.assign(static_cast<size_t>(1 + i % 8), i);
      SequenceSlice slice{static_cast<uint32_t>(i), 16 * (1 + i % 8) - 1, 1, false, table};
      if (count % 2 == 0) {
        slice.encoder_len = 9;
        slice.cross_block_table = {table.data(), 1};
      }
      slices.push_back(slice);
    }
    steps.push_back(build_metadata(slices, 16));
    steps.back().use_captured_plan = true;
  }
  Tensor query(DType::kF32, {16, 4, 32}), out(DType::kF32, query.shape());
  Tensor lse(DType::kF32, {16, 4});
  const Execution execution;
  const int64_t before = allocations.load(), buffers = AlignedBuffer::allocations();
  int64_t rows = 0;
  for (int round = 0; round < 3; ++round)
    for (const AttentionMetadata& step : steps) {
      state.begin_forward(step);
      CapturedPlan* plan = state.replay(*step.decode_metadata(), execution);
      if (!plan) continue;
      plan->take_query(query, 0);
      plan->give_output(out, lse.data<float>(), 0);
      rows += plan->rows;
    }
  EXPECT_EQ(allocations.load(), before);
  EXPECT_EQ(AlignedBuffer::allocations(), buffers);
  EXPECT_EQ(rows, 3 * 16 * 17 / 2);
  AttentionMetadata copy = steps[0];
  EXPECT_GT(allocations.load(), before);
}

}  // namespace
}  // namespace attn
