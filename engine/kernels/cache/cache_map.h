// SPDX-License-Identifier: GPL-3.0-or-later
// CacheMap: where every number of a layer's cache lies, as bytes from the beginning of the layer's
// tensor. It asks the CacheLayout with which the backend itself reads and writes, so it cannot
// differ from it. For views and tests. Any thread; plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn {

// Which of the two numbers of a slot, KV head and coordinate is meant.
enum class CacheHalf { kKey, kValue };

struct CacheElement {
  int64_t slot = 0, head = 0, d = 0;
  bool operator==(const CacheElement&) const = default;
};

struct CacheMap {
  Shape shape;  // kv_cache_shape(): the axes of the layer's tensor
  DType dtype = DType::kF32;
  int64_t num_blocks = 0, block_size = 0, num_kv_heads = 0, head_size = 0;
  int64_t bytes = 0;       // of the layer's tensor
  int64_t value_byte = 0;  // where the values begin; the keys begin at 0
  // Strides in elements. The bases are null: nothing can be read through these.
  KvSource keys, values;

  const KvSource& half(CacheHalf which) const { return which == CacheHalf::kKey ? keys : values; }
  int64_t element_bytes() const { return static_cast<int64_t>(size_of(dtype)); }
  int64_t byte_of(CacheHalf which, const CacheElement& element) const;
  // The elements that an aligned read of `read_bytes` bytes brings with this one, in the order of
  // the bytes; those of other blocks are left out.
  std::vector<CacheElement> read_at(CacheHalf which, const CacheElement& element,
                                    int64_t read_bytes) const;
};

}  // namespace attn
