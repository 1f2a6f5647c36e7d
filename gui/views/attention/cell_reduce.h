// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions of weight tiles with vector instructions. Any thread. The results are the same bit for
// bit on every processor.
#pragma once

#include <cstdint>

namespace attn::gui {

// Of so_far and cells [count] the value of largest magnitude; of two with the same magnitude, the
// positive one. A NaN is above all numbers.
float largest_magnitude(const float* cells, int64_t count, float so_far);

// sums [count] += cells [count].
void add_cells(const float* cells, int64_t count, double* sums);

}  // namespace attn::gui
