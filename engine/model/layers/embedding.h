// SPDX-License-Identifier: GPL-3.0-or-later
// Embedding: a table with a row of numbers for each token, learned position or token type. One
// thread sets it; then any thread may read it. Also take_embeddings() for input and output of a
// model.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "engine/model/files/tensor_reader.h"
#include "engine/model/layers/linear.h"

namespace attn {

class Embedding {
 public:
  // table: [entries, C].
  void set(std::shared_ptr<const WeightMatrix> table) { table_ = std::move(table); }
  // Tells `reader` to read the table from NAME.weight.
  void take(TensorReader& reader, const std::string& name, const Axis& entries, const Axis& width);

  int64_t entries() const { return table_->rows(); }
  int64_t width() const { return table_->columns(); }
  // to [C] = row `index`; add: to += row `index`. `index` must be in [0, entries).
  void look_up(int64_t index, float* to) const;
  void add(int64_t index, float* to) const;

 private:
  std::shared_ptr<const WeightMatrix> table_;
};

// The names of the two embeddings of a language model, without ".weight".
struct EmbeddingNames {
  std::string input, output;
};
// Tells `reader` to read the input's embedding, and the output's, which is a linear layer from C to
// the vocabulary. Where `tied`, they are one tensor, stored under either name; if the files have
// both names, they are two tensors after all. Returns whether they are two.
bool take_embeddings(TensorReader& reader, const EmbeddingNames& names, const Axis& vocabulary,
                     const Axis& width, bool tied, Embedding& input, Linear& output);

}  // namespace attn
