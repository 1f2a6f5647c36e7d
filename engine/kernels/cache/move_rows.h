// SPDX-License-Identifier: GPL-3.0-or-later
// Moves rows of the cache's own element type into a cache. Rows that are not contiguous in the
// cache are transposed, 16 tokens at a time. Any thread, as long as no other thread uses the same
// slots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/cache/kv_source.h"

namespace attn {

inline constexpr int64_t kMovedTokens = 16;

// kThrough: by memcpy(). kAround: where move_bytes() allows it, by Highway's Stream(), which is to
// bypass the processor's caches.
enum class LineWrite { kThrough, kAround };
// kAround for operations that write more than 8 MiB in all, else kThrough.
LineWrite line_write(size_t bytes);

bool moves_rows(const KvSource& target, int64_t head_size);
// Moves rows of one head [tokens, head_size], of the target's dtype and row_stride bytes apart, to
// consecutive slots of one block. `at`: element index of the first row in the target. Returns the
// number of rows moved: 0 if moves_rows() is false, a multiple of kMovedTokens if the rows are
// transposed, else all. After LineWrite::kAround call end_moves() before other threads read the
// rows.
int64_t move_rows(const std::byte* rows, size_t row_stride, int64_t tokens, const KvSource& target,
                  int64_t at, int64_t head_size, LineWrite write);
void end_moves(LineWrite write);

// Copies bytes as move_rows() does. kAround has an effect only if the address `to` and the number
// `bytes` are multiples of 64.
void move_bytes(const std::byte* from, size_t bytes, std::byte* to, LineWrite write);

}  // namespace attn
