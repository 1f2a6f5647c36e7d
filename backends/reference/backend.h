// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: attention in fp64 with Eigen, one query row of one head after the other, without
// tiling, on one thread (only the cache is written in parallel). The tests compare other backends
// with it. Cache [2, num_blocks, block_size, Hkv, D].
#pragma once

#include <memory>

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn::backends::reference {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);
CacheLayout cache_layout(const KvCacheView& cache);

}  // namespace attn::backends::reference
