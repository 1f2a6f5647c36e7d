// SPDX-License-Identifier: GPL-3.0-or-later
// Direct logit attribution (N. Elhage and others, 2021). The residual stream before the final norm
// is a sum of parts c, and for one position the final norm is linear once its statistics are known.
// So the difference of two logits before a soft cap is the sum over the parts of
//   a_c = (centre(c) * factor * gain) . (U_a - U_b)
// and of what the biases give, times the model's scale of logits. The statistics are those of the
// stream after the last layer. Engine thread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/model/model.h"
#include "engine/session/record/residual_record.h"

namespace attn {

struct Attribution {
  int64_t position = 0;
  int32_t token_a = 0, token_b = 0;
  // Layers before first_layer are those of an encoder; their parts are 0.
  int64_t first_layer = 0, num_layers = 0, num_heads = 0;
  double embed = 0;                      // embedding and learned positions
  std::vector<double> heads;             // [layers, heads]
  std::vector<double> attention_biases;  // [layers] of W_O and of a norm after it
  std::vector<double> mlps;              // [layers]; 0 without an MLP
  std::vector<bool> has_mlp;             // [layers]
  double norm_bias = 0;                  // of the final norm
  double output_bias = 0;                // of the output embedding
  // Logit a minus logit b. before_cap: of the logits before the soft cap.
  double difference = 0;
  bool before_cap = false;

  double sum() const;
  double residue() const { return sum() - difference; }
  double head(int64_t layer, int64_t of_head) const {
    return heads[static_cast<size_t>(layer * num_heads + of_head)];
  }
};

// Throws Error(kNotSupported) as require_sum() does, Error(kBadInput) for tokens outside the
// vocabulary or a position that the record does not have. nullopt: cancelled.
std::optional<Attribution> attribute(Model& model, const ResidualRecord& record, int64_t position,
                                     int32_t token_a, int32_t token_b, const Execution& execution);

// The two most likely tokens of a row of logits; of equal ones the lower id comes first.
std::pair<int32_t, int32_t> two_best(std::span<const float> logits);

}  // namespace attn
