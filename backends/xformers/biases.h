// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of the prefills of a batch, and their masks. A layer uses the masks that an earlier
// layer of the step left if they fit its configuration, else it builds its own.
#pragma once

#include "engine/attention/attention_bias.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/kernels/planned_calls.h"
#include "engine/kernels/planned_masks.h"
#include "engine/trace/probe.h"

namespace attn::backends::xformers {

// Tensor biases are padded to a multiple of 8 columns, as the kernels of xFormers need.
inline constexpr int64_t kBiasColumns = 8;
constexpr int64_t padded_columns(int64_t keys) {
  return (keys + kBiasColumns - 1) / kBiasColumns * kBiasColumns;
}
// Bytes of the tensor bias [H, len, padded_columns(len)] of a sequence; 0: it has none.
double tensor_bias_bytes(const AttentionConfig& config, int64_t len, DType dtype);
// Bytes of one of packed_biases(): of its tensor, or of the object if it has no tensor.
int64_t held_bytes(const AttentionBias& bias);

// The calls of the prefills of a batch: for DECODER with cached tokens in a prompt, one call of
// context attention; otherwise one call over the packed batch, with ALiBi one per prompt with rows.
std::vector<PlannedCall> prefill_calls(const AttentionConfig& config,
                                       const AttentionMetadata& prefills);
// The masks of packed_biases(); for DECODER with cached tokens the rule of context attention.
std::vector<PlannedMask> planned_masks(const AttentionConfig& config,
                                       const AttentionMetadata& prefills);

// DECODER without ALiBi: one BlockDiagonalCausalMask, or its local form with a window, for the
// packed batch. DECODER with ALiBi: per sequence one LowerTriangularMaskWithTensorBias, in the type
// of the query; a window is ignored. Other types: one BlockDiagonalMask. The list is kept on
// `part`; building it emits one kBiasBuilt event. dtype: of the query. Engine thread.
const BiasList& packed_biases(const AttentionConfig& config, const AttentionMetadata& part,
                              DType dtype, const Execution& execution);

}  // namespace attn::backends::xformers
