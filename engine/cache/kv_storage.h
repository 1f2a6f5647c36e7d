// SPDX-License-Identifier: GPL-3.0-or-later
// KvStorage: the memory of the cache's blocks, one tensor per layer in the backend's own layout.
// Also the bytes that it needs. The engine thread makes it; any thread may call its functions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/attention/backend.h"

namespace attn {

struct KvStorageSpec {
  int64_t num_layers = 0;
  int64_t num_blocks = 0;
  int64_t block_size = 0;  // tokens per block
  int64_t num_kv_heads = 0;
  int64_t head_size = 0;
  DType dtype = DType::kF32;
  LayerScales scales = {};  // only for a quantised dtype; the same in every layer
  // The first layer that has a cache. num_layers does not count the encoder's layers before it.
  int64_t first_layer = 0;
};

class KvStorage {
 public:
  // Throws Error(kBadInput) if an axis is below 1, if the product overflows, or if the bytes are
  // more than may be taken (engine/core/memory.h). The backend must outlive the storage.
  KvStorage(const AttentionBackend& backend, const KvStorageSpec& spec);

  // Throws Error(kBadInput) if an axis is below 1 or the product overflows.
  static int64_t bytes_needed(const KvStorageSpec& spec);
  const KvStorageSpec& spec() const { return spec_; }
  const AttentionBackend& backend() const { return backend_; }
  // layer: first_layer <= layer < first_layer + num_layers.
  KvCacheView layer(int64_t layer) const;

 private:
  const AttentionBackend& backend_;
  KvStorageSpec spec_;
  mutable std::vector<Tensor> layers_;
};

// Throws Error(kBadInput) when `bytes` are more than may be taken of `available` bytes. The message
// holds the arithmetic.
void check_memory(const KvStorageSpec& spec, int64_t bytes, int64_t available);

}  // namespace attn
