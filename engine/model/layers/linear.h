// SPDX-License-Identifier: GPL-3.0-or-later
// A linear layer y = x W^T + b in f32. oneDNN's sgemm does the arithmetic. Tasks of our own pool
// call it, each call runs on one thread, and oneDNN never starts threads of its own.
//
// All calls with the same weights have the same shape, whatever the batch or the thread count:
// row_tile() rows of x (padded with zeros) by one panel of outputs. So the bits of an output row
// depend on that row, the weights and the machine's instruction set only, provided that sgemm
// treats all rows of a call alike. row_tile() checks that once on this machine, and a test checks
// it on random shapes. Engine thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/model/files/tensor_reader.h"
#include "engine/trace/probe.h"

namespace attn {

// Rows per sgemm call. The first call finds the number by choose_row_tile() with a trial on this
// machine.
int64_t row_tile();
// The first of 8, 12, 16, 4 rows for which a row's bits do not depend on its place in the call. 1
// where none passes: then each row is a call of its own, which is slower.
int64_t choose_row_tile(const std::function<bool(int64_t rows)>& is_row_invariant);

// The axes of a weight in a file: [out, in] as in torch.nn.Linear, or [in, out] as in the Conv1D of
// GPT-2.
enum class WeightOrder { kOutIn, kInOut };

struct LinearOptions {
  WeightOrder order = WeightOrder::kOutIn;
  bool has_bias = false;
};

// Outputs [from, from + count) of a tensor become outputs [to, to + count) of a part.
struct OutputRun {
  int64_t from = 0, to = 0, count = 0;
};

// A layer of the files that gives `out` outputs of a Linear: NAME.weight and NAME.bias.
struct LinearPart {
  std::string name;
  Axis out;
  std::vector<OutputRun> runs = {};  // each output in one of them; empty: they are in order
};

class Linear {
 public:
  Linear() = default;
  Linear(int64_t in, int64_t out);  // weights are zero, and there is no bias
  // Takes the parts, whose outputs follow one another. The layer is made when read() comes to its
  // first part.
  void take(TensorReader& reader, const Axis& in, const std::vector<LinearPart>& parts,
            const LinearOptions& options = {});

  int64_t in() const { return in_; }
  int64_t out() const { return out_; }
  // Outputs [first_output, first_output + N) take `weight` [N, in] or [in, N] (f32, f16 or bf16,
  // else Error(kBadInput)), or `bias` [N]. A fused layer calls it once for each part.
  void set_weight(int64_t first_output, const Tensor& weight,
                  WeightOrder order = WeightOrder::kOutIn);
  void set_bias(int64_t first_output, const Tensor& bias);
  // The same for a part of the outputs of a tensor; `to` of the run counts from the layer's first
  // output.
  void set_weight(const OutputRun& run, const Tensor& weight, WeightOrder order);
  void set_bias(const OutputRun& run, const Tensor& bias);

  // x [rows, in], y [rows, out], contiguous. With `add`, y += instead of y =. Returns false when
  // the gate cancelled the run. Throws Error(kFailed) when oneDNN is out of memory.
  bool forward(const float* x, int64_t rows, float* y, bool add, KernelId kernel,
               const Execution& execution) const;

 private:
  static constexpr int64_t kPanel = 96;  // outputs per panel
  int64_t num_panels() const { return (out_ + kPanel - 1) / kPanel; }
  int64_t panel_width(int64_t panel) const { return std::min(kPanel, out_ - panel * kPanel); }

  int64_t in_ = 0, out_ = 0;
  Tensor panels_;            // [panels][in][panel_width], f32: the weights of a panel, transposed
  std::vector<float> bias_;  // [out]; empty: zero
};

}  // namespace attn
