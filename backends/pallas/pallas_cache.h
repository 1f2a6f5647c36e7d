// SPDX-License-Identifier: GPL-3.0-or-later
// The cache of the pallas backend: keys and values as a pair of [Hkv, num_blocks, block_size, D],
// both in one tensor [2, Hkv, num_blocks, block_size, D]. A half can also be read as rows [Hkv *
// num_blocks * block_size, D]; writing copies rows by index. Any thread, as long as no other thread
// uses the same rows, unless said otherwise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn::backends::pallas {

CacheLayout cache_layout(const KvCacheView& cache);

// The flat row of every (token, KV head), [T, Hkv]: head * num_blocks * block_size + slot; -1 for a
// padding token.
std::vector<int64_t> flat_rows(std::span<const int64_t> slot_mapping, const KvCacheView& cache);

// Copies the rows of key, value [T, Hkv, D] from row first_row on to the flat rows in `rows`
// [T - first_row, Hkv]; -1 writes nothing. The cache has the dtype of key and value. False when the
// gate cancelled it. Engine thread.
bool index_copy(const Tensor& key, const Tensor& value, int64_t first_row,
                std::span<const int64_t> rows, const KvCacheView& cache,
                const Execution& execution);

// cache[:, :, dst_indices[i]] = cache[:, :, src_indices[i]] for all i at once: the result is as if
// all sources were read before the first destination is written.
void copy_blocks(const KvCacheView& cache, std::span<const int64_t> src_indices,
                 std::span<const int64_t> dst_indices);

}  // namespace attn::backends::pallas
