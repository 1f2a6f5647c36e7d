// SPDX-License-Identifier: GPL-3.0-or-later
// KvSource: where key (or value) rows lie, in a dense tensor or in the blocks of a cache. Plain
// data; any thread.
#pragma once

#include <cstdint>

#include "engine/core/dtype.h"
#include "engine/kernels/fault.h"

namespace attn {

// In the key layout [head_size / fold, block_size, fold] the elements of neighbouring keys lie side
// by side. Its fold is 2 for 16-bit elements, else 1.
template <class T>
inline constexpr int64_t kKeyFold = sizeof(T) == 2 ? 2 : 1;

// element(token, head, d) = base[block * block_stride + head * head_stride + offset * token_stride
//                               + (d / chunk) * chunk_stride + d % chunk]
// with block = block_table[token / block_size], offset = token % block_size; dense: block = 0,
// offset = token. Strides in elements.
struct KvSource {
  const void* base = nullptr;
  DType dtype = DType::kF32;
  const int32_t* block_table = nullptr;  // null for dense rows, and in a CacheLayout
  int64_t block_size = 0;
  int64_t block_stride = 0;
  int64_t head_stride = 0;
  int64_t token_stride = 0;
  int64_t chunk = 0;  // number of elements of a row that are contiguous
  int64_t chunk_stride = 0;
  // Value = stored number * scale_of(KV head). The scale is 1 unless the cache is quantised.
  float scale = 1;
  const float* head_scales = nullptr;  // [KV heads]; if not null, used in place of `scale`

  float scale_of(int64_t head) const { return head_scales ? head_scales[head] : scale; }
  // The same rows without scales, for kernels that apply the scale to sums.
  KvSource unscaled() const {
    KvSource source = *this;
    source.scale = 1;
    source.head_scales = nullptr;
    return source;
  }
  int64_t fold() const { return size_of(dtype) == 2 ? 2 : 1; }
  bool key_axis_is_fast() const { return block_table && chunk == fold() && token_stride == fold(); }
  // Element index of (slot, head, d = 0), slot = block * block_size + offset.
  int64_t slot_row(int64_t slot, int64_t head) const {
    return slot / block_size * block_stride + head * head_stride + slot % block_size * token_stride;
  }
  int64_t element(int64_t d) const { return d / chunk * chunk_stride + d % chunk; }
  // Element index of (token, head, d = 0).
  int64_t row(int64_t token, int64_t head) const {
    const int64_t block = block_table ? block_table[token / block_size] : 0;
    const int64_t offset = block_table ? token % block_size : token;
    return block * block_stride + head * head_stride + offset * token_stride;
  }
};

// The scale of a KV head's keys or values as the kernels apply it. A seeded fault can change it.
inline float KeyScale(const KvSource& keys, const KvSource& values, int64_t head) {
  if (ATTN_FAULT(kKeyScaleIgnored)) return 1.0f;
  return (ATTN_FAULT(kScalesSwapped) ? values : keys).scale_of(head);
}
inline float ValueScale(const KvSource& keys, const KvSource& values, int64_t head) {
  return (ATTN_FAULT(kScalesSwapped) ? keys : values).scale_of(head);
}

// A KvSource for dense rows [T, num_heads, head_size] that begin at `base`.
inline KvSource dense_rows(const void* base, DType dtype, int64_t num_heads, int64_t head_size) {
  KvSource source;
  source.base = base;
  source.dtype = dtype;
  source.head_stride = head_size;
  source.token_stride = num_heads * head_size;
  source.chunk = head_size;
  return source;
}

}  // namespace attn
