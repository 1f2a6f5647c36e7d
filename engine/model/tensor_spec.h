// SPDX-License-Identifier: GPL-3.0-or-later
// Where the queries, keys and values of a tensor source lie. Plain data; any thread.
#pragma once

#include <string>
#include <string_view>

namespace attn {

// The order of the axes; leading ones may be missing (one sequence; one head).
enum class TensorLayout {
  kHeadsFirst,   // [B sequences, H heads, L tokens, D]: as scaled_dot_product_attention takes them
  kTokensFirst,  // [B sequences, L tokens, H heads, D]: as flash-attention takes them
};
std::string_view name_of(TensorLayout layout);  // "heads_first", "tokens_first"

// Either `file`, or `query`, `key` and `value`. Paths are relative to the scenario's folder.
struct TensorSpec {
  // safetensors with the tensors query, key and value (or q, k and v) for one layer; several
  // layers are query.0, query.1, ... Other tensors of the file are left alone.
  std::string file;
  // .npy files. "{layer}" in a name stands for the number of the layer, 0 first.
  std::string query, key, value;
  // JSON, optional: a list of L texts, the labels of the tokens, or a list of one such list for
  // each sequence.
  std::string tokens;
  // The same for the encoder's tokens, which keys and values belong to in cross attention.
  std::string key_tokens;
  TensorLayout layout = TensorLayout::kHeadsFirst;
  double scale = 0;  // of q.k; 0: 1 / sqrt(D)
  bool operator==(const TensorSpec&) const = default;
};

}  // namespace attn
