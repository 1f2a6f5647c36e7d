// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache/move_rows.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/cache/move_rows.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/cache_control.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kLineBytes = 64;
constexpr size_t kStagedBytes = 8192;

void MoveBytes(const std::byte* from, size_t bytes, std::byte* to, bool around) {
  const hn::ScalableTag<uint8_t> d;
  if (!around || bytes % kLineBytes != 0 || reinterpret_cast<uintptr_t>(to) % kLineBytes != 0) {
    std::memcpy(to, from, bytes);
    return;
  }
  const auto* source = reinterpret_cast<const uint8_t*>(from);
  auto* target = reinterpret_cast<uint8_t*>(to);
  for (size_t i = 0; i < bytes; i += hn::Lanes(d))
    hn::Stream(hn::LoadU(d, source + i), d, target + i);
}

// --- transposes [16 tokens, units] to [units, 16 tokens]; a unit: bytes of one token that lie side
// by side in the target
#if HWY_TARGET == HWY_SCALAR
void TransposeUnits(const std::byte* rows, size_t row_stride, size_t unit, size_t units,
                    std::byte* to) {
  for (size_t t = 0; t < kMovedTokens; ++t)
    for (size_t u = 0; u < units; ++u)
      std::memcpy(to + (u * kMovedTokens + t) * unit, rows + t * row_stride + u * unit, unit);
}
#else
using D32 = hn::FixedTag<uint32_t, 4>;
using V32 = hn::Vec<D32>;

template <class T>
HWY_INLINE V32 Load16(const std::byte* from) {
  const hn::FixedTag<T, 16 / sizeof(T)> d;
  return hn::BitCast(D32(), hn::LoadU(d, reinterpret_cast<const T*>(from)));
}
HWY_INLINE void Store16(V32 v, std::byte* to) {
  hn::StoreU(v, D32(), reinterpret_cast<uint32_t*>(to));
}

// Stores the transpose of the 4 x 4 matrix of 32-bit words with the rows a, b, c, e. stride: bytes
// per stored row.
HWY_INLINE void StoreTransposed(V32 a, V32 b, V32 c, V32 e, size_t stride, std::byte* to) {
  const D32 d;
  const hn::FixedTag<uint64_t, 2> d64;
  const auto ab = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
  const auto ce = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
  const auto ab2 = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
  const auto ce2 = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
  Store16(hn::BitCast(d, hn::InterleaveLower(d64, ab, ce)), to);
  Store16(hn::BitCast(d, hn::InterleaveUpper(d64, ab, ce)), to + stride);
  Store16(hn::BitCast(d, hn::InterleaveLower(d64, ab2, ce2)), to + 2 * stride);
  Store16(hn::BitCast(d, hn::InterleaveUpper(d64, ab2, ce2)), to + 3 * stride);
}

void TransposeWords(const std::byte* rows, size_t row_stride, size_t units, std::byte* to) {
  constexpr size_t kColumn = 4 * kMovedTokens;
  for (size_t t = 0; t < kMovedTokens; t += 4, rows += 4 * row_stride, to += 16)
    for (size_t u = 0; u < units; u += 4) {
      const std::byte* at = rows + 4 * u;
      StoreTransposed(Load16<uint32_t>(at), Load16<uint32_t>(at + row_stride),
                      Load16<uint32_t>(at + 2 * row_stride), Load16<uint32_t>(at + 3 * row_stride),
                      kColumn, to + u * kColumn);
    }
}

// The numbers of two neighbouring tokens are interleaved into 32-bit words first.
void TransposeHalves(const std::byte* rows, size_t row_stride, size_t units, std::byte* to) {
  constexpr size_t kColumn = 2 * kMovedTokens;
  const hn::FixedTag<uint16_t, 8> d16;
  const D32 d;
  for (size_t t = 0; t < kMovedTokens; t += 8, rows += 8 * row_stride, to += 16)
    for (size_t u = 0; u < units; u += 8) {
      V32 low[4], high[4];
      for (size_t pair = 0; pair < 4; ++pair) {
        const std::byte* at = rows + 2 * pair * row_stride + 2 * u;
        const auto even = hn::BitCast(d16, Load16<uint16_t>(at));
        const auto odd = hn::BitCast(d16, Load16<uint16_t>(at + row_stride));
        low[pair] = hn::BitCast(d, hn::InterleaveLower(d16, even, odd));
        high[pair] = hn::BitCast(d, hn::InterleaveUpper(d16, even, odd));
      }
      StoreTransposed(low[0], low[1], low[2], low[3], kColumn, to + u * kColumn);
      StoreTransposed(high[0], high[1], high[2], high[3], kColumn, to + (u + 4) * kColumn);
    }
}

