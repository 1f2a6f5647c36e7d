// SPDX-License-Identifier: GPL-3.0-or-later
// PALLAS: the TPU backend, with kernels that run on the CPU step by step: flash attention over
// padded prompts, multi-query paged attention for prompts with cached tokens, paged attention with
// double-buffered pages for decode, on one or two cores. Cache: a pair of [Hkv, num_blocks,
// block_size, D] in one tensor [2, ...]. The time of a TPU is modelled in
// backends/pallas/tpu/tpu_model.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/attention/backend.h"

namespace attn::backends::pallas {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);

// Why forward() refuses a call although the configuration is accepted: scales other than 1, scales
// per head, or decodes if the block table of a single one does not fit scalar memory. Empty: it
// accepts the call.
std::vector<std::string> call_not_supported_reasons(const LayerScales& scales,
                                                    const AttentionMetadata& metadata);

}  // namespace attn::backends::pallas
