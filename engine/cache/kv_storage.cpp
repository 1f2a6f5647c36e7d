// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/kv_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "engine/attention/cache_type/cache_dtype.h"
#include "engine/core/error.h"
#include "engine/core/memory.h"

namespace attn {
namespace {

std::string factors_text(const KvStorageSpec& spec) {
  return fmt::format(
      "{} layers x {} blocks x {} tokens per block x {} KV heads x {} (head size) x 2 (K and V) x "
      "{} bytes "
      "({})",
      spec.num_layers, spec.num_blocks, spec.block_size, spec.num_kv_heads, spec.head_size,
      size_of(spec.dtype), cache_dtype_name(spec.dtype));
}

}  // namespace

int64_t KvStorage::bytes_needed(const KvStorageSpec& spec) {
  const std::pair<const char*, int64_t> axes[] = {{"num_layers", spec.num_layers},
                                                  {"num_blocks", spec.num_blocks},
                                                  {"block_size", spec.block_size},
                                                  {"num_kv_heads", spec.num_kv_heads},
                                                  {"head_size", spec.head_size}};
  int64_t bytes = 2 * static_cast<int64_t>(size_of(spec.dtype));
  for (const auto& [name, count] : axes) {
    if (count < 1) {
      throw_bad_input({.what = "an axis of the KV cache is empty",
                       .where = name,
                       .found = fmt::format("{}", count),
                       .allowed = "1 or more",
                       .advice = ""});
    }
    if (__builtin_mul_overflow(bytes, count, &bytes)) {
      throw_bad_input({.what = "the KV cache is too large",
                       .where = "num_blocks",
                       .found = factors_text(spec),
                       .allowed = "less than 2^63 bytes",
                       .advice = "Use fewer blocks"});
    }
  }
  return bytes;
}

void check_memory(const KvStorageSpec& spec, int64_t bytes, int64_t available) {
  const int64_t allowed = allowed_memory_bytes(available);
  const int64_t per_block = std::max<int64_t>(1, bytes / std::max<int64_t>(1, spec.num_blocks));
  const int64_t fits = allowed / per_block;
  const int64_t operands = KvStorage::bytes_needed(spec);
  const std::string padded =
      bytes == operands ? "" : fmt::format(", padded by the backend's layout to {} bytes", bytes);
  ask_memory({.bytes = static_cast<double>(bytes),
              .what = "the KV cache does not fit in memory",
              .where = "num_blocks",
              .found = fmt::format("{} = {} bytes{} = {}", factors_text(spec), operands, padded,
                                   bytes_text(static_cast<double>(bytes))),
              .advice = fits > 0 ? fmt::format("Use at most {} blocks of this size", fits)
                                 : "Use smaller blocks, a smaller model, or close other programs"},
             available);
}

KvStorage::KvStorage(const AttentionBackend& backend, const KvStorageSpec& spec)
    : backend_(backend), spec_(spec) {
  // bytes_needed() comes first because it refuses sizes that would overflow in the layout's own
  // arithmetic.
  const int64_t operand_bytes = bytes_needed(spec);
  const Shape shape =
      backend.kv_cache_shape(spec.num_blocks, spec.block_size, spec.num_kv_heads, spec.head_size);
  // The backend's layout may pad.
  int64_t bytes = element_count(shape);
  if (__builtin_mul_overflow(bytes, static_cast<int64_t>(size_of(spec.dtype)), &bytes) ||
      __builtin_mul_overflow(bytes, spec.num_layers, &bytes)) {
    bytes = std::numeric_limits<int64_t>::max();
  }
  check_memory(spec, std::max(bytes, operand_bytes), available_memory_bytes());
  layers_.reserve(static_cast<size_t>(spec.num_layers));
  for (int64_t layer = 0; layer < spec.num_layers; ++layer) layers_.emplace_back(spec.dtype, shape);
}

KvCacheView KvStorage::layer(int64_t layer) const {
  const int64_t index = layer - spec_.first_layer;
  if (index < 0 || index >= spec_.num_layers) {
    throw std::logic_error(fmt::format("layer {} is not one of {} layers from {} on", layer,
                                       spec_.num_layers, spec_.first_layer));
  }
  return {.storage = &layers_[static_cast<size_t>(index)],
          .num_blocks = spec_.num_blocks,
          .block_size = spec_.block_size,
          .num_kv_heads = spec_.num_kv_heads,
          .head_size = spec_.head_size,
          .scales = is_quantised(spec_.dtype) ? &spec_.scales : nullptr};
}

}  // namespace attn
