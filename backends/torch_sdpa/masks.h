// SPDX-License-Identifier: GPL-3.0-or-later
// The dense masks of TORCH_SDPA: in prefills without cached tokens ALiBi and sliding windows reach
// scaled_dot_product_attention as a tensor that is added to the scores.
#pragma once

#include <memory>
#include <vector>

#include "engine/attention/attention_bias.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/core/tensor.h"
#include "engine/kernels/planned_masks.h"
#include "engine/trace/probe.h"

namespace attn::backends::torch_sdpa {

// A mask [heads or 1, L, L] of a sequence of L tokens, in the type of the query. It is causal
// whatever the attention type.
class DenseMask final : public AttentionBias {
 public:
  // With ALiBi: [H, L, L], alibi_tensor(), but -inf after the query; a window is ignored.
  // With a window of w keys: [1, L, L], 0 where query - w < key <= query, and -inf elsewhere.
  // `config` must have one of the two.
  DenseMask(const AttentionConfig& config, int64_t len, DType dtype);

  std::string_view name() const override { return "DenseMask"; }
  int64_t num_queries() const override { return tensor_.dim(1); }
  int64_t num_keys() const override { return tensor_.dim(2); }
  int64_t num_heads() const override { return tensor_.dim(0); }
  KeySpan visible(int64_t query) const override;
  float value(int64_t head, int64_t query, int64_t key) const override;
  int64_t diagonal(int64_t query) const override { return query; }
  size_t bytes() const override { return tensor_.bytes(); }
  const Tensor& tensor() const { return tensor_; }
  bool only_hides() const { return slopes_.empty(); }  // every element is 0 or -inf
  // True only if the constructor would build the same mask from these arguments.
  bool is_for(const AttentionConfig& config, int64_t len, DType dtype) const;

 private:
  std::vector<float> slopes_;  // empty: the mask is that of a window
  int64_t window_ = 0;
  Tensor tensor_;
};

// Whether a prefill without cached tokens gets a dense mask.
bool needs_mask(const AttentionConfig& config);
// The mask of each prefill: dense, a rule in the kernel, or the flag is_causal.
std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                       const AttentionMetadata& prefills, int workers);
// Bytes of DenseMask(config, len, dtype); 0 if no mask is needed.
double mask_bytes(const AttentionConfig& config, int64_t len, DType dtype);

// The masks of the prefills of `part`, one per sequence; null for a DECODER sequence with cached
// tokens and for one without keys. They are kept on `part` and built again if they do not fit the
// call. A build emits a kBiasBuilt event. Engine thread.
const BiasList& step_masks(const AttentionConfig& config, const AttentionMetadata& part,
                           DType dtype, const Execution& execution);

}  // namespace attn::backends::torch_sdpa
