// SPDX-License-Identifier: GPL-3.0-or-later
// Products of rows with a panel of weights, computed from the bytes of the weights.
//
// Order of additions: y = 0; for k = 0, 1, ...: y = x[k] * w[k] + y, where w[k] is the weight as
// f32. An instruction set with a fused multiply-add rounds product and sum once. Any thread.
#pragma once

#include <cstdint>

#include "engine/model/weights/weight_matrix.h"

namespace attn {

// y [rows, kPanelRows] = x [rows, panel.columns] W^T. With few rows the weights are widened in
// registers; with more rows each piece of the weights, unless they are f32, is first widened to f32
// in memory, once for all rows.
void panel_product(const WeightPanel& panel, const float* x, int64_t rows, float* y);

}  // namespace attn
