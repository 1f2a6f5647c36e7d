// SPDX-License-Identifier: GPL-3.0-or-later
// One backend of a comparison: its implementations, cache, clock and trace, and what was measured.
// Also the comparison of its rows with the baseline's. Private to this folder. Engine thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/cache/kv_storage.h"
#include "engine/session/compare/compare.h"
#include "engine/session/compare/compare_operands.h"
#include "engine/session/run/layer_configs.h"
#include "engine/trace/clock.h"
#include "engine/trace/recorder.h"

namespace attn {

// The operands of one attention call as the engine made them, with the step and layer of the call.
struct CompareCall {
  const AttentionInputs* inputs = nullptr;  // kv_cache: the engine's
  const AttentionMetadata* metadata = nullptr;
  const Execution* execution = nullptr;
  uint32_t step = 0;
  int64_t layer = 0;
};

class ColumnRun {
 public:
  // If the backend does not support the configurations, the reasons are in column().refusals and
  // the column stays inactive.
  ColumnRun(ComparedBackend compared, const LayerConfigs& configs, CompareColumn column);

  // Makes the implementations and, with own_cache, a cache; otherwise the engine's cache is used.
  // Throws what the backend and KvStorage throw.
  void prepare(const KvStorageSpec& spec, bool own_cache, ClockKind clock, int workers);
  bool active() const { return !groups_.empty() && column_.refusals.empty(); }
  // A batch that the backend does not support makes the column inactive.
  void check_batch(const CompareCall& call);
  // Returns false when cancelled. If outputs is null, it writes to its own tensors.
  bool forward(const CompareCall& call, const AttentionOutputs* outputs);
  // Reads the keys of these slots from the cache, [n, Hkv, D], without the padding of heads.
  void read_keys(const CompareCall& call, std::span<const int64_t> slots, float* keys) const;

  const Tensor& out() const { return *out_; }  // [T, H, D], last call
  const Tensor& lse() const { return *lse_; }  // [T, H]
  CompareColumn& column() { return column_; }
  const AttentionBackend& backend() const { return backend_; }
  const ComparedBackend& compared() const { return compared_; }

 private:
  KvCacheView cache_of(const CompareCall& call) const;
  void take_events(const CompareCall& call);
  void model_device(const CompareCall& call);

  ComparedBackend compared_;
  const AttentionBackend& backend_;
  // The layers of one configuration.
  struct Group {
    std::unique_ptr<AttentionImpl> impl;
    // The column's own, because backends have different states.
    std::unique_ptr<AttentionState> state;
    std::unique_ptr<DeviceModel> device;  // null: none
    uint32_t state_step = 0;              // the step for which `state` was begun
  };
  LayerConfigs configs_;
  CompareColumn column_;
  std::vector<Group> groups_;  // [configs_.distinct]; empty before prepare()
  std::unique_ptr<KvStorage> cache_;
  std::optional<RunClock> clock_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<TraceEvent> events_;
  int64_t padding_layer_ = -1;
  Tensor own_out_, own_lse_;
  const Tensor *out_ = nullptr, *lse_ = nullptr;
};

void compare_rows(const CompareCall& call, const Tensor& out, const Tensor& lse,
                  const Tensor& baseline_out, const Tensor& baseline_lse, double tolerance_abs,
                  double tolerance_rel, CompareColumn& column);

// Copies to.size() elements of an f32, bf16 or f16 tensor, from element `first` on, as f32.
void copy_elements(const Tensor& tensor, int64_t first, std::span<float> to);

}  // namespace attn
