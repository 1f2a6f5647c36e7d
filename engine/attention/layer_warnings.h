// SPDX-License-Identifier: GPL-3.0-or-later
// Warnings for the user about the implementation of an attention layer, and about kernel options
// that its backend does not have. Any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/attention/backend.h"

namespace attn {

// The impl's own warnings, and a sentence for each chosen kernel option that this backend does not
// have.
std::vector<std::string> warnings_of(const AttentionBackend& backend, const AttentionConfig& config,
                                     const AttentionImpl& impl);

}  // namespace attn
