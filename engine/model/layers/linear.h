// SPDX-License-Identifier: GPL-3.0-or-later
// A linear layer y = x W^T + b. Its weights stay in the type of the file, if that is a WeightType
// (weight_type.h); x, y and all sums are f32. One thread, except where said.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/model/files/tensor_reader.h"
#include "engine/model/weights/weight_matrix.h"
#include "engine/trace/probe.h"

namespace attn {

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

// A layer of the files that gives `out` outputs of a Linear: NAME.weight and, if any, NAME.bias.
struct LinearPart {
  std::string name;
  Axis out;
  std::vector<OutputRun> runs = {};  // each output is in one; empty: outputs stay in order
};

class Linear {
 public:
  // Tells `reader` to read the parts. The outputs of each part follow those of the part before.
  void take(TensorReader& reader, const Axis& in, const std::vector<LinearPart>& parts,
            const LinearOptions& options = {});

  // The numbers of inputs and outputs; 0 until the first weights have been added.
  int64_t in() const { return in_; }
  int64_t out() const { return out_; }
  // Adds weights.rows() outputs after the outputs that the layer already has. All weights have the
  // same number of columns.
  void add(std::shared_ptr<const WeightMatrix> weights);
  // The same for a matrix in `order`, whose outputs `runs` rearranges.
  void add(const StoredMatrix& weights, WeightOrder order, const std::vector<OutputRun>& runs = {});
  // Sets the bias [N] of outputs [first_output, first_output + N), which must have been added
  // before.
  void set_bias(int64_t first_output, const Tensor& bias);

  // One weight, and one bias. Any thread.
  float weight(int64_t out, int64_t in) const;
  float bias(int64_t out) const { return bias_.empty() ? 0 : bias_[static_cast<size_t>(out)]; }

  // x [rows, in], y [rows, out], contiguous. With `add`, y += instead of y =. Returns false when
  // the gate cancelled the run.
  bool forward(const float* x, int64_t rows, float* y, bool add, KernelId kernel,
               const Execution& execution) const;

 private:
  struct Part {
    int64_t first_output = 0;
    std::shared_ptr<const WeightMatrix> weights;
  };
  // Outputs [first_output, first_output + count).
  struct Slice {
    WeightPanel weights;
    int64_t first_output = 0, count = 0;
  };

  int64_t in_ = 0, out_ = 0;
  std::vector<Part> parts_;
  std::vector<Slice> slices_;  // the panels of all parts
  std::vector<float> bias_;    // [out]; empty: zero
};

}  // namespace attn
