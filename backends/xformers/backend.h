// SPDX-License-Identifier: GPL-3.0-or-later
// XFORMERS: a prompt by one memory-efficient attention call over the packed batch with a
// block-diagonal mask, a prompt with cached tokens by context attention, decode by paged attention
// v1 and v2. Cache as in paged attention (engine/kernels/cache/paged_layout.h).
#pragma once

#include <memory>

#include "engine/attention/backend.h"

namespace attn::backends::xformers {

std::unique_ptr<AttentionBackend> make_backend();
std::unique_ptr<AttentionImpl> make_impl(const AttentionConfig& config);

}  // namespace attn::backends::xformers
