// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache/cache_ops.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/core/limits.h"
#include "engine/kernels/cache/move_rows.h"
#include "engine/kernels/cache/quantise.h"

namespace attn {
namespace {

template <class To>
inline constexpr bool kQuantised =
    std::is_same_v<To, Float8E4M3> || std::is_same_v<To, Float8E5M2> || std::is_same_v<To, int8_t>;

template <class From, class To>
void write_codes(const From* from, const KvSource& target, To* chunk, float scale,
                 int64_t head_size, RoundingCounts& counts) {
  constexpr int64_t kPiece = 256;
  float numbers[kPiece];
  To codes[kPiece];
  for (int64_t first = 0; first < head_size; first += kPiece) {
    const int64_t count = std::min(kPiece, head_size - first);
    for (int64_t d = 0; d < count; ++d) numbers[d] = to_f32(from[first + d]);
    quantise(numbers, count, scale, codes, counts);
    if (target.chunk == 1) {
      for (int64_t d = 0; d < count; ++d) chunk[(first + d) * target.chunk_stride] = codes[d];
      continue;
    }
    for (int64_t d = 0; d < count;) {
      const int64_t in_chunk = target.chunk - (first + d) % target.chunk;
      const int64_t width = std::min(in_chunk, count - d);
      std::copy_n(codes + d, width, chunk + target.element(first + d));
      d += width;
    }
  }
}

template <class From, class To>
void write_row(const From* from, const KvSource& target, int64_t at, float scale, int64_t head_size,
               RoundingCounts& counts) {
  To* chunk = static_cast<To*>(const_cast<void*>(target.base)) + at;
  if constexpr (kQuantised<To>) {
    write_codes(from, target, chunk, scale, head_size, counts);
  } else {
    for (int64_t d = 0; d < head_size; d += target.chunk, chunk += target.chunk_stride) {
      const int64_t width = std::min(target.chunk, head_size - d);
      for (int64_t e = 0; e < width; ++e) {
        if constexpr (std::is_same_v<From, To>)
          chunk[e] = from[d + e];
        else
          chunk[e] = from_f32<To>(to_f32(from[d + e]));
      }
    }
  }
}

template <class From>
void write_row(const From* from, const KvSource& target, int64_t at, float scale, int64_t head_size,
               RoundingCounts& counts) {
  switch (target.dtype) {
    case DType::kBF16:
      return write_row<From, BFloat16>(from, target, at, scale, head_size, counts);
    case DType::kF16:
      return write_row<From, Float16>(from, target, at, scale, head_size, counts);
    case DType::kF8E4M3:
      return write_row<From, Float8E4M3>(from, target, at, scale, head_size, counts);
    case DType::kF8E5M2:
      return write_row<From, Float8E5M2>(from, target, at, scale, head_size, counts);
    case DType::kI8:
      return write_row<From, int8_t>(from, target, at, scale, head_size, counts);
    default:
      return write_row<From, float>(from, target, at, scale, head_size, counts);
  }
}

void write_row(DType from_type, const std::byte* from, const KvSource& target, int64_t at,
               float scale, int64_t head_size, RoundingCounts& counts) {
  if (from_type == DType::kF32)
    write_row(reinterpret_cast<const float*>(from), target, at, scale, head_size, counts);
  else if (from_type == DType::kF16)
    write_row(reinterpret_cast<const Float16*>(from), target, at, scale, head_size, counts);
  else
    write_row(reinterpret_cast<const BFloat16*>(from), target, at, scale, head_size, counts);
}

// Writes tokens [first, last) of `rows` [T, Hkv, D] to consecutive slots of one block, one head
// after the other.
void write_tokens(const Tensor& rows, int64_t first, int64_t last, const KvSource& target,
                  int64_t slot, LineWrite how, RoundingCounts& counts) {
  const int64_t heads = rows.dim(1), head_size = rows.dim(2);
  const size_t row_bytes = static_cast<size_t>(head_size) * size_of(rows.dtype());
  const size_t token_bytes = static_cast<size_t>(heads) * row_bytes;
  // If the rows have another dtype than the cache and moves_rows() holds, kMovedTokens rows at a
  // time are first converted into `memory`.
  alignas(64) std::byte memory[kMovedTokens * kMostHeadSize * sizeof(float)];
  const KvSource converted = dense_rows(memory, target.dtype, 1, head_size);
  const bool moves = moves_rows(target, head_size);
  for (int64_t h = 0; h < heads; ++h) {
    int64_t at = target.slot_row(slot, ATTN_FAULT(kHeadsSwappedInCache) ? heads - 1 - h : h);
    const float scale = target.scale_of(h);
    int64_t t = first;
    const auto row_of = [&](int64_t token) {
      return static_cast<const std::byte*>(rows.raw()) + static_cast<size_t>(token) * token_bytes +
             static_cast<size_t>(h) * row_bytes;
    };
    if (rows.dtype() == target.dtype)
      t += move_rows(row_of(t), token_bytes, last - t, target, at, head_size, how);
    while (rows.dtype() != target.dtype && last - t >= kMovedTokens && moves) {
      for (int64_t i = 0; i < kMovedTokens; ++i)
        write_row(rows.dtype(), row_of(t + i), converted, i * head_size, scale, head_size, counts);
      t += move_rows(memory, static_cast<size_t>(head_size) * size_of(target.dtype), kMovedTokens,
                     target, at + (t - first) * target.token_stride, head_size, how);
    }
    at += (t - first) * target.token_stride;
    for (; t < last; ++t, at += target.token_stride)
      write_row(rows.dtype(), row_of(t), target, at, scale, head_size, counts);
  }
}

// The number of slots at the beginning of `slots` that are consecutive and lie in one block.
int64_t count_run(std::span<const int64_t> slots, int64_t block_size) {
  const int64_t in_block = block_size - slots[0] % block_size;
  const auto most = std::min(in_block, static_cast<int64_t>(slots.size()));
  int64_t count = 1;
  while (count < most && slots[static_cast<size_t>(count)] == slots[0] + count) ++count;
  return count;
}

template <class From>
void read_row(const KvSource& source, int64_t at, float scale, int64_t head_size, float* row) {
  const From* chunk = static_cast<const From*>(source.base) + at;
  for (int64_t d = 0; d < head_size; d += source.chunk, chunk += source.chunk_stride) {
    const int64_t width = std::min(source.chunk, head_size - d);
    for (int64_t e = 0; e < width; ++e) {
      row[d + e] = to_f32(chunk[e]);
      if constexpr (kQuantised<From>) row[d + e] *= scale;
    }
  }
}

}  // namespace

void apply_scales(CacheLayout& layout, const LayerScales& scales) {
  if (!is_quantised(layout.keys.dtype)) return;
  layout.keys.scale = scales.k_scale;
  layout.values.scale = scales.v_scale;
  layout.keys.head_scales = scales.k_head_scales.empty() ? nullptr : scales.k_head_scales.data();
  layout.values.head_scales = scales.v_head_scales.empty() ? nullptr : scales.v_head_scales.data();
}

bool cache_write(const Tensor& key, const Tensor& value, std::span<const int64_t> slot_mapping,
                 const CacheLayout& cache, const Execution& execution, CacheRounding* rounding) {
  constexpr int64_t kTokensPerTask = 32;
  const auto tokens = static_cast<int64_t>(slot_mapping.size());
  const double bytes = static_cast<double>(kTokensPerTask * key.dim(1) * key.dim(2)) * 16;
  const LineWrite how = line_write(2 * static_cast<size_t>(key.size()) * size_of(cache.keys.dtype));
  const auto write = [&](int64_t task, int) {
    const int64_t last = std::min(tokens, (task + 1) * kTokensPerTask);
    RoundingCounts keys, values;
    for (int64_t t = task * kTokensPerTask; t < last;) {
      int64_t slot = slot_mapping[static_cast<size_t>(t)];
      const int64_t first = t;
      if (slot == kPaddingSlot || ATTN_FAULT(kSlotsSwapped)) {
        ++t;
      } else {
        t += count_run(slot_mapping.subspan(static_cast<size_t>(t), static_cast<size_t>(last - t)),
                       cache.keys.block_size);
      }
      if (slot == kPaddingSlot) continue;
      if (ATTN_FAULT(kSlotsSwapped)) slot ^= 1;
      write_tokens(key, first, t, cache.keys, slot, how, keys);
      if (ATTN_FAULT(kValuesNotWritten)) continue;
      write_tokens(value, first, t, cache.values, slot, how, values);
    }
    end_moves(how);
    if (rounding && is_quantised(cache.keys.dtype)) rounding->add(keys, values);
  };
  return traced_parallel_for(execution, KernelId::kCacheWrite,
                             (tokens + kTokensPerTask - 1) / kTokensPerTask, tokens, 0, bytes,
                             write);
}

void read_rows(const KvSource& source, std::span<const int64_t> slots, int64_t num_kv_heads,
               int64_t head_size, float* rows) {
  for (const int64_t slot : slots) {
    for (int64_t h = 0; h < num_kv_heads; ++h, rows += head_size) {
      const int64_t at = source.slot_row(slot, h);
      const float scale = source.scale_of(h);
      switch (source.dtype) {
        case DType::kBF16:
          read_row<BFloat16>(source, at, scale, head_size, rows);
          break;
        case DType::kF16:
          read_row<Float16>(source, at, scale, head_size, rows);
          break;
        case DType::kF8E4M3:
          read_row<Float8E4M3>(source, at, scale, head_size, rows);
          break;
        case DType::kF8E5M2:
          read_row<Float8E5M2>(source, at, scale, head_size, rows);
          break;
        case DType::kI8:
          read_row<int8_t>(source, at, scale, head_size, rows);
          break;
        default:
          read_row<float>(source, at, scale, head_size, rows);
          break;
      }
    }
  }
}

void write_rows(const KvSource& target, std::span<const int64_t> slots, int64_t num_kv_heads,
                int64_t head_size, const float* rows) {
  RoundingCounts uncounted;
  for (const int64_t slot : slots)
    for (int64_t h = 0; h < num_kv_heads; ++h, rows += head_size)
      write_row(rows, target, target.slot_row(slot, h), target.scale_of(h), head_size, uncounted);
}

void copy_paired_blocks(const Tensor& source, int64_t source_blocks, Tensor& target,
                        int64_t target_blocks, std::span<const BlockPair> pairs) {
  const size_t block_bytes = source.bytes() / static_cast<size_t>(2 * source_blocks);
  const auto* from = static_cast<const std::byte*>(source.raw());
  auto* to = static_cast<std::byte*>(target.raw());
  for (const auto& [source_block, target_block] : pairs)
    for (int64_t half = 0; half < 2; ++half)
      std::memcpy(to + static_cast<size_t>(half * target_blocks + target_block) * block_bytes,
                  from + static_cast<size_t>(half * source_blocks + source_block) * block_bytes,
                  block_bytes);
}

}  // namespace attn
