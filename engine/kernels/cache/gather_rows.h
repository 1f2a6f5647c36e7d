// SPDX-License-Identifier: GPL-3.0-or-later
// Reads rows of a KvSource of any cache type as f32, multiplied by its scales. Any thread.
#pragma once

#include <cstdint>

#include "engine/kernels/cache/kv_source.h"

namespace attn {

template <class T>
void gather_rows_of(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                    int64_t head_size, float* rows) {
  const T* base = static_cast<const T*>(source.base);
  const float scale = source.scale_of(head);
  for (int64_t i = 0; i < count; ++i, rows += head_size) {
    const T* row = base + source.row(begin + i, head);
    for (int64_t d = 0; d < head_size; ++d) rows[d] = to_f32(row[source.element(d)]) * scale;
  }
}

// Copies the rows of tokens begin .. begin + count - 1 of `head` to rows [count, head_size] f32.
inline void gather_rows(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                        int64_t head_size, float* rows) {
  switch (source.dtype) {
    case DType::kBF16:
      return gather_rows_of<BFloat16>(source, head, begin, count, head_size, rows);
    case DType::kF16:
      return gather_rows_of<Float16>(source, head, begin, count, head_size, rows);
    case DType::kF8E4M3:
      return gather_rows_of<Float8E4M3>(source, head, begin, count, head_size, rows);
    case DType::kF8E5M2:
      return gather_rows_of<Float8E5M2>(source, head, begin, count, head_size, rows);
    case DType::kI8:
      return gather_rows_of<int8_t>(source, head, begin, count, head_size, rows);
    default:
      return gather_rows_of<float>(source, head, begin, count, head_size, rows);
  }
}

}  // namespace attn
