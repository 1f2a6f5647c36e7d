// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes safetensors: header length (8 bytes, little-endian), JSON header, tensor bytes.
// Lengths are checked against the bytes that remain before memory is allocated. Holes, overlaps,
// duplicate names and products that overflow are refused. Any thread.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/core/files/input_file.h"
#include "engine/core/tensor.h"
#include "engine/model/files/weight_source.h"

namespace attn {

class SafetensorsFile {
 public:
  // Reads and checks the header. Throws Error(kBadInput) for another kind of file or a broken one,
  // and what InputFile throws.
  static SafetensorsFile open(const std::filesystem::path& file);

  const std::vector<TensorEntry>& tensors() const { return tensors_; }  // in file order
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const TensorEntry* find(std::string_view name) const;
  // Throws Error(kBadInput) for an element type that is not read here.
  Tensor read(const TensorEntry& entry) const;
  // Bytes [first, first + count) of the tensor. Any thread. Throws Error as InputFile does.
  void read_bytes(const TensorEntry& entry, uint64_t first, uint64_t count, void* to) const {
    file_.read(data_begin_ + entry.begin + first, to, count);
  }
  // Throws Error(kBadInput), with the tensor's name, when it is missing.
  Tensor read(std::string_view name) const;

 private:
  SafetensorsFile() = default;
  InputFile file_;
  uint64_t data_begin_ = 0;
  std::vector<TensorEntry> tensors_;
  std::map<std::string, size_t, std::less<>> index_;  // name -> index in tensors_
  std::map<std::string, std::string> metadata_;
};

struct NamedTensor {
  std::string name;
  const Tensor* tensor = nullptr;
};
// Writes `file` as a whole (whole_file.h). Throws Error(kFailed) when it cannot be written,
// Error(kBadInput) for text that is not UTF-8 or a name that is reserved or used twice, and what
// output_file() throws.
void write_safetensors(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace attn
