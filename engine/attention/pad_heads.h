// SPDX-License-Identifier: GPL-3.0-or-later
// Zero-padding of heads (AttentionConfig::pad_head_size): a head size that a backend does not
// support is run at the backend's next larger one. Queries, keys and values get zeros at the end of
// each head, and the output is cropped. The cache holds the padded heads. Any thread; the wrapped
// impl runs on the engine thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/attention/backend.h"

namespace attn {

// The head size of the cache and of the kernels: the config's own or, with pad_head_size, the
// smallest of the backend that is not below it; 0: the backend has none that large.
int64_t cache_head_size(const AttentionBackend& backend, const AttentionConfig& config);
// The config with the head size of cache_head_size() and without pad_head_size; scale stays the
// model's.
AttentionConfig padded_config(const AttentionBackend& backend, const AttentionConfig& config);
// " With the option pad_head_size (Head padding in the window), heads are padded with zeros to 64."
// Empty when the backend has no larger size, or supports the head size as it is.
std::string padding_hint(const AttentionBackend& backend, const AttentionConfig& config);

// What a user who did not ask for padding has to know: the backend, both sizes, and that nothing
// needs to be done.
std::string padded_heads_sentence(std::string_view backend, int64_t head_size,
                                  int64_t padded_head_size);
// What padding costs: "The KV cache is 2 times as large as it would be with heads of 64."
std::string padded_cache_sentence(int64_t head_size, int64_t padded_head_size);

// Wraps `padded`, an impl of `backend` made for padded_config() of `config`. The wrapper's
// forward() takes unpadded tensors [.., D] and a cache of padded heads. A state with captured plans
// must have been captured with padded_config().
std::unique_ptr<AttentionImpl> pad_heads(std::unique_ptr<AttentionImpl> padded,
                                         const AttentionBackend& backend,
                                         const AttentionConfig& config);

// Copies heads [.., from] of `source` to heads [.., to] of `target`: zeros follow where to > from,
// the elements from `to` on are dropped where to < from. Same dtype.
void copy_heads(const Tensor& source, Tensor& target);

}  // namespace attn
