// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors a Llama model has, by its config and the names in its files, and what they take.
// Private to llama_load.cpp. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/core/problems.h"
#include "engine/model/llama_config.h"
#include "engine/model/weight_files.h"

namespace attn {

struct WeightSpec {
  std::string name;
  Shape shape;
  const char* why;  // the shape in words of config.json
};

struct LlamaWeights {
  struct Layer {
    WeightSpec attention_norm, mlp_norm, query, key, value, out, gate, up, down;
  };

  LlamaWeights(const LlamaConfig& config, const WeightFiles& files);

  WeightSpec embedding, final_norm;
  WeightSpec head;  // where it has the name of `embedding`, it is the same tensor
  std::vector<Layer> layers;

  bool has_own_head() const { return head.name != embedding.name; }
  // Each tensor once.
  void for_each(const std::function<void(const WeightSpec&)>& visit) const;
  // A problem for every kind of tensor that is missing and every axis that does not fit, one for
  // each element type that is none of f64, f32, f16, bf16.
  void check(const WeightFiles& files, Problems& problems) const;
  // The tensors of the files that the model has no use for, in a sentence; "" where there are none.
  std::string unused(const WeightFiles& files) const;
  // Bytes of memory: the f32 weights of linear layers and norms, the embedding as in the files, and
  // the largest tensor on its way between the two. All tensors must be there.
  int64_t needed_bytes(const WeightFiles& files) const;
  int64_t stored_bytes(const WeightFiles& files) const;
};

}  // namespace attn