// The bytes of four neighbouring tokens are interleaved into 32-bit words first.
void TransposeBytes(const std::byte* rows, size_t row_stride, size_t units, std::byte* to) {
  constexpr size_t kColumn = kMovedTokens;
  const hn::FixedTag<uint8_t, 16> d8;
  const hn::FixedTag<uint16_t, 8> d16;
  const D32 d;
  for (size_t u = 0; u < units; u += 16) {
    hn::Vec<decltype(d16)> pairs[2][8];  // [0]: units u .. u + 7; [1]: units u + 8 .. u + 15
    for (size_t i = 0; i < 8; ++i) {
      const std::byte* at = rows + 2 * i * row_stride + u;
      const auto even = hn::BitCast(d8, Load16<uint8_t>(at));
      const auto odd = hn::BitCast(d8, Load16<uint8_t>(at + row_stride));
      pairs[0][i] = hn::BitCast(d16, hn::InterleaveLower(d8, even, odd));
      pairs[1][i] = hn::BitCast(d16, hn::InterleaveUpper(d8, even, odd));
    }
    for (size_t half = 0; half < 2; ++half) {
      V32 low[4], high[4];
      for (size_t i = 0; i < 4; ++i) {
        const auto first = pairs[half][2 * i], second = pairs[half][2 * i + 1];
        low[i] = hn::BitCast(d, hn::InterleaveLower(d16, first, second));
        high[i] = hn::BitCast(d, hn::InterleaveUpper(d16, first, second));
      }
      std::byte* at = to + (u + 8 * half) * kColumn;
      StoreTransposed(low[0], low[1], low[2], low[3], kColumn, at);
      StoreTransposed(high[0], high[1], high[2], high[3], kColumn, at + 4 * kColumn);
    }
  }
}

void TransposeUnits(const std::byte* rows, size_t row_stride, size_t unit, size_t units,
                    std::byte* to) {
  if (unit == 1) return TransposeBytes(rows, row_stride, units, to);
  if (unit == 2) return TransposeHalves(rows, row_stride, units, to);
  if (unit == 4) return TransposeWords(rows, row_stride, units, to);
  for (size_t t = 0; t < kMovedTokens; ++t, rows += row_stride, to += 16)
    for (size_t u = 0; u < units; ++u)
      Store16(Load16<uint32_t>(rows + 16 * u), to + u * 16 * kMovedTokens);
}
#endif

// Moves 16 tokens. column: bytes from one unit of a token to its next unit in the target.
void MoveTransposed(const std::byte* rows, size_t row_stride, size_t unit, size_t units,
                    size_t column, std::byte* to, bool around) {
  HWY_ALIGN std::byte staged[kStagedBytes];
  const size_t own = unit * kMovedTokens;  // bytes of one unit of 16 tokens
  // Prefetches the bytes behind these rows; often they are the next head's rows.
  const size_t row_bytes = unit * units;
  for (int64_t t = 0; t < kMovedTokens; ++t)
    for (size_t i = 0; i < row_bytes; i += kLineBytes)
      hwy::Prefetch(rows + static_cast<size_t>(t) * row_stride + row_bytes + i);
  for (size_t first = 0; first < units; first += kStagedBytes / own) {
    const size_t count = std::min(kStagedBytes / own, units - first);
    TransposeUnits(rows + first * unit, row_stride, unit, count, staged);
    if (column == own) {
      MoveBytes(staged, count * own, to + first * own, around);
      continue;
    }
    for (size_t u = 0; u < count; ++u)
      MoveBytes(staged + u * own, own, to + (first + u) * column, around);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(MoveBytes);
HWY_EXPORT(MoveTransposed);

}  // namespace

void move_bytes(const std::byte* from, size_t bytes, std::byte* to, LineWrite write) {
  HWY_DYNAMIC_DISPATCH(MoveBytes)(from, bytes, to, write == LineWrite::kAround);
}

LineWrite line_write(size_t bytes) {
  constexpr size_t kMostKept = size_t{8} << 20;
  return bytes > kMostKept ? LineWrite::kAround : LineWrite::kThrough;
}

bool moves_rows(const KvSource& target, int64_t head_size) {
  if (target.chunk == head_size) return true;
  const int64_t size = static_cast<int64_t>(size_of(target.dtype)), unit = target.chunk * size;
  const bool transposes = unit == 1 || unit == 2 || unit == 4 || unit == 16;
  // The transposition loads 16 bytes of a token at a time.
  return transposes && target.token_stride == target.chunk && head_size * size % 16 == 0;
}

int64_t move_rows(const std::byte* rows, size_t row_stride, int64_t tokens, const KvSource& target,
                  int64_t at, int64_t head_size, LineWrite write) {
  const size_t size = size_of(target.dtype), row_bytes = static_cast<size_t>(head_size) * size;
  std::byte* to =
      static_cast<std::byte*>(const_cast<void*>(target.base)) + static_cast<size_t>(at) * size;
  if (target.chunk == head_size) {
    const size_t step = static_cast<size_t>(target.token_stride) * size;
    for (int64_t t = 0; t < tokens; ++t, rows += row_stride, to += step)
      move_bytes(rows, row_bytes, to, write);
    return tokens;
  }
  const size_t unit = static_cast<size_t>(target.chunk) * size;
  if (!moves_rows(target, head_size)) return 0;
  const int64_t whole = tokens / kMovedTokens * kMovedTokens;
  for (int64_t t = 0; t < whole; t += kMovedTokens, rows += kMovedTokens * row_stride)
    HWY_DYNAMIC_DISPATCH(MoveTransposed)
  (rows, row_stride, unit, row_bytes / unit, static_cast<size_t>(target.chunk_stride) * size,
   to + static_cast<size_t>(t) * unit, write == LineWrite::kAround);
  return whole;
}

void end_moves(LineWrite write) {
  if (write == LineWrite::kAround) hwy::FlushStream();
}

}  // namespace attn
#endif  // HWY_ONCE
