// SPDX-License-Identifier: GPL-3.0-or-later
// Moves rows whose elements keep their type into a cache: for layouts with the token axis fast as a
// transposition in registers, 16 tokens at a time, and in whole lines of memory. Any thread, as
// long as no other thread uses the same slots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/cache/kv_source.h"

namespace attn {

// Tokens that are moved together in layouts whose token axis is fast.
inline constexpr int64_t kMovedTokens = 16;

// How lines of memory are written. kThrough: into the caches. kAround: past them, for calls that
// write much; it saves reading the lines before they are written.
enum class LineWrite { kThrough, kAround };
// For an operation that writes `bytes` in all: kAround above 8 MiB. What a smaller one writes is
// read again soon.
LineWrite line_write(size_t bytes);

// Whether move_rows() can write this layout.
bool moves_rows(const KvSource& target, int64_t head_size);
// Moves rows of one head, head_size elements of the target's type each and row_stride bytes apart,
// to consecutive slots of one block; `at` is the target's element index of the first. Returns how
// many of the `tokens` rows were moved: all, a multiple of kMovedTokens, or none where the layout
// does not fit.
// What was written by LineWrite::kAround is seen by other threads only after end_moves().
int64_t move_rows(const std::byte* rows, size_t row_stride, int64_t tokens, const KvSource& target,
                  int64_t at, int64_t head_size, LineWrite write);
void end_moves(LineWrite write);

// Copies bytes as move_rows() does: kAround has an effect only if `to` and `bytes` are multiples of
// 64.
void move_bytes(const std::byte* from, size_t bytes, std::byte* to, LineWrite write);

}  // namespace attn
