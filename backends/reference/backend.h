// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle: fp64, two passes, keys and values gathered token by token through the block table, no
// tiling, no threads. Slow and plain on purpose: every other backend is compared with it. Cache [2,
// num_blocks, block_size, Hkv, D].
#pragma once

#include <memory>

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn::backends::reference {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);
CacheLayout cache_layout(const KvCacheView& cache);

}  // namespace attn::backends::reference
