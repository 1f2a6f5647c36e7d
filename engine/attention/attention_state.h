// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionState: what all layers and steps of a run share: workspaces, the biases of the running
// step, the captured plans of decode batches, and the counts of rounded cache values. One per run
// (AttentionBackend::make_state), handed to every forward. Engine thread, except where said.
//
// Captured plans are the CPU's counterpart of CUDA graphs: for decode batches padded to 1, 2, 4, 8,
// 16, 24, ... the metadata, the input buffers and the workspaces are made once by capture(); a step
// copies its integers in and replays, without allocation. Padding rows have slot -1 and length 0:
// they write nothing and read nothing. The bits of the real rows are those of an uncaptured call.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <typeindex>
#include <vector>

#include "engine/attention/cache_rounding.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/core/tensor.h"
#include "engine/trace/probe.h"

namespace attn {

// What a captured plan is made for.
struct CaptureSpec {
  AttentionConfig config;
  DType dtype = DType::kF32;       // of query and output
  int64_t max_blocks_per_seq = 0;  // width of the block tables
  int64_t block_size = 0;
  int64_t max_cross_blocks = 0;  // 0: no encoder
};

// The integers of a captured batch that change from step to step, to be filled in place.
struct InputBuffers {
  std::span<int64_t> slot_mapping;        // [b]
  std::span<int32_t> seq_lens;            // [b]
  std::span<int32_t> context_lens;        // [b]
  std::span<int32_t> block_tables;        // [b, max_blocks_per_seq]
  std::span<int32_t> encoder_seq_lens;    // [b], empty without an encoder
  std::span<int32_t> cross_block_tables;  // [b, max_cross_blocks], empty without an encoder
};

struct CapturedPlan {
  int64_t batch = 0;           // rows, padding included
  int64_t rows = 0;            // real rows of the step that is replayed
  AttentionMetadata metadata;  // of `batch` decodes
  Tensor query, out;           // [batch, H, D]
  Tensor lse;                  // f32 [batch, H]

  size_t bytes() const;
  // Copies the real rows into query, and after the kernel back to out and lse (null: not wanted),
  // both [T, H, D] / [T, H] from row `first_row`. The padding rows of query stay zero.
  void take_query(const Tensor& from, int64_t first_row);
  void give_output(Tensor& to, float* lse_to, int64_t first_row) const;
};

class AttentionState {
 public:
  AttentionState() = default;
  virtual ~AttentionState() = default;
  AttentionState(const AttentionState&) = delete;
  AttentionState& operator=(const AttentionState&) = delete;

  // A step begins: biases kept on `metadata` from an earlier step are forgotten, and the first
  // layer that replays a plan fills its buffers again. Call it before the first layer of every
  // step.
  virtual void begin_forward(const AttentionMetadata& metadata);

  // Batch sizes that are captured for up to max_batch sequences: 1, 2, 4, 8, 16, 24, ... up to the
  // first one that holds max_batch.
  static std::vector<int64_t> capture_sizes(int64_t max_batch);
  // The smallest captured size that holds `batch` sequences.
  static int64_t padded_batch(int64_t batch);

  // Makes the plans of all capture sizes; what was captured before is dropped. One kPlanCaptured
  // event per size. Throws Error(kBadInput) when max_batch < 1 or the spec has no blocks.
  void capture(int64_t max_batch, const CaptureSpec& spec, const Execution& execution);
  bool is_captured() const { return !plans_.empty(); }
  int64_t max_captured_batch() const { return plans_.empty() ? 0 : plans_.rbegin()->first; }
  const CaptureSpec& capture_spec() const { return spec_; }
  // The metadata and the buffers of a captured size. Throws Error(kBadInput) when it was not
  // captured.
  const AttentionMetadata& metadata_for_batch(int64_t batch) const;
  InputBuffers input_buffers(int64_t batch);
  // Copies the integers of a decode batch into the plan of its padded size; no allocation. Null
  // when no captured plan holds it (too many sequences, tables too wide, an encoder that was not
  // captured).
  CapturedPlan* prepare_input_buffers(const AttentionMetadata& decode);
  // The same once per step: the first layer prepares (kPlanReplayed), the later ones get the plan
  // as it is.
  CapturedPlan* replay(const AttentionMetadata& decode, const Execution& execution);

  // An object of type T for all layers of the run, made at its first use.
  template <class T>
  T& shared() {
    std::shared_ptr<void>& slot = shared_[typeid(T)];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }

  // What rounding to a quantised cache did to the keys and values of this run; any thread.
  CacheRounding& cache_rounding() { return cache_rounding_; }

 protected:
  // After a size was captured: make the workspaces as large as its replays need them.
  virtual void on_capture(const CapturedPlan& /*plan*/, const Execution& /*execution*/) {}

 private:
  CapturedPlan& plan(int64_t batch);
  std::map<int64_t, CapturedPlan> plans_;  // by batch
  CaptureSpec spec_;
  const AttentionMetadata* replayed_ = nullptr;  // of the running step
  CapturedPlan* replayed_plan_ = nullptr;
  bool in_step_ = false;
  std::map<std::type_index, std::shared_ptr<void>> shared_;
  CacheRounding cache_rounding_;
};

// The biases of a step for `type`, one per sequence of `part`: those that an earlier layer built,
// or new ones from make_sequence_bias, kept on the metadata and reported by one kBiasBuilt event
// (step, rows, keys, bytes of the objects).
const BiasList& step_biases(const AttentionConfig& config, const AttentionMetadata& part,
                            const Execution& execution);

}  // namespace attn
