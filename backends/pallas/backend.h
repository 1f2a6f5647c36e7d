// SPDX-License-Identifier: GPL-3.0-or-later
// PALLAS: the TPU backend, its kernels run here on the CPU step by step as a TPU would: flash
// attention over padded prompts, multi-query paged attention for prompts with cached tokens, paged
// attention with double-buffered pages for decode, one or two cores. Cache: a pair of [Hkv,
// num_blocks, block_size, D] in one tensor [2, ...]. How long a TPU would take is modelled
// (engine/kernels/tpu_model.h) and never mixed with what is measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/attention/backend.h"

namespace attn::backends::pallas {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);

// What forward() refuses although the configuration is fine, one sentence each: scales other than
// 1, and a block table that does not fit scalar memory.
std::vector<std::string> call_not_supported_reasons(const LayerScales& scales,
                                                    const AttentionMetadata& metadata);

}  // namespace attn::backends::pallas
