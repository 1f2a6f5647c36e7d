// SPDX-License-Identifier: GPL-3.0-or-later
// The language model inside a model that also reads pictures. One of the families makes its layers.
// Its config is the object "text_config" of config.json, and most names of its tensors have a
// prefix. The other tensors are not read. Any thread.
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

// The model types, as in config.json, whose language part can be read; sorted.
std::vector<std::string> types_with_language_part();

// Completes "text_config" in a config.json of one of these types, so that it can be read like a
// config.json of its own: adds defaults of transformers 5.24 for a missing model_type and, in some
// types, missing sizes. Takes "tie_word_embeddings" and "eos_token_id" from the whole config where
// that has them; the former gets its default where neither has it. Returns words that say what is
// opened; nullopt: the config has another type or none, and stays as it is. `file`: its name, for
// messages. Throws Error(kBadInput) where "text_config" is missing or no object, or a model_type is
// no text.
std::optional<std::string> complete_language_part(nlohmann::json& config, const char* file);

// The tensors of the language part, under the names that they have in a model without pictures:
// "model.layers.0...", "lm_head.weight". All other tensors are left out.
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
  std::map<std::string, std::string, std::less<>> stored_;  // name given out -> name in the files
};

}  // namespace attn
