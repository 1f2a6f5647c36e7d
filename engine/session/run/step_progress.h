// SPDX-License-Identifier: GPL-3.0-or-later
// StepProgress: how far the engine is in its present step. The engine thread says where it is,
// workers count the rows that they finish, any thread reads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace attn {

class StepProgress {
 public:
  enum class Stage {
    kPlan,             // schedules, moves blocks, makes metadata
    kBeforeLayers,     // embeddings
    kBeforeAttention,  // norm, projections
    kAttention,
    kAfterAttention,  // output projection and MLP
    kAfterLayers,     // logits, sampling
  };
  struct State {
    uint32_t step = 0;  // 0: none has begun
    // False once the step has ended. It stays true after a cancelled step.
    bool in_step = false;
    std::chrono::steady_clock::time_point begin{};  // of the step
    int64_t num_layers = 0;
    int layer = -1;  // -1: outside the layers
    Stage stage = Stage::kPlan;
    // Rows of the layer's attention, counted once for each query head.
    int64_t rows = 0, rows_done = 0;
  };

  // --- engine thread ---
  void clear();  // when a new run begins
  void begin_step(uint32_t step, int64_t num_layers);
  void enter(Stage stage, int layer);
  void begin_attention(int layer, int64_t rows);
  void end_step();
  // --- workers, while the stage is kAttention ---
  void add_rows(int64_t count) { rows_done_.fetch_add(count, std::memory_order_relaxed); }
  // --- any thread ---
  State now() const;

 private:
  mutable std::mutex mutex_;
  State state_;  // without rows_done, which is in rows_done_
  std::atomic<int64_t> rows_done_{0};
};

}  // namespace attn
