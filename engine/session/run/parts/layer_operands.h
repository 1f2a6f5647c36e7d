// SPDX-License-Identifier: GPL-3.0-or-later
// LayerOperands: the queries, keys, values and outputs of the layer that is being computed, in f32
// and, for a bf16 cache, in bf16 too. The tensors are reused while their shapes stay the same.
// Engine thread.
#pragma once

#include <cstdint>

#include "engine/attention/backend.h"
#include "engine/core/tensor.h"
#include "engine/model/source.h"

namespace attn {

class LayerOperands {
 public:
  // shape: of the source, which must outlive this.
  LayerOperands(const SourceShape& shape, DType cache)
      : shape_(shape), narrow_(cache == DType::kBF16) {}

  void resize(int64_t tokens, int64_t keys);
  // Whether the backend gets bf16 numbers.
  bool narrow() const { return narrow_; }
  // Only if narrow(): makes the backend's operands, and rounds the f32 queries too, so that the
  // scores of kept queries and cached keys are those of the kernel. caches: the layer writes its
  // keys and values to the cache; the f32 ones are then left as they are.
  void round_to_narrow(bool caches);
  // Only if narrow(): widens the output of the backend into `out`.
  void widen_output();
  void give_to(AttentionInputs& inputs, AttentionOutputs& outputs);

  // [T, H, D], [T, Hkv, D], [T, Hkv, D], [T, H, D], [T, H]; in cross attention keys and values have
  // as many rows as the encoder brings.
  Tensor query, key, value, out, lse;

 private:
  const SourceShape& shape_;
  const bool narrow_;
  Tensor query_bf16_, key_bf16_, value_bf16_, out_bf16_;
};

}  // namespace attn
