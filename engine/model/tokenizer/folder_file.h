// SPDX-License-Identifier: GPL-3.0-or-later
// FolderFile: a JSON file of a model folder, such as tokenizer_config.json, and how such files name
// tokens. One thread.
#pragma once

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {

// Keys that name the token for a purpose (begin of a text, padding, ...), in the order in which the
// tokens are added.
inline constexpr std::array kNamedTokens = {"bos_token", "eos_token", "unk_token", "sep_token",
                                            "pad_token", "cls_token", "mask_token"};

// A JSON file of a folder, parsed; an empty object where the folder has no such file.
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

  // The public constructor delegates to this one, so that the destructor runs if its body throws.
  explicit FolderFile(const char* name) : name_(name) {}

  nlohmann::json json_ = nlohmann::json::object();
  std::string name_;
};

// The entries of an object {"id": token}, sorted by id. The key "05" means the id 5, too.
inline std::map<int64_t, JsonAt> by_id(const JsonAt& at) {
  at.expect_object();
  std::map<int64_t, JsonAt> entries;
  for (const auto& [key, value] : at.json().items()) {
    int64_t id = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc{} || end != key.data() + key.size() || id < 0 || id >= kMostVocabulary)
      at[key].refuse("token id is not valid", quote_text(key),
                     fmt::format("0 to {}", kMostVocabulary - 1));
    if (!entries.emplace(id, at[key]).second)
      at[key].refuse("token id is there twice", quote_text(key),
                     fmt::format("each id once, and {} is there in another form", id));
  }
  return entries;
}

}  // namespace attn
