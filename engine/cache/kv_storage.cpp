// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/kv_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "engine/core/error.h"

namespace attn {
namespace {

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

std::string bytes_text(int64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 1024.0 * 1024.0 * 1024.0)
    return fmt::format("{:.2f} GiB", value / (1024.0 * 1024.0 * 1024.0));
  if (value >= 1024.0 * 1024.0) return fmt::format("{:.2f} MiB", value / (1024.0 * 1024.0));
  if (value >= 1024.0) return fmt::format("{:.2f} KiB", value / 1024.0);
  return fmt::format("{} bytes", bytes);
}

std::string factors_text(const KvStorageSpec& spec) {
  return fmt::format(
      "{} layers x {} blocks x {} tokens per block x {} KV heads x {} (head size) x 2 (K and V) x "
      "{} bytes "
      "({})",
      spec.num_layers, spec.num_blocks, spec.block_size, spec.num_kv_heads, spec.head_size,
      size_of(spec.dtype), name_of(spec.dtype));
}

// The first line of the form "<key> <number> ...". nullopt: no such file, line or number.
std::optional<int64_t> keyed_number(const std::filesystem::path& file, std::string_view key) {
  std::ifstream in(file);
  std::string word;
  int64_t value = 0;
  while (in >> word) {
    if (word == key) return in >> value ? std::optional(value) : std::nullopt;
    in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

// The one number in a file; "max" and missing files are no limit.
std::optional<int64_t> lone_number(const std::filesystem::path& file) {
  std::ifstream in(file);
  int64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

// What is left below one group's limit. Pages of files that were read and not changed count as used
// but are given up under pressure, so they are added back.
int64_t group_headroom(const std::filesystem::path& folder, const char* limit_file,
                       const char* usage_file, const char* file_pages_key) {
  const auto limit = lone_number(folder / limit_file);
  if (!limit) return kUnlimited;
  const int64_t used = lone_number(folder / usage_file).value_or(0);
  const int64_t reclaimable = keyed_number(folder / "memory.stat", file_pages_key).value_or(0);
  return std::max<int64_t>(0, *limit - std::max<int64_t>(0, used - reclaimable));
}

// Limits hold for a group and all groups below it: the lowest on the way from `top` down to `top /
// group` counts.
int64_t lowest_headroom(const std::filesystem::path& top, const std::filesystem::path& group,
                        const char* limit_file, const char* usage_file,
                        const char* file_pages_key) {
  int64_t lowest = group_headroom(top, limit_file, usage_file, file_pages_key);
  std::filesystem::path folder = top;
  for (const auto& part : group.relative_path()) {
    if (part == "..") break;  // a group outside this namespace
    folder /= part;
    lowest = std::min(lowest, group_headroom(folder, limit_file, usage_file, file_pages_key));
  }
  return lowest;
}

int64_t control_group_headroom(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/self/cgroup");
  int64_t lowest = kUnlimited;
  // Lines are "id:controllers:/group"; version 2 has the one line "0::/group".
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    const auto base = root / "sys/fs/cgroup";
    if (controllers == ",,") {
      lowest = std::min(
          lowest, lowest_headroom(base, group, "memory.max", "memory.current", "inactive_file"));
    } else if (controllers.find(",memory,") != std::string::npos) {
      lowest = std::min(lowest, lowest_headroom(base / "memory", group, "memory.limit_in_bytes",
                                                "memory.usage_in_bytes", "total_inactive_file"));
    }
  }
  return lowest;
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
      throw_bad_input({.what = "the KV cache is larger than any memory",
                       .where = "num_blocks",
                       .found = factors_text(spec),
                       .allowed = "less than 2^63 bytes",
                       .advice = "Use fewer blocks"});
    }
  }
  return bytes;
}

void check_memory(const KvStorageSpec& spec, int64_t bytes, int64_t available) {
  const int64_t allowed = available / 10 * 7 + available % 10 * 7 / 10;
  if (bytes <= allowed) return;
  const int64_t per_block = std::max<int64_t>(1, bytes / std::max<int64_t>(1, spec.num_blocks));
  const int64_t fits = allowed / per_block;
  const int64_t operands = KvStorage::bytes_needed(spec);
  const std::string padded =
      bytes == operands ? "" : fmt::format(", padded by the backend's layout to {} bytes", bytes);
  throw_bad_input({.what = "the KV cache does not fit in memory",
                   .where = "num_blocks",
                   .found = fmt::format("{} = {} bytes{} = {}", factors_text(spec), operands,
                                        padded, bytes_text(bytes)),
                   .allowed = fmt::format("70% of the {} that are available = {}",
                                          bytes_text(available), bytes_text(allowed)),
                   .advice = fits > 0
                                 ? fmt::format("Use at most {} blocks of this size", fits)
                                 : "Use smaller blocks, a smaller model, or close other programs"});
}

KvStorage::KvStorage(const AttentionBackend& backend, const KvStorageSpec& spec)
    : backend_(backend), spec_(spec) {
  // First of all: it also refuses what the layout's own arithmetic could not hold.
  const int64_t operand_bytes = bytes_needed(spec);
  const Shape shape =
      backend.kv_cache_shape(spec.num_blocks, spec.block_size, spec.num_kv_heads, spec.head_size);
  // A layout may pad, so what is really allocated is what counts.
  int64_t bytes = element_count(shape);
  if (__builtin_mul_overflow(bytes, static_cast<int64_t>(size_of(spec.dtype)), &bytes) ||
      __builtin_mul_overflow(bytes, spec.num_layers, &bytes)) {
    bytes = kUnlimited;
  }
  check_memory(spec, std::max(bytes, operand_bytes), available_memory_bytes());
  layers_.reserve(static_cast<size_t>(spec.num_layers));
  for (int64_t layer = 0; layer < spec.num_layers; ++layer) layers_.emplace_back(spec.dtype, shape);
}

KvCacheView KvStorage::layer(int64_t layer) const {
  if (layer < 0 || layer >= spec_.num_layers) {
    throw std::logic_error(
        fmt::format("layer {} is not one of {} layers", layer, spec_.num_layers));
  }
  return {.storage = &layers_[static_cast<size_t>(layer)],
          .num_blocks = spec_.num_blocks,
          .block_size = spec_.block_size,
          .num_kv_heads = spec_.num_kv_heads,
          .head_size = spec_.head_size,
          .scales = is_quantised(spec_.dtype) ? &spec_.scales : nullptr};
}

int64_t available_memory_bytes(const std::filesystem::path& root) {
  const auto kib = keyed_number(root / "proc/meminfo", "MemAvailable:");
  const int64_t machine = kib && *kib < kUnlimited / 1024 ? *kib * 1024 : kUnlimited;
  return std::min(machine, control_group_headroom(root));
}

}  // namespace attn
