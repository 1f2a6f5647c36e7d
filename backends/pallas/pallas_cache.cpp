// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_cache.h"

#include <algorithm>
#include <cstring>

#include "engine/kernels/cache/move_rows.h"

namespace attn::backends::pallas {

CacheLayout cache_layout(const KvCacheView& cache) {
  CacheLayout layout;
  KvSource& keys = layout.keys;
  keys.base = cache.storage->raw();
  keys.dtype = cache.storage->dtype();
  keys.block_size = cache.block_size;
  keys.block_stride = cache.block_size * cache.head_size;
  keys.head_stride = cache.num_blocks * keys.block_stride;
  keys.token_stride = cache.head_size;
  keys.chunk = cache.head_size;
  layout.values = keys;
  layout.values.base =
      static_cast<const std::byte*>(cache.storage->raw()) + cache.storage->bytes() / 2;
  return layout;
}

std::vector<int64_t> flat_rows(std::span<const int64_t> slot_mapping, const KvCacheView& cache) {
  std::vector<int64_t> rows;
  rows.reserve(slot_mapping.size() * static_cast<size_t>(cache.num_kv_heads));
  for (const int64_t slot : slot_mapping)
    for (int64_t head = 0; head < cache.num_kv_heads; ++head)
      rows.push_back(slot == kPaddingSlot ? kPaddingSlot
                                          : head * cache.num_blocks * cache.block_size + slot);
  return rows;
}

bool index_copy(const Tensor& key, const Tensor& value, int64_t first_row,
                std::span<const int64_t> rows, const KvCacheView& cache,
                const Execution& execution) {
  constexpr int64_t kRowsPerTask = 128;
  const auto count = static_cast<int64_t>(rows.size());
  const size_t row_bytes = static_cast<size_t>(cache.head_size) * size_of(cache.storage->dtype());
  auto* keys = static_cast<std::byte*>(cache.storage->raw());
  std::byte* values = keys + cache.storage->bytes() / 2;
  const size_t skipped = static_cast<size_t>(first_row * cache.num_kv_heads) * row_bytes;
  const auto* from_keys = static_cast<const std::byte*>(key.raw()) + skipped;
  const auto* from_values = static_cast<const std::byte*>(value.raw()) + skipped;
  const LineWrite how = line_write(key.bytes() + value.bytes());
  const double bytes = 4.0 * static_cast<double>(kRowsPerTask) * static_cast<double>(row_bytes);
  return traced_parallel_for(
      execution, KernelId::kCacheWrite, (count + kRowsPerTask - 1) / kRowsPerTask,
      count / std::max<int64_t>(1, cache.num_kv_heads), 0, bytes, [&](int64_t task, int) {
        const int64_t last = std::min(count, (task + 1) * kRowsPerTask);
        for (int64_t i = task * kRowsPerTask; i < last; ++i) {
          if (rows[static_cast<size_t>(i)] == kPaddingSlot) continue;
          const size_t to = static_cast<size_t>(rows[static_cast<size_t>(i)]) * row_bytes;
          const size_t from = static_cast<size_t>(i) * row_bytes;
          move_bytes(from_keys + from, row_bytes, keys + to, how);
          move_bytes(from_values + from, row_bytes, values + to, how);
        }
        end_moves(how);
      });
}

void copy_blocks(const KvCacheView& cache, std::span<const int64_t> src_indices,
                 std::span<const int64_t> dst_indices) {
  const size_t block_bytes =
      static_cast<size_t>(cache.block_size * cache.head_size) * size_of(cache.storage->dtype());
  const size_t head_bytes = static_cast<size_t>(cache.num_blocks) * block_bytes;
  const size_t count = src_indices.size();
  const LineWrite how =
      line_write(2 * static_cast<size_t>(cache.num_kv_heads) * count * block_bytes);
  // If a block would be read after it was written, all sources of a head are copied aside first.
  std::vector<bool> written(static_cast<size_t>(cache.num_blocks));
  bool in_order = true;
  for (size_t i = 0; i < count; ++i) {
    in_order = in_order && !written[static_cast<size_t>(src_indices[i])];
    written[static_cast<size_t>(dst_indices[i])] = true;
  }
  std::vector<std::byte> gathered(in_order ? 0 : count * block_bytes);
  for (int64_t head = 0; head < 2 * cache.num_kv_heads; ++head) {
    auto* base =
        static_cast<std::byte*>(cache.storage->raw()) + static_cast<size_t>(head) * head_bytes;
    const auto source = [&](size_t i) {
      return base + static_cast<size_t>(src_indices[i]) * block_bytes;
    };
    const auto target = [&](size_t i) {
      return base + static_cast<size_t>(dst_indices[i]) * block_bytes;
    };
    if (in_order) {
      for (size_t i = 0; i < count; ++i)
        if (src_indices[i] != dst_indices[i]) move_bytes(source(i), block_bytes, target(i), how);
      continue;
    }
    for (size_t i = 0; i < count; ++i)
      std::memcpy(gathered.data() + i * block_bytes, source(i), block_bytes);
    for (size_t i = 0; i < count; ++i)
      std::memcpy(target(i), gathered.data() + i * block_bytes, block_bytes);
  }
  end_moves(how);
}

}  // namespace attn::backends::pallas
