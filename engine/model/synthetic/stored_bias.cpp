// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/synthetic/stored_bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace attn {

std::string stored_bias_name(int64_t layer) {
  return fmt::format("relative_bias.{}", layer);
}

std::string first_distance_name(int64_t layer) {
  return fmt::format("first_distance.{}", layer);
}

Tensor tensor_of(const RelativeBias& bias) {
  Tensor tensor(DType::kF32, {bias.num_heads(), bias.distances()});
  std::ranges::copy(bias.values(), tensor.data<float>());
  return tensor;
}

std::optional<StoredBias> find_stored_bias(const SafetensorsFile& file, int64_t layer,
                                           int64_t heads) {
  const TensorEntry* entry = file.find(stored_bias_name(layer));
  const auto said = file.metadata().find(first_distance_name(layer));
  if (!entry || said == file.metadata().end() || entry->dtype != DType::kF32 ||
      entry->shape.size() != 2 || entry->shape[0] != heads || entry->shape[1] < 1)
    return std::nullopt;
  const std::string& text = said->second;
  int64_t first = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), first);
  const int64_t distances = entry->shape[1];
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || first > 0 ||
      first <= -distances)
    return std::nullopt;
  return StoredBias{entry, -first, distances - 1 + first};
}

RelativeBias read_stored_bias(const SafetensorsFile& file, const StoredBias& bias) {
  const Tensor tensor = file.read(*bias.entry);
  const auto values = tensor.span<float>();
  return {bias.before, bias.after, std::vector<float>(values.begin(), values.end())};
}

}  // namespace attn
