// SPDX-License-Identifier: GPL-3.0-or-later
// RunRounding: what rounding to a cache of f16, fp8 or int8 does to the keys and values of a run,
// and what the user is told of it. Engine thread.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/attention/backend.h"
#include "engine/attention/cache_type/cache_rounding.h"
#include "engine/core/tensor.h"
#include "engine/session/run/parts/run_trace.h"

namespace attn {

class RunRounding {
 public:
  RunRounding(DType cache, int64_t num_layers, int64_t kv_heads);

  void begin_step() { in_step_ = HeadRounding(num_layers_, before_.num_kv_heads); }
  // Rounds new keys and values of a layer, [T, Hkv, D] f32, to what the cache can hold. Weights
  // recomputed from the cache are then those of the kernel.
  void round_rows(int64_t layer, const LayerScales& scales, Tensor& key, Tensor& value);
  // Warns of saturated numbers in the first step that has some. With a quantised cache, warns once
  // if at least half of the nonzero keys of a step became 0, and once for the values.
  void warn_of_step(const RunTrace& trace);
  // Adds the step's counts to published(), if the cache is quantised.
  void keep_step();
  // Called when the run ends. If a step had saturated numbers after the last warning, warns of
  // those of the whole run.
  void warn_of_run(const RunTrace& trace);

  // The counts of all kept steps; null: there is none yet, or the cache is not quantised.
  const std::shared_ptr<const HeadRounding>& published() const { return published_; }

 private:
  const DType cache_;
  const int64_t num_layers_;
  HeadRounding in_step_, before_;
  std::shared_ptr<const HeadRounding> published_;
  bool warned_of_keys_ = false, warned_of_values_ = false;  // that at least half became 0
  // Over the run: saturated numbers, steps with such numbers, and how many of these steps the user
  // was warned of.
  int64_t saturated_values_ = 0, saturated_steps_ = 0, told_saturated_steps_ = 0;
};

}  // namespace attn
