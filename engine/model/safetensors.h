// SPDX-License-Identifier: GPL-3.0-or-later
// safetensors: 8 bytes little-endian header length, JSON header, tensor bytes. Read with pread (a
// file that shrinks while open gives an error, not a signal); every length is checked against the
// bytes that remain before allocating. Refuses holes, overlaps, duplicate names, products that
// overflow and the rest of docs/formats.md. Any thread.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/input_file.h"
#include "engine/core/tensor.h"

namespace attn {

struct TensorEntry {
  std::string name;
  std::string dtype_name;      // as in the file: "BF16"
  std::optional<DType> dtype;  // none: the format's, but not read here, such as U32
  Shape shape;
  uint64_t begin = 0, end = 0;  // bytes, from the start of the data
};

class SafetensorsFile {
 public:
  // Reads and checks the header. Throws Error(kBadInput) with file and byte offset or JSON path.
  static SafetensorsFile open(const std::filesystem::path& file);

  const std::vector<TensorEntry>& tensors() const { return tensors_; }  // in file order
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const TensorEntry* find(std::string_view name) const;
  // Throws Error(kBadInput) where the element type is not read here.
  Tensor read(const TensorEntry& entry) const;
  // Throws Error(kBadInput) naming the tensor when it is missing.
  Tensor read(std::string_view name) const;

 private:
  SafetensorsFile() = default;
  InputFile file_;
  uint64_t data_begin_ = 0;
  std::vector<TensorEntry> tensors_;
  std::map<std::string, size_t, std::less<>> index_;  // name -> tensors_
  std::map<std::string, std::string> metadata_;
};

struct NamedTensor {
  std::string name;
  const Tensor* tensor = nullptr;
};
// Written to a temporary name and renamed. Throws Error(kFailed).
void write_safetensors(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace attn
