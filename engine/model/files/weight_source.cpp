// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/weight_source.h"

#include <utility>

namespace attn {

WeightType matrix_type_of(const TensorEntry& entry) {
  return entry.matrix_type.value_or(weight_type_of(entry.dtype.value()).value_or(WeightType::kF32));
}

StoredMatrix WeightSource::read_matrix(std::string_view name) const {
  Tensor numbers = read(name);
  if (numbers.dtype() == DType::kF64) numbers = convert(numbers, DType::kF32);
  return StoredMatrix(std::move(numbers));
}

}  // namespace attn
