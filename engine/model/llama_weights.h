// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors a Llama model has, as follows from its config and the names in its files, and how
// many bytes they need. Used only by llama_load.cpp. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/files/problems.h"
#include "engine/model/files/weight_files.h"
#include "engine/model/llama_config.h"

namespace attn {

struct WeightSpec {
  std::string name;
  Shape shape;
  const char* why;  // the shape in terms of config.json: "[vocab_size, hidden_size]"
};

struct LlamaWeights {
  struct Layer {
    WeightSpec attention_norm, mlp_norm, query, key, value, out, gate, up, down;
  };

  LlamaWeights(const LlamaConfig& config, const WeightFiles& files);

  WeightSpec embedding, final_norm;
  WeightSpec head;  // has the name of `embedding` where both are one tensor
  std::vector<Layer> layers;

  bool has_own_head() const { return head.name != embedding.name; }
  // Calls `visit` once for each tensor.
  void for_each(const std::function<void(const WeightSpec&)>& visit) const;
  // Adds to `problems` one entry for every kind of missing tensor, one for every combination of
  // axes that do not fit, and one for every element type other than f64, f32, f16 and bf16.
  void check(const WeightFiles& files, Problems& problems) const;
  // A sentence about the tensors of the files that the model does not use; "" where there are none.
  std::string unused(const WeightFiles& files) const;
  // Most bytes of memory during loading: the f32 weights of linear layers and norms, the embedding
  // in the type of the file (f64 as f32), and the largest tensor as it is read and converted. All
  // tensors must be in the files.
  int64_t needed_bytes(const WeightFiles& files) const;
  // Bytes of the model's tensors in the files; missing ones count 0.
  int64_t stored_bytes(const WeightFiles& files) const;
};

}  // namespace attn
