// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/heads.h"

#include <algorithm>

#include "engine/model/layers/rows.h"

namespace attn {

std::vector<OutputRun> runs_by_group(const HeadShape& shape) {
  std::vector<OutputRun> runs;
  const int64_t queries = shape.heads / shape.kv_heads * shape.size, size = shape.size,
                keys = shape.heads * size, values = keys + shape.kv_heads * size;
  for (int64_t group = 0; group < shape.kv_heads; ++group) {
    const int64_t from = group * (queries + 2 * size);
    runs.push_back({from, group * queries, queries});
    runs.push_back({from + queries, keys + group * size, size});
    runs.push_back({from + queries + size, values + group * size, size});
  }
  return runs;
}

bool split_heads(const float* qkv, int64_t rows, const HeadShape& shape, const RowAngles& angles,
                 Tensor& query, Tensor& key, Tensor& value, const Execution& execution) {
  const int64_t size = shape.size, stride = shape.width(),
                pairs = angles.rotary ? angles.rotary->num_pairs() : 0;
  make_room(query, {rows, shape.heads, size});
  make_room(key, {rows, shape.kv_heads, size});
  make_room(value, {rows, shape.kv_heads, size});
  return for_rows(execution, KernelId::kRope, rows, 3.0 * static_cast<double>(stride),
                  8.0 * static_cast<double>(stride), [&](int64_t row) {
                    const float* from = qkv + row * stride;
                    const auto take = [&](int64_t heads, Tensor& tensor, bool turns) {
                      float* to = tensor.data<float>() + row * heads * size;
                      if (!turns) std::copy_n(from, heads * size, to);
                      for (int64_t h = 0; turns && h < heads; ++h)
                        angles.rotary->turn(from + h * size, angles.cosine + row * pairs,
                                            angles.sine + row * pairs, size, to + h * size);
                      from += heads * size;
                    };
                    take(shape.heads, query, angles.rotary != nullptr);
                    take(shape.kv_heads, key, angles.rotary != nullptr);
                    take(shape.kv_heads, value, false);
                  });
}

}  // namespace attn
