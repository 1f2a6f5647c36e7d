// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and checks the input file of `attn op` (docs/formats.md).
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
  // [T, Hkv, D]; in cross attention [encoder tokens of the prefills, Hkv, D]; empty: absent.
  Tensor key, value;
  // [num_blocks, block_size, Hkv, D], codes of kv_cache_dtype, or f32 numbers; empty: absent.
  Tensor key_cache, value_cache;
};

// Reads a case. `backend`, if there is one, replaces the file's. Throws as SafetensorsFile::open()
// does, Error(kBadInput) for a file that is no valid case, and Error(kNotSupported) for inputs that
// an attention call of this kind cannot use.
OpCase load_op_case(const std::filesystem::path& file, const std::optional<std::string>& backend);

}  // namespace attn::cli
