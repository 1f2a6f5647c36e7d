// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/layer_operands.h"

namespace attn {
namespace {

void reshape(Tensor& tensor, DType dtype, const Shape& shape) {
  if (tensor.dtype() != dtype || tensor.shape() != shape) tensor = Tensor(dtype, shape);
}

void round_to_bf16(const Tensor& from, Tensor& to) {
  reshape(to, DType::kBF16, from.shape());
  const float* source = from.data<float>();
  auto* target = to.data<BFloat16>();
  for (int64_t i = 0; i < from.size(); ++i) target[i] = to_bf16(source[i]);
}

void widen_to_f32(const Tensor& from, Tensor& to) {
  reshape(to, DType::kF32, from.shape());
  const auto* source = from.data<BFloat16>();
  float* target = to.data<float>();
  for (int64_t i = 0; i < from.size(); ++i) target[i] = to_f32(source[i]);
}

}  // namespace

void LayerOperands::resize(int64_t tokens, int64_t keys) {
  reshape(query, DType::kF32, {tokens, shape_.num_heads, shape_.head_size});
  reshape(out, DType::kF32, {tokens, shape_.num_heads, shape_.head_size});
  reshape(lse, DType::kF32, {tokens, shape_.num_heads});
  reshape(key, DType::kF32, {keys, shape_.num_kv_heads, shape_.head_size});
  reshape(value, DType::kF32, {keys, shape_.num_kv_heads, shape_.head_size});
}

void LayerOperands::round_to_narrow(bool caches) {
  round_to_bf16(query, query_bf16_);
  round_to_bf16(key, key_bf16_);
  round_to_bf16(value, value_bf16_);
  reshape(out_bf16_, DType::kBF16, query.shape());
  widen_to_f32(query_bf16_, query);
  if (caches) return;
  widen_to_f32(key_bf16_, key);
  widen_to_f32(value_bf16_, value);
}

void LayerOperands::widen_output() {
  widen_to_f32(out_bf16_, out);
}

void LayerOperands::give_to(AttentionInputs& inputs, AttentionOutputs& outputs) {
  inputs.query = narrow_ ? &query_bf16_ : &query;
  if (key.dim(0) > 0) {  // in cross attention only prefills bring keys
    inputs.key = narrow_ ? &key_bf16_ : &key;
    inputs.value = narrow_ ? &value_bf16_ : &value;
  }
  outputs.out = narrow_ ? &out_bf16_ : &out;
  outputs.lse = &lse;
}

}  // namespace attn
