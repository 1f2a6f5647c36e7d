// SPDX-License-Identifier: GPL-3.0-or-later
// Dense operands, a traced execution and a counter of rows, for tests that call a kernel directly.
#pragma once

#include <atomic>
#include <cmath>
#include <vector>

#include "engine/core/rng.h"
#include "engine/core/tensor.h"
#include "engine/kernels/cache/kv_source.h"
#include "engine/trace/probe.h"

namespace attn::testing {

struct KernelOperands {
  KernelOperands(int64_t rows, int64_t keys, int64_t heads_in, int64_t kv_heads_in, int64_t size)
      : heads(heads_in),
        kv_heads(kv_heads_in),
        head_size(size),
        query(DType::kF32, {rows, heads, size}),
        key(DType::kF32, {keys, kv_heads, size}),
        value(DType::kF32, {keys, kv_heads, size}),
        out(DType::kF32, {rows, heads, size}),
        lse(DType::kF32, {rows, heads}) {
    Rng rng(static_cast<uint64_t>(rows * 7919 + keys));
    for (Tensor* tensor : {&query, &key, &value})
      for (float& x : tensor->span<float>()) x = rng.normal();
  }
  KvSource key_source() const { return dense_rows(key.raw(), DType::kF32, kv_heads, head_size); }
  KvSource value_source() const {
    return dense_rows(value.raw(), DType::kF32, kv_heads, head_size);
  }
  float scale() const { return 1.0f / std::sqrt(static_cast<float>(head_size)); }

  int64_t heads, kv_heads, head_size;
  Tensor query, key, value, out, lse;
};

struct Traced {
  explicit Traced(int workers)
      : pool(workers), recorder(workers), clock(ClockKind::kReal, recorder.num_lanes()) {
    execution.pool = &pool;
    execution.recorder = &recorder;
    execution.clock = &clock;
  }
  std::vector<TileEvent> tiles() {
    recorder.drain();
    std::vector<TileEvent> result;
    for (const TraceEvent& event : recorder.sorted())
      if (event.kind == EventKind::kTile) result.push_back(unpack_tile(event));
    return result;
  }
  ThreadPool pool;
  Recorder recorder;
  RunClock clock;
  Execution execution;
};

struct CountingSink final : RowsSink {
  void rows_done(uint32_t, int, int, int64_t, int64_t count, const float* lse,
                 int64_t stride) override {
    for (int64_t i = 0; i < count; ++i) finite += std::isfinite(lse[i * stride]) ? 1 : 0;
    rows += count;
  }
  std::atomic<int64_t> rows{0}, finite{0};
};

}  // namespace attn::testing
