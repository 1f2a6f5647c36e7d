// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: Eigen's matrices in fp64, one query row of one head after the other, no tiling, one
// thread (only the cache is written in parallel). Slow and plain on purpose: every other backend is
// compared with it. Cache [2, num_blocks, block_size, Hkv, D]. While it computes a sequence, it
// holds the sequence's queries, keys and values in fp64.
#pragma once

#include <memory>

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn::backends::reference {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);
CacheLayout cache_layout(const KvCacheView& cache);

}  // namespace attn::backends::reference
