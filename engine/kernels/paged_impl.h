// SPDX-License-Identifier: GPL-3.0-or-later
// PagedImpl and PagedState: what a forward of torch_sdpa, xformers and unified has in common. The
// new keys and values go to the cache, then the prefills run, then the decodes, through a captured
// plan where the step has one. A backend adds its cache layout, its prefill and its choice of
// kernels. Engine thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/kernels/cache_ops.h"
#include "engine/kernels/call_operands.h"
#include "engine/kernels/flash_prefill.h"
#include "engine/kernels/paged_decode.h"
#include "engine/kernels/workspace.h"

namespace attn {

// The kernels' scratch memory (shared<Workspace>()) belongs to all layers; a captured size makes it
// as large as the longest replay of any paged decode needs it.
class PagedState final : public AttentionState {
 protected:
  void on_capture(const CapturedPlan& plan, const Execution& execution) override;
};

// One forward, as its steps see it.
struct PagedCall {
  const AttentionInputs& inputs;
  const AttentionOutputs& outputs;
  const Execution& execution;
  float* lse;            // [T, H], never null
  Workspace& workspace;  // the state's; without a state the impl's own
  CacheLayout cache;     // scales applied
  bool has_cache;        // false: `cache` says nothing, the type uses none or the call has none
};

class PagedImpl : public AttentionImpl {
 public:
  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) final;

 protected:
  explicit PagedImpl(const AttentionConfig& config) : config_(config) {}

  // --- what is the backend's own; false when the gate cancelled it ---
  virtual CacheLayout layout_of(const KvCacheView& cache) const = 0;
  // The prefills of a batch, or in ENCODER attention the whole of it.
  virtual bool prefill(const PagedCall& call, const AttentionMetadata& part) = 0;
  // The decodes. Here: paged attention v1 or v2 by the original's rule. max_seq_len: the longest of
  // them, in tokens.
  virtual bool decode(DecodeArgs& args, int64_t max_seq_len, Workspace& workspace,
                      const Execution& execution) const;

  // Whether its kernels multiply bf16 numbers in the processor's unit for them.
  virtual bool uses_bf16_unit() const { return false; }

  // --- what they share ---
  const AttentionConfig& config() const { return config_; }
  bool is_cross() const { return config_.attn_type == AttentionType::kEncoderDecoder; }
  bool uses_cache() const { return config_.attn_type == AttentionType::kDecoder || is_cross(); }

  // The unit for this call: one that multiplies all of its numbers.
  Bf16Unit unit_of(const PagedCall& call) const;
  // What the arguments of every kernel have in common.
  template <class Args>
  void set_operands(const PagedCall& call, Args& args) const {
    attn::set_operands(config_, call.inputs, call.outputs, call.lse, args);
  }
  KvSource input_rows(const Tensor& rows, int64_t first) const {
    return attn::input_rows(config_, rows, first);
  }
  // Arguments of flash_prefill and math_prefill for all sequences of `part`. A sequence finds its
  // keys and values in the cache where the call brings none or reads_new_keys_from_cache() says so
  // (the backend's); else all of them are read as they came. The result points to memory of this
  // object, until the next call.
  PrefillArgs prefill_args(const PagedCall& call, const AttentionMetadata& part,
                           bool (*reads_new_keys_from_cache)(const NewKeys&));

 private:
  bool write_cache(const PagedCall& call, const AttentionMetadata& metadata) const;
  bool decode_part(const PagedCall& call, const AttentionMetadata& part, int64_t first_row);
  bool decode_rows(const PagedCall& call, const AttentionMetadata& part, const Tensor& query,
                   Tensor& out, float* lse, int64_t first_row);
  float* own_lse(const Tensor& query);

  AttentionConfig config_;
  Workspace workspace_;
  std::vector<PrefillSequence> prefills_;
  std::vector<DecodeSequence> decodes_;
  std::vector<float> lse_;
};

}  // namespace attn
