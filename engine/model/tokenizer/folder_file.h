// SPDX-License-Identifier: GPL-3.0-or-later
// FolderFile: a small JSON file of a model folder, such as tokenizer_config.json. One thread.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {

// An empty object where there is no such file.
class FolderFile {
 public:
  FolderFile(const std::filesystem::path& folder, const char* name) : FolderFile(name) {
    if (has_entry(folder / name))
      json_ = parse_json(read_text_file(folder / name, kMaxBytes), name, {.max_bytes = kMaxBytes});
    root().expect_object();
  }
  ~FolderFile() { take_apart(json_); }
  FolderFile(const FolderFile&) = delete;
  FolderFile& operator=(const FolderFile&) = delete;
  JsonAt root() const { return {json_, name_}; }

 private:
  static constexpr size_t kMaxBytes = size_t{64} << 20;  // room for a chat template

  // The other constructor delegates to this one, so that the destructor runs when it throws.
  explicit FolderFile(const char* name) : name_(name) {}

  nlohmann::json json_ = nlohmann::json::object();
  std::string name_;
};

}  // namespace attn
