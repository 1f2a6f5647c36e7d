// SPDX-License-Identifier: GPL-3.0-or-later
// WeightSource: the tensors of a model by the names that its family gives them, wherever they are
// stored. WeightFiles has those of a Hugging Face folder, GgufWeights those of a GGUF file. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/model/weights/weight_matrix.h"

namespace attn {

struct TensorEntry {
  std::string name;
  std::string dtype_name;      // as in the file: "BF16"
  std::optional<DType> dtype;  // as it is read; none: a type that is not read here, such as U32
  Shape shape;
  // bytes, from the start of the data; in GGUF, begin is always 0
  uint64_t begin = 0, end = 0;
  // The type in which the rows of a matrix are kept; none: that of `dtype`, f32 for f64.
  std::optional<WeightType> matrix_type;
};
// `entry.dtype` must be a floating-point type.
WeightType matrix_type_of(const TensorEntry& entry);

class WeightSource {
 public:
  virtual ~WeightSource() = default;

  virtual std::vector<std::string> names() const = 0;                // sorted
  virtual const TensorEntry* find(std::string_view name) const = 0;  // null: there is none
  virtual bool has_any(std::string_view beginning) const = 0;  // whether a name begins with this
  virtual Tensor read(std::string_view name) const = 0;
  // A tensor of two axes in the type of matrix_type_of(). The source must live until its rows are
  // read.
  virtual StoredMatrix read_matrix(std::string_view name) const;

  // For messages. The file that has the tensor: "model-00001-of-00002.safetensors"; for a missing
  // tensor the file that lists all tensors (of a split GGUF model the first file).
  virtual std::string file_of(std::string_view name) const = 0;
  virtual std::string stored_name(std::string_view name) const { return std::string(name); }
  // Where a model's tensors and their shapes are described: a file name or a phrase for messages.
  virtual std::string description() const { return "config.json"; }
  virtual std::string element_types() const { return "F64, F32, F16, BF16"; }
};

}  // namespace attn
