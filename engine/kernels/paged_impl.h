// SPDX-License-Identifier: GPL-3.0-or-later
// PagedImpl and PagedState: forward() and the state that torch_sdpa, xformers and unified share. A
// backend adds its cache layout, its prefill and its choice of kernels. Engine thread; the
// functions outside the classes: any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_ops.h"
#include "engine/kernels/call_operands.h"
#include "engine/kernels/decode/paged_decode.h"
#include "engine/kernels/prefill/flash_prefill.h"
#include "engine/kernels/workspace.h"

namespace attn {

// The layers of one configuration share the kernels' scratch memory. Capturing a batch size
// reserves memory for the partial results of a paged decode of that size.
class PagedState final : public AttentionState {
 protected:
  void on_capture(const CapturedPlan& plan, const Execution& execution) override;
};

// The operands of one forward.
struct PagedCall {
  const AttentionInputs& inputs;
  const AttentionOutputs& outputs;
  const Execution& execution;
  float* lse;            // [T, H], never null
  Workspace& workspace;  // that of the state; without a state, the impl's own
  CacheLayout cache;     // with the scales of the call
  bool has_cache;  // false: the attention type or the call has no cache, and `cache` is not set
};

// Whether the layer has both ALiBi and a window.
bool ignores_window(const AttentionConfig& config);
bool has_cached_prompt(const AttentionMetadata& metadata);
// New tokens of a prefill without cached tokens; 0 for other sequences.
int64_t uncached_rows(const AttentionMetadata& metadata, int64_t sequence);

// Adds the warnings of a backend that takes ALiBi as a tensor in the type of the query.
void add_mask_warnings(const AttentionConfig& config, std::string_view display_name,
                       std::vector<std::string>& sentences);

class PagedImpl : public AttentionImpl {
 public:
  bool forward(const AttentionInputs& inputs, const AttentionMetadata& metadata,
               const AttentionOutputs& outputs, const Execution& execution) final;

 protected:
  explicit PagedImpl(const AttentionConfig& config) : config_(config) {}

  // --- functions that a backend defines; prefill and decode return false if cancelled ---
  virtual CacheLayout layout_of(const KvCacheView& cache) const = 0;
  // Computes the prefills of a batch; in ENCODER attention it computes the whole batch.
  virtual bool prefill(const PagedCall& call, const AttentionMetadata& part) = 0;
  // Computes the decodes of a batch. Default: paged attention v1 or v2 by the original's rule.
  // max_seq_len: BlockTableArgs::max_seq_len of the decodes.
  virtual bool decode(DecodeArgs& args, int64_t max_seq_len, Workspace& workspace,
                      const Execution& execution) const;

  // Throws Error if the backend refuses this call.
  virtual void check(const AttentionInputs& /*inputs*/) const {}

  // Whether the kernels of this layer may use a unit of the processor that multiplies bf16 numbers
  // (bf16_unit.h).
  virtual bool uses_bf16_unit() const { return false; }

  // --- functions that a backend uses ---
  const AttentionConfig& config() const { return config_; }
  bool is_cross() const { return config_.attn_type == AttentionType::kEncoderDecoder; }
  bool uses_cache() const { return config_.attn_type == AttentionType::kDecoder || is_cross(); }

  // The unit for this call. kNone if there is none, if the backend uses none, if the query or the
  // new keys are not bf16, or if the unit cannot multiply keys of the cache's type.
  Bf16Unit unit_of(const PagedCall& call) const;
  template <class Args>
  void set_operands(const PagedCall& call, Args& args) const {
    attn::set_operands(config_, call.inputs, call.outputs, call.lse, args);
  }
  KvSource input_rows(const Tensor& rows, int64_t first) const {
    return attn::input_rows(config_, rows, first);
  }
  // Arguments of a prefill kernel for all sequences of `part`. If there is a cache, a sequence's
  // keys and values are read from it if the call brings no new ones or reads_new_keys_from_cache()
  // returns true for the sequence. Otherwise they are those of the call. The result points to
  // memory of this object and is valid until the next call.
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
