// SPDX-License-Identifier: GPL-3.0-or-later
// The mask of a packed prefill as XFORMERS makes it at the first layer of a step and reuses at the
// later ones. Engine thread.
#pragma once

#include "engine/attention/attention_bias.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/trace/probe.h"

namespace attn::backends::xformers {

// DECODER without ALiBi: one BlockDiagonalCausalMask, or its local form with a window, for the
// packed batch. DECODER with ALiBi: one AlibiBias on a lower-triangular mask per sequence. The
// other types: one BlockDiagonalMask, for cross attention with two lists of lengths. Kept on `part`
// and reported by one kBiasBuilt event when built.
const BiasList& packed_biases(const AttentionConfig& config, const AttentionMetadata& part,
                              const Execution& execution);

}  // namespace attn::backends::xformers
