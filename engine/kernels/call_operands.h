// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of an attention kernel that come from a call of a backend: its operands, and its new
// keys and values as KvSources. Engine thread.
#pragma once

#include "engine/attention/backend.h"
#include "engine/kernels/cache/kv_source.h"

namespace attn {

// Sets query, output, log-sum-exp, scale, the numbers of heads and the head size. Sets ALiBi slopes
// and the relative bias, too, if `args` has fields for them. `config` must outlive `args`.
template <class Args>
void set_operands(const AttentionConfig& config, const AttentionInputs& inputs,
                  const AttentionOutputs& outputs, float* lse, Args& args) {
  args.query = inputs.query;
  args.out = outputs.out;
  args.lse = lse;
  args.num_heads = config.num_heads;
  args.num_kv_heads = config.num_kv_heads;
  args.head_size = config.head_size;
  args.scale = config.scale;
  if constexpr (requires { args.alibi_slopes; })
    args.alibi_slopes = config.alibi_slopes ? config.alibi_slopes->data() : nullptr;
  if constexpr (requires { args.relative_bias; })
    args.relative_bias = config.relative_bias.empty() ? nullptr : &config.relative_bias;
}

// New keys or values [T, Hkv, D] as a KvSource whose token 0 is row `first`.
inline KvSource input_rows(const AttentionConfig& config, const Tensor& rows, int64_t first) {
  const int64_t width = config.num_kv_heads * config.head_size;
  return dense_rows(static_cast<const std::byte*>(rows.raw()) +
                        static_cast<size_t>(first * width) * size_of(rows.dtype()),
                    rows.dtype(), config.num_kv_heads, config.head_size);
}

}  // namespace attn
