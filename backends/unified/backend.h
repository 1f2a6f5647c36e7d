// SPDX-License-Identifier: GPL-3.0-or-later
// UNIFIED: combines features of the modelled backends; it follows no single backend of vLLM. Cache
// [2, num_blocks, Hkv * D * block_size]: keys seen as [num_blocks, Hkv, D / pair, block_size, pair]
// (pair = 2 for 16-bit elements and an even D, else 1); values as rows
// [num_blocks, Hkv, block_size, D]. Decodes read both in place if the block size is a multiple of 8
// and the head size a multiple of 16.
#pragma once

#include <memory>

#include "engine/attention/backend.h"
#include "engine/kernels/cache/cache_ops.h"

namespace attn::backends::unified {

std::unique_ptr<AttentionBackend> make_backend();
// The option `exactness`. kInvariant: the bits of a row do not depend on the batch. kFast: a
// decode task merges its tiles into one partial result, and if query and values are bf16, weights
// are rounded to bf16; bits may change with the batch and the number of workers.
enum class Exactness { kInvariant, kFast };
Exactness exactness(const AttentionConfig& config);

std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);
// AttentionBackend::reads_new_keys_from_cache. New keys and values are read from the cache if there
// are cached tokens (DECODER only), or if the cache has another type: a prefill then sees the same
// rounded numbers as later steps. Else they are read from the call.
bool reads_new_keys_from_cache(const NewKeys& keys);
CacheLayout cache_layout(const KvCacheView& cache);

}  // namespace attn::backends::unified
