// SPDX-License-Identifier: GPL-3.0-or-later
// random_tensor(): a tensor of random numbers from a given seed. write_npy(): writes an .npy file.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/core/rng.h"
#include "engine/core/tensor.h"

namespace attn::test {

inline Tensor random_tensor(const Shape& shape, uint64_t seed) {
  Tensor tensor(DType::kF32, shape);
  Rng rng(seed);
  for (float& x : tensor.span<float>()) x = rng.normal();
  return tensor;
}

// descr: the element type that the header states, whether or not it is the tensor's.
inline void write_npy(const std::filesystem::path& file, const Tensor& tensor,
                      const std::string& descr = "<f4") {
  std::string shape;
  for (const int64_t axis : tensor.shape()) shape += std::to_string(axis) + ", ";
  const std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  std::ofstream out(file, std::ios::binary);
  out << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size())
      << static_cast<char>(header.size() >> 8) << header;
  out.write(static_cast<const char*>(tensor.raw()), static_cast<std::streamsize>(tensor.bytes()));
}

}  // namespace attn::test
