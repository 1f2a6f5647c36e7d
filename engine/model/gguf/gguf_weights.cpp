// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/gguf_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/limits.h"

namespace attn {
namespace {

constexpr size_t kMostExpertTensors = 200'000;  // with more tensors, experts are not taken apart

// Factors of rotary positions belong to the config, not to the weights.
bool is_config_tensor(std::string_view name) {
  return name == "rope_freqs.weight" || name == "rope_factors_long.weight" ||
         name == "rope_factors_short.weight";
}

// "blk.7.attn_q.weight": the stack of "blk.", layer "7", layer of weights "attn_q", ending
// ".weight".
struct NameParts {
  const StackNames* stack = nullptr;  // null: outside of the layers
  std::string layer, name, ending;
};
NameParts parts_of(const GgufArchitecture& architecture, const std::string& full) {
  NameParts parts{nullptr, "", full, ""};
  for (const char* ending : {".weight", ".bias"})
    if (full.ends_with(ending)) {
      parts.ending = ending;
      parts.name.resize(full.size() - parts.ending.size());
    }
  for (const StackNames& stack : architecture.stacks) {
    const size_t begin = stack.gguf.size();
    const size_t end = parts.name.find('.', begin);
    if (!full.starts_with(stack.gguf) || end == std::string::npos) continue;
    parts.stack = &stack;
    parts.layer = parts.name.substr(begin, end - begin);
    parts.name = parts.name.substr(end + 1);
    break;
  }
  return parts;
}

// The type in which a matrix of a quantised type is kept; nullopt for other types. Q5_0 and IQ4_NL
// are kept as Q8_0, which can hold their numbers: a scale times whole numbers from -127 to 127.
std::optional<WeightType> matrix_type_of(const GgmlType& type) {
  constexpr std::array<std::pair<uint32_t, WeightType>, 12> kTypes{{{2, WeightType::kQ4_0},
                                                                    {6, WeightType::kQ8_0},
                                                                    {20, WeightType::kQ8_0},
                                                                    {8, WeightType::kQ8_0},
                                                                    {12, WeightType::kQ4_K},
                                                                    {14, WeightType::kQ6_K},
                                                                    {3, WeightType::kQ4_1},
                                                                    {7, WeightType::kQ5_1},
                                                                    {10, WeightType::kQ2_K},
                                                                    {11, WeightType::kQ3_K},
                                                                    {13, WeightType::kQ5_K},
                                                                    {23, WeightType::kIQ4_XS}}};
  const auto found = std::ranges::find(kTypes, type.id, &std::pair<uint32_t, WeightType>::first);
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

// Writes blocks of 32 numbers, which begin with their scale, as blocks of Q8_0 with the same
// numbers.
void write_as_q8_0(const GgmlType& type, const std::byte* from, int64_t blocks, std::byte* to) {
  constexpr int64_t kNumbers = 32;
  const Float16 one = to_f16(1);
  std::vector<std::byte> unscaled(static_cast<size_t>(type.block_bytes));
  std::array<float, kNumbers> quants;
  for (; blocks > 0; --blocks, from += type.block_bytes, to += sizeof(one) + kNumbers) {
    std::memcpy(unscaled.data(), from, unscaled.size());
    std::memcpy(unscaled.data(), &one, sizeof(one));
    type.dequantize(unscaled.data(), 1, quants.data());
    std::memcpy(to, from, sizeof(one));
    for (size_t i = 0; i < quants.size(); ++i)
      to[sizeof(one) + i] = static_cast<std::byte>(static_cast<int8_t>(quants[i]));
  }
}

const TensorName* rule_of(const std::vector<TensorName>& rules, std::string_view name) {
  const auto rule = std::ranges::find(rules, name, &TensorName::gguf);
  return rule == rules.end() ? nullptr : &*rule;
}

bool is_vector(const GgufTensor& tensor) {
  return tensor.shape.size() == 1;
}
int64_t rows_in(const GgufTensor& tensor) {
  return is_vector(tensor) ? tensor.shape[0] : tensor.num_rows();
}

}  // namespace

GgufWeights::GgufWeights(const GgufFile& file, const GgufArchitecture& architecture,
                         const HeadShape& heads)
    : file_(file), architecture_(architecture), heads_(heads) {
  for (const GgufTensor& tensor : file.tensors()) {
    if (is_config_tensor(tensor.name)) continue;
    const NameParts parts = parts_of(architecture, tensor.name);
    const std::vector<TensorName>& rules = parts.stack ? parts.stack->names : architecture.names;
    const std::string prefix = parts.stack ? parts.stack->family + parts.layer + "." : "";
    // Some files have queries, keys and values in one tensor.
    const TensorName *rule = rule_of(rules, parts.name), *query = rule_of(rules, "attn_q");
    if (!rule && parts.name == "attn_qkv" && query && rows_in(tensor) == heads_.width()) {
      int64_t first = 0;
      for (const char* part : {"attn_q", "attn_k", "attn_v"}) {
        const TensorName& one = *rule_of(rules, part);
        const int64_t count = (&one == query ? heads_.heads : heads_.kv_heads) * heads_.size;
        Shape shape = tensor.shape;
        shape.front() = count;
        add_mapped(tensor, prefix + one.family + parts.ending, one.stored, first, count,
                   std::move(shape));
        first += count;
      }
      continue;
    }
    if (!rule) {
      add_mapped(tensor, tensor.name, Stored::kAsIs, 0, rows_in(tensor), tensor.shape);
      continue;
    }
    std::string name = prefix + rule->family;
    // Where Falcon has a norm for each branch, attn_norm is that of the MLP.
    if (parts.name == "attn_norm" && rule_of(rules, "attn_norm_2") &&
        file.find("blk." + parts.layer + ".attn_norm_2.weight"))
      name = prefix + "ln_mlp";
    // Where an MLP of T5 has a gate (wi_0), the matrix beside it is called wi_1, not wi.
    if (name.ends_with(".wi") && file.find(parts.stack->gguf + parts.layer + ".ffn_gate.weight"))
      name += "_1";
    add(tensor, name + parts.ending, *rule);
  }
}

// Adds `tensor` under the family's name, or, where it holds all experts, one tensor for each
// expert. A tensor of experts that cannot be taken apart keeps its own name.
void GgufWeights::add(const GgufTensor& tensor, const std::string& name, const TensorName& rule) {
  const size_t place = name.find("{}");
  Shape shape = tensor.shape;
  if (place == std::string::npos) {
    if (rule.stored == Stored::kTransposed && shape.size() == 2) std::swap(shape[0], shape[1]);
    add_mapped(tensor, name, rule.stored, 0, rows_in(tensor), std::move(shape));
    return;
  }
  if (shape.size() != 3 || shape[0] > kMostExperts || mapped_.size() > kMostExpertTensors) {
    add_mapped(tensor, tensor.name, Stored::kAsIs, 0, rows_in(tensor), std::move(shape));
    return;
  }
  const int64_t experts = shape[0], rows = shape[1];
  shape.erase(shape.begin());
  for (int64_t expert = 0; expert < experts; ++expert) {
    std::string one = name;
    one.replace(place, 2, std::to_string(expert));
    add_mapped(tensor, one, rule.stored, expert * rows, rows, shape);
  }
}

void GgufWeights::add_mapped(const GgufTensor& tensor, std::string name, Stored stored,
                             int64_t first, int64_t count, Shape shape) {
  Mapped mapped;
  const int64_t row = is_vector(tensor) ? 1 : tensor.row_length();
  mapped.entry = {
      .name = name,
      .dtype_name = tensor.type->name,
      .dtype = GgufFile::dtype_of(tensor),
      .shape = std::move(shape),
      .begin = 0,
      .end = static_cast<uint64_t>(count * row / tensor.type->block * tensor.type->block_bytes),
      .matrix_type = is_vector(tensor) ? std::nullopt : matrix_type_of(*tensor.type)};
  mapped.tensor = &tensor;
  mapped.stored = stored;
  mapped.first = first;
  mapped.count = count;
  mapped_.try_emplace(std::move(name), std::move(mapped));
}

std::vector<std::string> GgufWeights::names() const {
  std::vector<std::string> names;
  for (const auto& [name, mapped] : mapped_) names.push_back(name);
  return names;
}

const TensorEntry* GgufWeights::find(std::string_view name) const {
  const auto mapped = mapped_.find(name);
  return mapped == mapped_.end() ? nullptr : &mapped->second.entry;
}

bool GgufWeights::has_any(std::string_view beginning) const {
  const auto first = mapped_.lower_bound(beginning);
  return first != mapped_.end() && first->first.starts_with(beginning);
}

const GgufWeights::Mapped& GgufWeights::mapped_of(std::string_view name) const {
  const auto found = mapped_.find(name);
  if (found == mapped_.end())
    throw_bad_input({"tensor is missing", file_.file_names().front(), stored_name(name),
                     fmt::format("{} tensors", file_.tensors().size()), ""});
  return found->second;
}

StoredMatrix GgufWeights::read_matrix(std::string_view name) const {
  const Mapped& mapped = mapped_of(name);
  const GgufTensor& tensor = *mapped.tensor;
  StoredMatrix matrix;
  matrix.type = attn::matrix_type_of(mapped.entry);
  if (is_vector(tensor) || tensor.type->dtype == DType::kF64)
    return WeightSource::read_matrix(name);
  matrix.is_transposed = mapped.stored == Stored::kTransposed;
  matrix.shape = {mapped.count, tensor.row_length()};
  std::vector<int64_t> file_rows;  // [row of the family]: its row in the file
  for (const TensorRows& rows : family_rows(mapped.stored, heads_, mapped.first, mapped.count))
    for (int64_t i = 0; i < rows.count; ++i) file_rows.push_back(rows.from + i);
  const int64_t row = row_bytes(matrix.type, tensor.row_length());
  matrix.read = [this, &tensor, file_rows = std::move(file_rows), type = matrix.type, row](
                    int64_t first, int64_t count, std::byte* to) {
    for (int64_t end = first + count; first < end;) {
      const int64_t from = file_rows[static_cast<size_t>(first)];
      int64_t run = 1;
      while (first + run < end && file_rows[static_cast<size_t>(first + run)] == from + run) ++run;
      read_rows_as(tensor, type, from, run, to);
      first += run;
      to += run * row;
    }
  };
  return matrix;
}

void GgufWeights::read_rows_as(const GgufTensor& tensor, WeightType type, int64_t first,
                               int64_t count, std::byte* to) const {
  const GgmlType& stored = *tensor.type;
  if (!stored.dequantize || !matrix_type_of(stored))
    return file_.read_rows(tensor, first, count, to);  // as they are, or as f32
  if (stored.block_bytes == layout_of(type).block_bytes)
    return file_.read_row_bytes(tensor, first, count, to);
  const int64_t blocks = tensor.row_length() / stored.block;
  std::vector<std::byte> row(static_cast<size_t>(blocks * stored.block_bytes));
  for (int64_t i = first; i < first + count; ++i, to += row_bytes(type, tensor.row_length())) {
    file_.read_row_bytes(tensor, i, 1, row.data());
    write_as_q8_0(stored, row.data(), blocks, to);
  }
}

Tensor GgufWeights::read(std::string_view name) const {
  const Mapped& mapped = mapped_of(name);
  const GgufTensor& tensor = *mapped.tensor;
  const std::vector<TensorRows> all_rows =
      family_rows(mapped.stored, heads_, mapped.first, mapped.count);
  if (is_vector(tensor)) {
    Tensor vector = file_.read(tensor);
    const size_t size = size_of(vector.dtype());
    Tensor result(vector.dtype(), mapped.entry.shape);
    auto* to = static_cast<std::byte*>(result.raw());
    for (const TensorRows& rows : all_rows) {
      const size_t bytes = static_cast<size_t>(rows.count) * size;
      std::memcpy(
          to, static_cast<const std::byte*>(vector.raw()) + static_cast<size_t>(rows.from) * size,
          bytes);
      to += bytes;
    }
    if (mapped.stored != Stored::kPlusOne) return result;
    result = convert(result, DType::kF32);
    for (float& number : result.span<float>()) number -= 1;
    return result;
  }
  Tensor result = file_.room_for(tensor, mapped.entry.shape);
  const size_t row_bytes = static_cast<size_t>(tensor.row_length()) * size_of(result.dtype());
  auto* to = static_cast<std::byte*>(result.raw());
  if (mapped.stored == Stored::kTransposed) {
    const int64_t rows = tensor.num_rows();
    const auto size = static_cast<int64_t>(size_of(result.dtype()));
    std::vector<std::byte> row(row_bytes);
    for (int64_t i = 0; i < rows; ++i) {
      file_.read_rows(tensor, i, 1, row.data());
      for (int64_t j = 0; j < tensor.row_length(); ++j)
        std::memcpy(to + (j * rows + i) * size, row.data() + j * size, static_cast<size_t>(size));
    }
    return result;
  }
  for (const TensorRows& rows : all_rows) {
    file_.read_rows(tensor, rows.from, rows.count, to);
    to += static_cast<size_t>(rows.count) * row_bytes;
  }
  return result;
}

std::string GgufWeights::file_of(std::string_view name) const {
  const auto mapped = mapped_.find(name);
  return file_.file_names()[mapped == mapped_.end() ? 0 : mapped->second.tensor->file];
}

// For a missing tensor: the name that it would have in the file, if known, else `name` itself.
std::string GgufWeights::stored_name(std::string_view name) const {
  if (const auto mapped = mapped_.find(name); mapped != mapped_.end())
    return mapped->second.tensor->name;
  const std::optional<GgufName> stored = gguf_name_of(architecture_, name);
  return stored ? stored->name : std::string(name);
}

}  // namespace attn
