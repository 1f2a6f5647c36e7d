// SPDX-License-Identifier: GPL-3.0-or-later
// The largest magnitude of cells, and the addition of cells to sums, with vector instructions. Any
// thread.
#pragma once

#include <cstdint>

namespace attn::gui {

// Returns the value of largest magnitude among so_far and cells [count]; of equal magnitudes the
// positive one. A NaN counts as larger than every number.
float largest_magnitude(const float* cells, int64_t count, float so_far);

// Adds cells [count] to sums [count], element by element.
void add_cells(const float* cells, int64_t count, double* sums);

}  // namespace attn::gui
