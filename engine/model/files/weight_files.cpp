// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/weight_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr size_t kMaxShards = 4096;
constexpr size_t kMaxIndexValues = 500'000;  // each tensor is one of these JSON values

// Path of the shard. Checks that it lies in the folder.
fs::path shard_path(const fs::path& folder, const JsonAt& at) {
  const std::string& name = at.text();
  const fs::path relative(name);
  const bool leads_up = std::any_of(relative.begin(), relative.end(),
                                    [](const fs::path& part) { return part == ".."; });
  if (name.empty() || name.find('\0') != std::string::npos || name.find('\\') != std::string::npos)
    at.refuse("shard has no usable name", at.shown(), "a file name in the same folder");
  if (relative.is_absolute() || leads_up)
    at.refuse("shard lies outside the folder", at.shown(), "a file name in the same folder");
  const fs::path path = folder / relative;
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  if (error && has_entry(path))
    at.refuse("shard cannot be opened", fmt::format("{}: {}", at.shown(), found_at(path)),
              "a file in the same folder");
  if (error)
    at.refuse("shard is missing", at.shown(), "a file in the same folder", "Download all shards");
  const fs::path root = fs::canonical(folder, error);
  if (error ||
      std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first != root.end())
    at.refuse("shard is a link that leads outside the folder", at.shown(),
              "a file in the same folder", "Copy the files into one folder");
  return path;
}

}  // namespace

WeightFiles WeightFiles::open(const fs::path& folder) {
  if (has_entry(folder / kSingle)) {
    WeightFiles result;
    result.files_.push_back(SafetensorsFile::open(folder / kSingle));
    result.file_names_.push_back(kSingle);
    result.add_all_of(0);
    return result;
  }
  if (has_entry(folder / kIndex)) return open_index(folder, folder / kIndex);
  std::string found = "no such file", advice;
  for (const char* name :
       {"pytorch_model.bin", "pytorch_model.bin.index.json", "consolidated.00.pth", "model.pt"})
    if (has_entry(folder / name)) {
      found = fmt::format("{}, {}", name,
                          std::string_view(name).ends_with(".json") ? "the index of Python pickles"
                                                                    : "a Python pickle");
      advice = "Convert the model to safetensors; pickles can run code and are never opened";
    }
  throw_bad_input({"weights are missing", (folder / kSingle).string(), found,
                   fmt::format("{} or {}", kSingle, kIndex), advice});
}

WeightFiles WeightFiles::open_index(const fs::path& folder, const fs::path& index) {
  nlohmann::json document =
      parse_json(read_text_file(index, size_t{64} << 20), kIndex, {.max_values = kMaxIndexValues});
  const TakenApart apart(document);
  const JsonAt map = JsonAt(document, kIndex)["weight_map"];
  map.expect_object();
  WeightFiles result;
  std::map<std::string, size_t> opened;
  for (const auto& [tensor, shard] : map.json().items()) {
    const JsonAt at = map[tensor];
    const auto [entry, is_new] = opened.try_emplace(at.text(), result.files_.size());
    if (is_new) {
      if (opened.size() > kMaxShards)
        map.refuse("too many shards", fmt::format("{}", opened.size()),
                   fmt::format("at most {}", kMaxShards));
      result.files_.push_back(SafetensorsFile::open(shard_path(folder, at)));
      result.file_names_.push_back(at.text());
    }
    result.file_of_tensor_.emplace(tensor, entry->second);
  }
  // This is checked after all shards are open, so that the message can say which shard has the
  // tensor.
  for (const auto& [tensor, file] : result.file_of_tensor_) {
    if (result.files_[file].find(tensor)) continue;
    std::string found = "in no shard";
    for (size_t other = 0; other < result.files_.size(); ++other)
      if (result.files_[other].find(tensor))
        found = fmt::format("in {}", quote_text(result.file_names_[other]));
    map[tensor].refuse("tensor is not in the shard that the index names", found,
                       map[tensor].shown());
  }
  return result;
}

void WeightFiles::add_all_of(size_t file) {
  for (const TensorEntry& entry : files_[file].tensors()) file_of_tensor_.emplace(entry.name, file);
}

std::vector<std::string> WeightFiles::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : file_of_tensor_) names.push_back(name);
  return names;
}

const TensorEntry* WeightFiles::find(std::string_view name) const {
  const auto file = file_of_tensor_.find(name);
  return file == file_of_tensor_.end() ? nullptr : files_[file->second].find(name);
}

bool WeightFiles::has_any(std::string_view beginning) const {
  const auto first = file_of_tensor_.lower_bound(beginning);
  return first != file_of_tensor_.end() && first->first.starts_with(beginning);
}

Tensor WeightFiles::read(std::string_view name) const {
  const auto file = file_of_tensor_.find(name);
  return files_[file == file_of_tensor_.end() ? 0 : file->second].read(name);
}

StoredMatrix WeightFiles::read_matrix(std::string_view name) const {
  const TensorEntry* const entry = find(name);
  const std::optional<WeightType> type =
      entry && entry->dtype ? weight_type_of(*entry->dtype) : std::nullopt;
  if (!type || entry->shape.size() != 2) return WeightSource::read_matrix(name);
  StoredMatrix matrix;
  matrix.type = *type;
  matrix.shape = entry->shape;
  const int64_t row = row_bytes(*type, entry->shape[1]);
  matrix.read = [&file = files_[file_of_tensor_.find(name)->second], entry, row](
                    int64_t first, int64_t count, std::byte* to) {
    file.read_bytes(*entry, static_cast<uint64_t>(first * row), static_cast<uint64_t>(count * row),
                    to);
  };
  return matrix;
}

std::string WeightFiles::file_of(std::string_view name) const {
  const auto file = file_of_tensor_.find(name);
  if (file != file_of_tensor_.end()) return file_names_[file->second];
  return !file_names_.empty() && file_names_.front() == kSingle ? kSingle : kIndex;
}

}  // namespace attn
