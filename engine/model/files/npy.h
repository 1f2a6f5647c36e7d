// SPDX-License-Identifier: GPL-3.0-or-later
// Reads NumPy .npy files, versions 1.0 to 3.0, and writes version 1.0: magic, version, header
// length, header, elements. The header is a Python dictionary with the keys descr, fortran_order
// and shape; it is read by a fixed grammar and nothing in it is evaluated. Format:
// numpy.lib.format. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/files/input_file.h"
#include "engine/core/tensor.h"

namespace attn {

class NpyFile {
 public:
  // Reads and checks the header; the file must be exactly as long as the header says. Throws
  // Error(kBadInput) for another kind of file or a broken one, and what InputFile throws.
  static NpyFile open(const std::filesystem::path& file);

  DType dtype() const { return dtype_; }  // f64, f32, f16, i64, i32, i16, i8, u8 or bool
  const std::string& dtype_name() const { return dtype_name_; }  // as in the file: "<f4"
  const Shape& shape() const { return shape_; }
  bool is_fortran_order() const { return fortran_order_; }  // the first axis varies fastest
  // Reads the elements into row-major order and this machine's byte order, whatever the file has.
  Tensor read() const;

 private:
  friend class NpyHeader;
  InputFile file_;
  DType dtype_ = DType::kF32;
  std::string dtype_name_;
  bool swapped_ = false;  // true: the file's numbers are big endian
  bool fortran_order_ = false;
  Shape shape_;
  uint64_t data_begin_ = 0;  // bytes
};

// The bytes of a file of version 1.0 with this f32 tensor, row-major.
std::string npy_bytes(const Tensor& tensor);

}  // namespace attn
