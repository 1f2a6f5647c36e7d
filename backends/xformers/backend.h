// SPDX-License-Identifier: GPL-3.0-or-later
// XFORMERS: memory-efficient attention for prompts, context attention for the prompts of a batch
// where one has cached tokens, paged attention v1 and v2 for decode. Cache as in paged attention
// (engine/kernels/cache/paged_layout.h).
#pragma once

#include <memory>

#include "engine/attention/backend.h"

namespace attn::backends::xformers {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);

}  // namespace attn::backends::xformers
