// SPDX-License-Identifier: GPL-3.0-or-later
// The weights of a Hugging Face folder: model.safetensors, or the shards that
// model.safetensors.index.json names. A shard outside the folder is refused. Any thread. Errors:
// kBadInput, and kFailed where the system refuses to read a file or to give memory.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/files/safetensors.h"

namespace attn {

class WeightFiles : public WeightSource {
 public:
  static WeightFiles open(const std::filesystem::path& folder);

  std::vector<std::string> names() const override;
  const TensorEntry* find(std::string_view name) const override;
  bool has_any(std::string_view beginning) const override;
  Tensor read(std::string_view name) const override;
  StoredMatrix read_matrix(std::string_view name) const override;
  std::string file_of(std::string_view name) const override;

 private:
  static WeightFiles open_index(const std::filesystem::path& folder,
                                const std::filesystem::path& index);
  void add_all_of(size_t file);

  std::vector<SafetensorsFile> files_;
  std::vector<std::string> file_names_;
  std::map<std::string, size_t, std::less<>> file_of_tensor_;
};

}  // namespace attn
