// SPDX-License-Identifier: GPL-3.0-or-later
// XFORMERS: memory-efficient attention with block-diagonal masks for prompts, context attention for
// a batch with cached tokens in a prompt, paged attention v1 and v2 for decode. Cache as in paged
// attention (engine/kernels/cache/paged_layout.h).
#pragma once

#include <memory>

#include "engine/attention/backend.h"

namespace attn::backends::xformers {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);

}  // namespace attn::backends::xformers
