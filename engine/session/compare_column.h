// SPDX-License-Identifier: GPL-3.0-or-later
// One backend of a comparison: its implementation, cache, clock and trace, and what is measured of
// it. Private to engine/session/compare*.cpp. Engine thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/cache/kv_storage.h"
#include "engine/session/compare.h"
#include "engine/session/compare_operands.h"
#include "engine/trace/clock.h"
#include "engine/trace/recorder.h"

namespace attn {

// Operands of one attention call as the engine made them, and where they belong.
struct CompareCall {
  const AttentionInputs* inputs = nullptr;  // kv_cache: the engine's
  const AttentionMetadata* metadata = nullptr;
  const Execution* execution = nullptr;
  uint32_t step = 0;
  int64_t layer = 0;
};

class ColumnRun {
 public:
  // Asks the backend; where it refuses, only the column's sentences are there.
  ColumnRun(const AttentionBackend& backend, const AttentionConfig& config, CompareColumn column);

  // Makes implementation and cache. own_cache: else it works in the engine's. Throws what the
  // backend and KvStorage throw.
  void prepare(const KvStorageSpec& spec, bool own_cache, ClockKind clock, int workers);
  bool active() const { return impl_ != nullptr && column_.refusals.empty(); }
  // Asks the backend about the batch; a refusal ends the column.
  void check_batch(const AttentionMetadata& metadata, uint32_t step);
  // False: cancelled. outputs null: its own tensors, of the shape of the query.
  bool forward(const CompareCall& call, const AttentionOutputs* outputs);
  // Keys as the cache holds them, rows [n, Hkv, D] of these slots, without padding of heads.
  void read_keys(const CompareCall& call, std::span<const int64_t> slots, float* keys) const;

  const Tensor& out() const { return *out_; }  // [T, H, D] of the last call
  const Tensor& lse() const { return *lse_; }  // [T, H]
  CompareColumn& column() { return column_; }
  const AttentionBackend& backend() const { return backend_; }

 private:
  KvCacheView cache_of(const CompareCall& call) const;
  void take_events(const CompareCall& call);
  void model_tpu(const CompareCall& call);

  const AttentionBackend& backend_;
  AttentionConfig config_;
  CompareColumn column_;
  std::unique_ptr<AttentionImpl> impl_;
  std::unique_ptr<AttentionState> state_;  // its own: another backend's means nothing to it
  uint32_t state_step_ = 0;                // the step that state_ was told of
  std::unique_ptr<KvStorage> cache_;
  std::optional<RunClock> clock_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<TraceEvent> events_;
  int64_t padding_layer_ = -1;
  Tensor own_out_, own_lse_;
  const Tensor *out_ = nullptr, *lse_ = nullptr;
};

// Adds the rows of one call to the differences. Rows of a batch, for places: CompareCall.
void compare_rows(const CompareCall& call, const Tensor& out, const Tensor& lse,
                  const Tensor& baseline_out, const Tensor& baseline_lse, double tolerance_abs,
                  double tolerance_rel, CompareColumn& column);

// Element i as f32, whatever the tensor's type.
float element_of(const Tensor& tensor, int64_t i);

}  // namespace attn
