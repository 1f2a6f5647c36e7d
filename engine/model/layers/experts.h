// SPDX-License-Identifier: GPL-3.0-or-later
// A mixture of experts: gated MLPs, of which each token uses a few (N. Shazeer and others, 2017).
//   p = softmax(W_router x) over all experts;  y = sum over the chosen e of w_e expert_e(x)
// The chosen ones are those with the largest p; w_e is p_e, or p_e divided by the sum of the chosen
// p. An expert computes the rows that chose it. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/files/tensor_reader.h"
#include "engine/model/layers/activation.h"
#include "engine/model/layers/linear.h"
#include "engine/trace/probe.h"

namespace attn {

struct ExpertSpec {
  Axis count{"num_experts", 0};            // E; 0: the network has no experts
  Axis inner{"moe_intermediate_size", 0};  // F
  int64_t chosen = 0;                      // experts of a token, 1 to E where there are any
  bool normalised = true;                  // the weights of a token's experts have the sum 1
  std::string router, experts;             // "mlp.gate", "mlp.experts."
  std::string gate = "gate_proj", up = "up_proj", down = "down_proj";
  std::vector<bool> layers;  // [layers] whether the layer has experts
};

class Experts {
 public:
  // Tells `reader` to read the router and the experts of a layer, whose names begin with `at`.
  void take(TensorReader& reader, const std::string& at, const Axis& width, const ExpertSpec& spec,
            Activation activation);
  // to [rows, C] from x [rows, C], which must not overlap. Returns false when the gate cancelled
  // the run.
  bool forward(const float* x, int64_t rows, float* to, const Execution& execution);

 private:
  struct Expert {
    Linear gate_up, down;  // C -> F gate, F up; F -> C
  };
  void choose(const float* scores, int64_t row);

  int64_t width_ = 0, inner_ = 0, chosen_ = 0;
  bool normalised_ = true;
  Activation activation_ = Activation::kSilu;
  Linear router_;  // C -> E
  std::vector<Expert> experts_;

  // Of the step: scores [rows, E], weights [rows, E] with 0 for experts that are not chosen.
  std::vector<float> scores_, weights_;
  std::vector<int64_t> rows_;                              // rows of one expert
  std::vector<float> picked_, gate_up_, activated_, out_;  // the numbers of these rows
};

}  // namespace attn
