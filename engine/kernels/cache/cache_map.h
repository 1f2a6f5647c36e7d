// SPDX-License-Identifier: GPL-3.0-or-later
// CacheMap: where every number of a layer's cache lies, as bytes from the beginning of the layer's
// tensor. The strides are those of the backend's CacheLayout. Any thread; plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn {

enum class CacheHalf { kKey, kValue };

struct CacheElement {
  int64_t slot = 0, head = 0, d = 0;
  bool operator==(const CacheElement&) const = default;
};

struct CacheMap {
  Shape shape;  // axes as in kv_cache_shape()
  DType dtype = DType::kF32;
  int64_t num_blocks = 0, block_size = 0, num_kv_heads = 0, head_size = 0;
  int64_t bytes = 0;       // size of the layer's tensor
  int64_t value_byte = 0;  // byte at which the values begin
  // Strides in elements; the base pointers are null.
  KvSource keys, values;

  const KvSource& half(CacheHalf which) const { return which == CacheHalf::kKey ? keys : values; }
  int64_t element_bytes() const { return static_cast<int64_t>(size_of(dtype)); }
  int64_t byte_of(CacheHalf which, const CacheElement& element) const;
  // The elements of the same half and block that lie in the same group of `read_bytes` bytes as
  // `element`, in byte order. Groups begin at multiples of `read_bytes` in the layer's tensor.
  std::vector<CacheElement> read_at(CacheHalf which, const CacheElement& element,
                                    int64_t read_bytes) const;
};

}  // namespace attn
