// SPDX-License-Identifier: GPL-3.0-or-later
// GgufWriter: writes a GGUF file of version 3. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/tensor.h"
#include "engine/model/files/gguf_metadata.h"
#include "engine/model/quants/quantize.h"

namespace attn {

class GgufWriter {
 public:
  // --- metadata; each key once ---
  void add(const GgufValue& value);  // copies a key and its value from another file
  void u32(std::string_view key, int64_t value);
  void f32(std::string_view key, double value);
  void flag(std::string_view key, bool value);
  void text(std::string_view key, std::string_view value);
  void texts(std::string_view key, const std::vector<std::string>& values);
  void numbers(std::string_view key, const std::vector<float>& values);
  void kinds(std::string_view key, const std::vector<int32_t>& values);
  void bytes(std::string_view key, std::string_view values);  // an array of u8

  // A tensor of `shape`, the outermost axis first. `read` gives its numbers, f32, f16, bf16 or f64,
  // when it is written. Its rows must be whole blocks of the type.
  void tensor(std::string name, Shape shape, const WrittenType& type, std::function<Tensor()> read);

  int64_t num_tensors() const { return static_cast<int64_t>(tensors_.size()); }
  // Writes the file as a whole (whole_file.h). `progress` is called before every tensor with the
  // share of tensors that have been written; when it returns false, writing ends with
  // Error(kCancelled).
  void write(const std::filesystem::path& file, const std::function<bool(double)>& progress) const;

 private:
  struct Entry {
    std::string name;
    Shape shape;
    WrittenType type;
    std::function<Tensor()> read;
    uint64_t bytes() const;
  };
  std::string header() const;

  std::string keys_;
  uint64_t num_keys_ = 0;
  std::vector<Entry> tensors_;
};

}  // namespace attn
