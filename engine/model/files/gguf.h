// SPDX-License-Identifier: GPL-3.0-or-later
// Reads GGUF, versions 2 and 3, little endian: metadata by key, table of tensors, their numbers. A
// model may be split into several files, NAME-00001-of-00003.gguf and so on, which are read as one.
// Lengths are checked against the bytes that remain before memory is taken for them. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/files/input_file.h"
#include "engine/core/tensor.h"
#include "engine/model/files/gguf_metadata.h"
#include "engine/model/quants/ggml_type.h"

namespace attn {

struct GgufTensor {
  std::string name;
  const GgmlType* type = nullptr;
  Shape shape;         // outermost axis first; the file has the innermost one first
  uint64_t begin = 0;  // byte of its file where its numbers begin
  uint64_t bytes = 0;
  size_t file = 0;  // index into file_names()

  int64_t row_length() const { return shape.empty() ? 1 : shape.back(); }
  int64_t num_rows() const {
    int64_t rows = 1;
    for (size_t axis = 0; axis + 1 < shape.size(); ++axis) rows *= shape[axis];
    return rows;
  }
};

class GgufFile {
 public:
  // Whether the file begins with the letters GGUF. False for what cannot be opened.
  static bool is_gguf(const std::filesystem::path& file);
  // Reads and checks metadata and tables of the file, and of the other parts where it is the first
  // of a split model. Throws Error(kBadInput) for a file that is broken, has another version or is
  // a part but not the first, and what InputFile throws.
  static GgufFile open(const std::filesystem::path& file);

  // The file; where its name is that of the first part of a split model, also the other parts,
  // which need not exist.
  static std::vector<std::filesystem::path> part_files(const std::filesystem::path& file);

  int version() const { return version_; }
  const GgufMetadata& metadata() const { return metadata_; }           // of the first file
  const std::vector<GgufTensor>& tensors() const { return tensors_; }  // in the order of the tables
  const std::vector<std::string>& file_names() const { return file_names_; }
  const GgufTensor* find(std::string_view name) const;

  // The tensor in the element type of the file, a quantised one as f32. Throws Error(kNotSupported)
  // for a type that is not read here.
  Tensor read(const GgufTensor& tensor) const;
  // A tensor of zeros of this shape, in the element type that read() gives. Throws where the memory
  // does not suffice, and for a type that is not read here.
  Tensor room_for(const GgufTensor& tensor, Shape shape) const;
  // Rows [first, first + count) of the tensor, seen as a matrix of rows of row_length() numbers, in
  // the element type that read() gives: to [count, row_length()].
  void read_rows(const GgufTensor& tensor, int64_t first, int64_t count, void* to) const;
  // The same rows as they are in the file: to [count * bytes of a row].
  void read_row_bytes(const GgufTensor& tensor, int64_t first, int64_t count, void* to) const;
  // The element type that read() gives; nullopt: a type that is not read here.
  static std::optional<DType> dtype_of(const GgufTensor& tensor);

 private:
  GgufFile() = default;
  void add_part(const std::filesystem::path& file);
  void open_other_parts(const std::filesystem::path& first);

  int version_ = 0;
  GgufMetadata metadata_;
  std::vector<GgufTensor> tensors_;
  std::unordered_map<std::string, size_t> index_;  // name -> place in tensors_
  std::vector<InputFile> files_;
  std::vector<std::string> file_names_;
};

}  // namespace attn
