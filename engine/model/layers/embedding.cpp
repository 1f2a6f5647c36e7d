// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/embedding.h"

namespace attn {
namespace {

// Calls each(i, number) for the numbers of a row of the table.
template <class Each>
void for_numbers(const Tensor& table, int64_t index, Each&& each) {
  const int64_t width = table.dim(1);
  const auto visit = [&]<class T>(const T* row) {
    for (int64_t i = 0; i < width; ++i) each(i, to_f32(row[i]));
  };
  if (table.dtype() == DType::kBF16)
    visit(table.data<BFloat16>() + index * width);
  else if (table.dtype() == DType::kF16)
    visit(table.data<Float16>() + index * width);
  else
    visit(table.data<float>() + index * width);
}

}  // namespace

void Embedding::take(TensorReader& reader, const std::string& name, const Axis& entries,
                     const Axis& width) {
  reader.take(name + ".weight", {entries, width}, Keep::kStored,
              [this](Tensor table) { set(std::move(table)); });
}

void Embedding::look_up(int64_t index, float* to) const {
  for_numbers(table_, index, [&](int64_t i, float number) { to[i] = number; });
}

void Embedding::add(int64_t index, float* to) const {
  for_numbers(table_, index, [&](int64_t i, float number) { to[i] += number; });
}

bool take_embeddings(TensorReader& reader, const EmbeddingNames& names, const Axis& vocabulary,
                     const Axis& width, bool tied, Embedding& input, Linear& output) {
  const std::string in = names.input + ".weight", out = names.output + ".weight";
  const std::vector<Axis> axes{vocabulary, width};
  const auto set_output = [&output](const Tensor& table) {
    output = Linear(table.dim(1), table.dim(0));
    output.set_weight(0, table);
  };
  const bool one_name = tied && !(reader.has(in) && reader.has(out));
  if (one_name) {
    reader.take(reader.has(out) ? out : in, axes, Keep::kBoth, [&input, set_output](Tensor table) {
      set_output(table);
      input.set(std::move(table));
    });
    return false;
  }
  reader.take(in, axes, Keep::kStored, [&input](Tensor table) { input.set(std::move(table)); });
  reader.take(
      out, axes, Keep::kF32, set_output,
      "It is required by config.json. In a model that uses the input embedding also for the "
      "output, config.json says \"tie_word_embeddings\": true");
  return true;
}

}  // namespace attn
