// SPDX-License-Identifier: GPL-3.0-or-later
// The relative position biases in a report's file of queries, keys and values: the tensor
// relative_bias.<i> [H, distances] f32 of layer i, and first_distance.<i> in the metadata, the
// distance (key - query) of its first column. A distance outside the columns counts as that of the
// nearest column. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/attention/relative_bias.h"
#include "engine/core/tensor.h"
#include "engine/model/files/safetensors.h"

namespace attn {

struct StoredBias {
  const TensorEntry* entry = nullptr;  // of the file, which must outlive this
  int64_t before = 0, after = 0;       // as those of RelativeBias
};

std::string stored_bias_name(int64_t layer);     // of the tensor
std::string first_distance_name(int64_t layer);  // in the metadata

Tensor tensor_of(const RelativeBias& bias);
// nullopt: the file has none, or one that is not valid or does not fit these heads.
std::optional<StoredBias> find_stored_bias(const SafetensorsFile& file, int64_t layer,
                                           int64_t heads);
RelativeBias read_stored_bias(const SafetensorsFile& file, const StoredBias& bias);

}  // namespace attn
