// SPDX-License-Identifier: GPL-3.0-or-later
// Operands and results of the prefills of a call, padded as pad_prefills() says. Engine thread.
#pragma once

#include "backends/pallas/padding/padded_prefills.h"
#include "engine/attention/backend.h"
#include "engine/core/tensor.h"

namespace attn::backends::pallas {

class PaddedRows {
 public:
  // Copies the prefill rows of `batch` to their places in the padded tensors, and sets padding rows
  // to 0.
  void take(const AttentionInputs& inputs, const AttentionMetadata& batch,
            const PaddedPrefills& padded);
  // Copies output and log-sum-exp of all rows but padding to the flat batch. lse_to: [T, H].
  void give(const AttentionMetadata& batch, const PaddedPrefills& padded, Tensor& to,
            float* lse_to) const;

  const Tensor& query() const { return query_; }  // [rows, H, D]
  const Tensor& key() const { return key_; }      // [rows, Hkv, D]
  const Tensor& value() const { return value_; }
  Tensor& out() { return out_; }               // [rows, H, D]
  float* lse() { return lse_.data<float>(); }  // [rows, H]

 private:
  Tensor query_, key_, value_, out_, lse_;
};

}  // namespace attn::backends::pallas
