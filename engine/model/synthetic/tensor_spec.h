// SPDX-License-Identifier: GPL-3.0-or-later
// TensorSpec: which files hold the queries, keys and values of a tensor source, the order of their
// axes, and the scale. Plain data; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace attn {

// The order of the axes. A tensor of three axes has no B and one sequence; a tensor of two axes
// also has no H and one head.
enum class TensorLayout {
  kHeadsFirst,   // [B sequences, H heads, L tokens, D]: as scaled_dot_product_attention takes them
  kTokensFirst,  // [B sequences, L tokens, H heads, D]: as flash-attention takes them
};
std::string_view name_of(TensorLayout layout);  // "heads_first", "tokens_first"

// Either `file`, or `query`, `key` and `value`. Relative paths begin in the scenario's folder.
struct TensorSpec {
  // A safetensors file with the tensors query, key and value for one layer, or query.0, query.1,
  // ... for several layers. They may also be called q, k and v, query_states, key_states and
  // value_states, or query_layer, key_layer and value_layer. Other tensors are ignored,
  // but for the relative biases of a report's file.
  std::string file;
  // .npy files. "{layer}" in a name stands for the number of the layer, from 0.
  std::string query, key, value;
  // Optional JSON file with the labels of the tokens: a list of L texts, or a list that has such a
  // list for each sequence.
  std::string tokens;
  // Cross attention: a file like `tokens` for the encoder's tokens.
  std::string key_tokens;
  TensorLayout layout = TensorLayout::kHeadsFirst;
  double scale = 0;  // factor on q.k; 0: 1 / sqrt(D)
  bool operator==(const TensorSpec&) const = default;
};

// The name of a layer's file: the number stands in place of the first "{layer}", if there is one.
std::string name_of_layer(const std::string& name, int64_t layer);

}  // namespace attn
