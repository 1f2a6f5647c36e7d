// SPDX-License-Identifier: GPL-3.0-or-later
// A small random model of a family as a model folder, with what transformers answers
// (tests/golden/families). Its tokenizer has the ids 0 to 3 only, so tests use ids.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/model/files/safetensors.h"
#include "tests/engine/model/families/hash_weights.h"
#include "tests/engine/model/scratch_folder.h"

namespace attn {

inline std::filesystem::path family_cases() {
  return std::filesystem::path(ATTN_SOURCE_DIR) / "tests/golden/families";
}

class FamilyCase {
 public:
  static constexpr const char* kTokenizer =
      R"({"model":{"type":"BPE","vocab":{"<unk>":0,"a":1,"b":2,"ab":3},"merges":["a b"]}})";

  explicit FamilyCase(const std::string& name)
      : golden_(SafetensorsFile::open(family_cases() / (name + ".safetensors"))) {
    config = nlohmann::json::parse(golden_.metadata().at("config"));
    for (const auto& entry : nlohmann::json::parse(golden_.metadata().at("tensors"))) {
      const auto tensor = entry[0].get<std::string>();
      tensors.emplace_back(tensor, hashed_tensor(fmt::format("{}/{}", name, tensor),
                                                 entry[1].get<Shape>(), entry[2], entry[3]));
    }
  }

  const std::filesystem::path& write() const {
    std::ofstream(folder_.path / "config.json") << config.dump();
    std::ofstream(folder_.path / "tokenizer.json") << kTokenizer;
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
    write_safetensors(folder_.path / "model.safetensors", named, {});
    return folder_.path;
  }
  Tensor golden(const std::string& name) const { return golden_.read(name); }
  bool has_golden(const std::string& name) const { return golden_.find(name) != nullptr; }
  std::vector<int32_t> ids(const std::string& name) const {
    const Tensor tensor = golden_.read(name);
    return {tensor.span<int32_t>().begin(), tensor.span<int32_t>().end()};
  }

  nlohmann::json config;
  std::vector<std::pair<std::string, Tensor>> tensors;

 private:
  SafetensorsFile golden_;
  ScratchFolder folder_;
};

}  // namespace attn
