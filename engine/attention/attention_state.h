// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionState: what the forwards of one layer configuration share in all layers and steps of a
// run: workspaces, the captured plans of decode batches, and the counts of numbers rounded for the
// cache. Engine thread; capture_sizes(), padded_batch() and cache_rounding(): any thread.
//
// Captured plans are the CPU's counterpart of CUDA graphs: for decode batches padded to 1, 2, 4, 8,
// 16, 24, ... sequences, capture() makes the metadata and the buffers once, and a step copies its
// numbers into them. Padding rows have slot -1, length 0 and the request kPaddingRequest.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <typeindex>
#include <vector>

#include "engine/attention/cache_type/cache_rounding.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/core/tensor.h"
#include "engine/trace/event.h"
#include "engine/trace/probe.h"

namespace attn {

// The request of a padding row in the metadata of a plan: no request has this id.
inline constexpr uint32_t kPaddingRequest = kRequestBits;

struct CaptureSpec {
  AttentionConfig config;
  DType dtype = DType::kF32;       // element type of query and output
  int64_t max_blocks_per_seq = 0;  // width of the block tables
  int64_t block_size = 0;
  int64_t max_cross_blocks = 0;  // width of the cross block tables; 0: no encoder
};

// Arrays of a captured plan of b sequences. A step writes its own numbers into them.
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
  AttentionMetadata metadata;  // describes `batch` decodes
  Tensor query, out;           // [batch, H, D]
  Tensor lse;                  // f32 [batch, H]

  size_t bytes() const;
  // take_query() copies the real rows of `from` [T, H, D], from row `first_row` on, into `query`
  // and sets the padding rows to 0. give_output() copies the real rows of `out` to `to` and those
  // of `lse` to `lse_to` [T, H] (null: not wanted), from row `first_row` on.
  void take_query(const Tensor& from, int64_t first_row);
  void give_output(Tensor& to, float* lse_to, int64_t first_row) const;
};

class AttentionState {
 public:
  AttentionState() = default;
  virtual ~AttentionState() = default;
  AttentionState(const AttentionState&) = delete;
  AttentionState& operator=(const AttentionState&) = delete;

  // Begins a step: drops the biases that an earlier step left on `metadata`, and makes the next
  // replay() fill the buffers of a plan again. Call it before the first layer of every step.
  virtual void begin_forward(const AttentionMetadata& metadata);

  // The batch sizes that capture() makes plans for: 1, 2, 4, 8, 16, 24, ... up to the first one
  // that holds max_batch sequences.
  static std::vector<int64_t> capture_sizes(int64_t max_batch);
  // The smallest number of the series 1, 2, 4, 8, 16, 24, ... that is at least `batch`.
  static int64_t padded_batch(int64_t batch);

  // Makes the plans of all capture sizes and drops those captured before. Emits one kPlanCaptured
  // event per size. Throws Error(kBadInput) when max_batch, max_blocks_per_seq or block_size is
  // below 1.
  void capture(int64_t max_batch, const CaptureSpec& spec, const Execution& execution);
  bool is_captured() const { return !plans_.empty(); }
  int64_t max_captured_batch() const { return plans_.empty() ? 0 : plans_.rbegin()->first; }
  const CaptureSpec& capture_spec() const { return spec_; }
  // The metadata of the plan of a captured size, and the plan's input buffers. Both functions throw
  // Error(kBadInput) when that size was not captured.
  const AttentionMetadata& metadata_for_batch(int64_t batch) const;
  InputBuffers input_buffers(int64_t batch);
  // Copies the integers of a decode batch into the plan of its padded size; no allocation. Null
  // when no captured plan fits: no decodes or too many, tables too wide, prefills or a dense bias
  // in the batch, or more encoder blocks than were captured.
  CapturedPlan* prepare_input_buffers(const AttentionMetadata& decode);
  // As prepare_input_buffers(), but once per step: after begin_forward() the first call with
  // `decode` fills the plan (kPlanReplayed event), and the next calls with the same object return
  // the same result.
  CapturedPlan* replay(const AttentionMetadata& decode, const Execution& execution);

  // The object of type T that all layers with this state share, made at its first use.
  template <class T>
  T& shared() {
    std::shared_ptr<void>& slot = shared_[typeid(T)];
    if (!slot) slot = std::make_shared<T>();
    return *static_cast<T*>(slot.get());
  }

  // The counts of numbers that these layers rounded for a quantised cache. Any thread.
  CacheRounding& cache_rounding() { return cache_rounding_; }

 protected:
  // Called for each captured size, so that a backend can reserve memory for its replays.
  virtual void on_capture(const CapturedPlan& /*plan*/, const Execution& /*execution*/) {}

 private:
  CapturedPlan& plan(int64_t batch);
  std::map<int64_t, CapturedPlan> plans_;  // key: batch size
  CaptureSpec spec_;
  const AttentionMetadata* replayed_ = nullptr;  // argument of the latest replay(), or null
  CapturedPlan* replayed_plan_ = nullptr;
  bool in_step_ = false;
  std::map<std::type_index, std::shared_ptr<void>> shared_;
  CacheRounding cache_rounding_;
};

}  // namespace attn
