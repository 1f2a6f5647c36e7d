// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/widened.h"

#include <vector>

#include "engine/attention/types.h"
#include "engine/kernels/cache_ops.h"

namespace attn {

bool kernels_take_query(DType dtype) {
  return dtype != DType::kF16;
}

bool kernels_read_cache(DType dtype) {
  return !is_quantised(dtype);
}

WidenedQuery::WidenedQuery(const Tensor& query, Tensor& out)
    : query_(query), out_(out), widened_(!kernels_take_query(query.dtype())) {
  if (!widened_) return;
  query_copy_ = convert(query, DType::kF32);
  out_copy_ = Tensor(DType::kF32, out.shape());
}

void WidenedQuery::finish(int64_t first, int64_t count) {
  if (!widened_) return;
  const int64_t row = out_.dim(1) * out_.dim(2);
  const float* from = out_copy_.data<float>();
  auto* to = out_.data<Float16>();
  for (int64_t i = first * row; i < (first + count) * row; ++i) to[i] = to_f16(from[i]);
}

KvSource WidenedCache::decode(const KvSource& source, int64_t tokens, int64_t num_kv_heads,
                              int64_t head_size) {
  Tensor& rows = rows_.emplace_back(DType::kF32, Shape{tokens, num_kv_heads, head_size});
  std::vector<int64_t> slots;
  for (int64_t token = 0; token < tokens; ++token)
    slots.push_back(int64_t{source.block_table[token / source.block_size]} * source.block_size +
                    token % source.block_size);
  read_rows(source, slots, num_kv_heads, head_size, rows.data<float>());
  return dense_rows(rows.raw(), DType::kF32, num_kv_heads, head_size);
}

}  // namespace attn
