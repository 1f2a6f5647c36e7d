// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions over cells with vector instructions. Any thread.
#pragma once

#include <cstdint>

namespace attn::gui {

// The value of largest magnitude of so_far and cells [count]; of equal magnitudes the positive one.
// NaN is above all numbers.
float largest_magnitude(const float* cells, int64_t count, float so_far);

// sums [count] += cells [count].
void add_cells(const float* cells, int64_t count, double* sums);

}  // namespace attn::gui
