// SPDX-License-Identifier: GPL-3.0-or-later
// The language model inside a model that also reads pictures. Its layers are those of a family; its
// config is an object of config.json, its tensors have a prefix. The rest of the model is not read.
// Any thread.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/files/json_at.h"
#include "engine/model/files/weight_source.h"

namespace attn {

// The model types of config.json that have such a part, sorted.
std::vector<std::string> types_with_language_part();

// Makes "text_config" in a config.json of one of these types a config.json of its own: adds the
// sizes that it leaves out (those of transformers 5.24), and "tie_word_embeddings" and
// "eos_token_id" as the whole model has them. Returns a sentence that says what is not read;
// nullopt: the config is of another type and stays as it is. `file`: for messages. Errors:
// kBadInput where "text_config" is no object.
std::optional<std::string> complete_language_part(nlohmann::json& config, const char* file);

// The tensors of the part under the names of a model of its own: "model.layers.0...",
// "lm_head.weight". Others are left out.
class LanguageWeights : public WeightSource {
 public:
  explicit LanguageWeights(std::unique_ptr<WeightSource> all);

  std::vector<std::string> names() const override;
  const TensorEntry* find(std::string_view name) const override;
  bool has_any(std::string_view beginning) const override;
  Tensor read(std::string_view name) const override { return all_->read(stored_name(name)); }
  StoredMatrix read_matrix(std::string_view name) const override {
    return all_->read_matrix(stored_name(name));
  }
  std::string file_of(std::string_view name) const override {
    return all_->file_of(stored_name(name));
  }
  std::string stored_name(std::string_view name) const override;
  std::string description() const override { return "text_config of config.json"; }
  std::string element_types() const override { return all_->element_types(); }

 private:
  std::unique_ptr<WeightSource> all_;
  std::map<std::string, std::string, std::less<>> stored_;  // by the name in a model of its own
};

}  // namespace attn
