// SPDX-License-Identifier: GPL-3.0-or-later
// The mask of a packed prefill. XFORMERS builds it at the first layer of a step and reuses it at
// the later ones. Engine thread.
#pragma once

#include "engine/attention/attention_bias.h"
#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/trace/probe.h"

namespace attn::backends::xformers {

// DECODER without ALiBi: one BlockDiagonalCausalMask, or its local form with a window, for the
// packed batch. DECODER with ALiBi: per sequence one AlibiBias on a lower-triangular mask (or the
// local form). Other types: one BlockDiagonalMask; in cross attention its query and key lengths
// differ. The list is kept on `part`; building it emits one kBiasBuilt event.
const BiasList& packed_biases(const AttentionConfig& config, const AttentionMetadata& part,
                              const Execution& execution);

}  // namespace attn::backends::xformers
