// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/embedding.h"

#include <algorithm>

namespace attn {

void Embedding::take(TensorReader& reader, const std::string& name, const Axis& entries,
                     const Axis& width) {
  reader.take_matrix(name + ".weight", {entries, width}, [this](const StoredMatrix& table) {
    set(std::make_shared<WeightMatrix>(table));
  });
}

void Embedding::look_up(int64_t index, float* to) const {
  table_->for_row(index, [&](int64_t first, const float* numbers, int64_t count) {
    std::copy_n(numbers, count, to + first);
  });
}

void Embedding::add(int64_t index, float* to) const {
  table_->for_row(index, [&](int64_t first, const float* numbers, int64_t count) {
    for (int64_t i = 0; i < count; ++i) to[first + i] += numbers[i];
  });
}

bool take_embeddings(TensorReader& reader, const EmbeddingNames& names, const Axis& vocabulary,
                     const Axis& width, bool tied, Embedding& input, Linear& output) {
  const std::string in = names.input + ".weight", out = names.output + ".weight";
  const std::vector<Axis> axes{vocabulary, width};
  const bool one_name = tied && !(reader.has(in) && reader.has(out));
  if (one_name) {
    reader.take_matrix(reader.has(out) ? out : in, axes,
                       [&input, &output](const StoredMatrix& table) {
                         const auto both = std::make_shared<WeightMatrix>(table);
                         input.set(both);
                         output.add(both);
                       });
    return false;
  }
  input.take(reader, names.input, vocabulary, width);
  reader.take_matrix(
      out, axes,
      [&output](const StoredMatrix& table) { output.add(std::make_shared<WeightMatrix>(table)); },
      "It is required by config.json. In a model that uses the input embedding also for the "
      "output, config.json says \"tie_word_embeddings\": true");
  return true;
}

}  // namespace attn
