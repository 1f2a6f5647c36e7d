// SPDX-License-Identifier: GPL-3.0-or-later
// A linear layer y = x W^T in f32. oneDNN's sgemm does the arithmetic, one thread per call, called
// from tasks of our own pool; it never starts threads of its own.
//
// Every call has the same shape for the same weights: row_tile() rows of x (zeros where there are
// fewer) by one panel of outputs, whatever the batch or the thread count. So the bits of an output
// row depend on that row, the weights and the machine's instruction set only, as long as sgemm
// treats the rows of one call alike; row_tile() checks that once on this machine, and a test does
// so on random shapes. Engine thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/core/tensor.h"
#include "engine/trace/probe.h"

namespace attn {

// Rows per sgemm call: choose_row_tile() by a trial on this machine.
int64_t row_tile();
// The first of 8, 12, 16, 4 rows for which a row's bits do not depend on its place in the call. 1
// where none passes: slower, each row is then a call of its own.
int64_t choose_row_tile(const std::function<bool(int64_t rows)>& is_row_invariant);

class Linear {
 public:
  Linear() = default;
  Linear(int64_t in, int64_t out);  // weights are zero

  int64_t in() const { return in_; }
  int64_t out() const { return out_; }
  // Outputs [first_output, first_output + N) take `weight` [N, in] (f32, f16 or bf16). Fused layers
  // call it per part.
  void set_weight(int64_t first_output, const Tensor& weight);

  // x [rows, in], y [rows, out], contiguous. `add`: y += instead of y =. False when the gate
  // cancelled the run.
  bool forward(const float* x, int64_t rows, float* y, bool add, KernelId kernel,
               const Execution& execution) const;

 private:
  static constexpr int64_t kPanel = 96;  // outputs per panel
  int64_t num_panels() const { return (out_ + kPanel - 1) / kPanel; }
  int64_t panel_width(int64_t panel) const { return std::min(kPanel, out_ - panel * kPanel); }

  int64_t in_ = 0, out_ = 0;
  Tensor panels_;  // [panels][in][panel_width], f32: the weights of a panel, transposed
};

}  // namespace attn
