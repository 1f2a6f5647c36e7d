// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the queries, keys and values that a run has of a request, so that its weights can be
// computed again elsewhere, and opened again as tensors. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/session/run/snapshot.h"

namespace attn {

// A safetensors file with query.<i> [H, rows, D], key.<i> and value.<i> [Hkv, keys, D], f32, for
// each layer that reads keys of the same kind as `layer`; the metadata has their numbers. rows: the
// first ones without a gap that are computed in all of these layers; keys: the encoder's, or those
// up to the last of these rows. Rotary positions are applied. Throws Error(kNotSupported) where no
// row is computed or the run does not have the values, Error(kBadInput) where the memory is too
// small, and as write_safetensors().
void write_query_key_value(const std::filesystem::path& file, const RequestView& request,
                           int64_t layer);

}  // namespace attn
