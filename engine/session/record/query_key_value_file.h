// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the queries, keys and values of a request in all layers of one kind to a safetensors file,
// from which its weights can be computed elsewhere. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/session/run/snapshot.h"

namespace attn {

// Writes a safetensors file with query.<i> [H, rows, D], key.<i> and value.<i> [Hkv, keys, D], f32.
// i counts, from 0, the layers with the same kinds of queries and keys as `layer`. rows: the first
// ones without a gap that are computed in all of these layers. Rotary positions are applied. A
// layer with a relative bias also has relative_bias.<i> (stored_bias.h). Throws
// Error(kNotSupported) if no row is computed or keys or values are missing, Error(kBadInput) if the
// memory is too small, and what write_safetensors() throws.
void write_query_key_value(const std::filesystem::path& file, const RequestView& request,
                           int64_t layer);

}  // namespace attn
