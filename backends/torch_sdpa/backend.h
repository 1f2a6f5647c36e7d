// SPDX-License-Identifier: GPL-3.0-or-later
// TORCH_SDPA: prefill by scaled_dot_product_attention with its `math` or `flash` kernel, one call
// per sequence; decode by paged attention v1 and v2. Cache [2, num_blocks, block_size * Hkv * D]:
// keys seen as [num_blocks, Hkv, D/x, block_size, x] with x = 16 / sizeof(element), values as
// [num_blocks, Hkv, D, block_size].
#pragma once

#include <memory>
#include <string>

#include "engine/attention/backend.h"

namespace attn::backends::torch_sdpa {

// The most bytes of scores that the `math` kernel may hold for one sequence; more is refused.
inline constexpr double kMostScoreBytes = 1024.0 * 1024 * 1024;
// Why k_scale and v_scale must be 1 if the option extended is off.
std::string scales_reason();

// The kernel of scaled_dot_product_attention at prefill: the option sdpa_kernel.
enum class SdpaKernel {
  kAuto,   // the same as kFlash
  kMath,   // three kernels over the whole score matrix
  kFlash,  // query tiles x KV tiles, online softmax
};
SdpaKernel sdpa_kernel(const AttentionConfig& config);  // kAuto for an unknown name

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);
// True for DECODER with cached tokens: all keys and values are read through the block table.
// Otherwise new ones are read from the call.
bool reads_new_keys_from_cache(const NewKeys& keys);

}  // namespace attn::backends::torch_sdpa
