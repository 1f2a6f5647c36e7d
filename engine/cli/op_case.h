// SPDX-License-Identifier: GPL-3.0-or-later
// The input file of `attn op`, read and checked: docs/formats.md says what is in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/attention/backend.h"
#include "engine/core/tensor.h"

namespace attn::cli {

struct OpCase {
  std::string backend = "torch_sdpa";
  AttentionConfig config;
  LayerScales scales;
  AttentionMetadata metadata;
  int64_t num_blocks = 0, block_size = 0;  // 0 blocks: no cache
  Tensor query;                            // [T, H, D]
  Tensor key, value;                       // [T, Hkv, D]; empty: absent
  Tensor key_cache, value_cache;  // [num_blocks, block_size, Hkv, D] of kv_cache_dtype (its
                                  // codes) or f32 (numbers, scaled); empty: absent
};

// Throws Error(kBadInput) with file, tensor or metadata key; Error(kNotSupported) for what no
// backend here can do.
OpCase load_op_case(const std::filesystem::path& file, const std::optional<std::string>& backend);

}  // namespace attn::cli
