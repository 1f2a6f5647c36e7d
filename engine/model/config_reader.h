// SPDX-License-Identifier: GPL-3.0-or-later
// ConfigReader: reads a model's config.json for its family. It has functions for what many families
// have in common. The meaning of the keys is as in transformers 5.23. Every reason why the model
// cannot run is added to the problems: kNotSupported for options that are unknown here, kBadInput
// with the JSON path for values out of range. One thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/files/problems.h"
#include "engine/model/files/json_at.h"
#include "engine/model/layers/activation.h"
#include "engine/model/layers/heads.h"
#include "engine/model/layers/rotary.h"

namespace attn {

class ConfigReader {
 public:
  static constexpr int64_t kMostWidth = int64_t{1} << 20;  // largest width of a hidden layer

  ConfigReader(JsonAt root, std::string model_type, Problems& problems)
      : root_(std::move(root)), model_type_(std::move(model_type)), problems_(problems) {}

  const JsonAt& root() const { return root_; }
  const std::string& model_type() const { return model_type_; }
  // note() adds a remark for the user, one sentence: a key that is ignored or followed only in
  // part.
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  const std::vector<std::string>& notes() const { return notes_; }
  // Runs `check`; an Error that it throws is a problem. Returns whether it threw none.
  template <class Check>
  bool holds(Check&& check) {
    return problems_.holds(std::forward<Check>(check));
  }

  // Reads a number from 1 to `most`. Where the key is missing or null, the result is `otherwise`;
  // with `otherwise` 0 the key is required. Returns false when a problem was added.
  bool size(const char* key, int64_t most, int64_t& to, int64_t otherwise = 0);
  // Reads a number in [low, high]; missing or null: `to` stays.
  bool number(const char* key, double low, double high, float& to);
  // Reads true or false; missing or null: `to` stays.
  bool flag(const char* key, bool& to);
  // Each of the keys must be `wanted`, missing or null; otherwise `what` is added as not supported.
  void expect(std::initializer_list<const char*> keys, bool wanted, const char* what);
  // Reads num_attention_heads, num_key_value_heads and head_dim. `default_kv_heads` counts where
  // the KV heads are left out; 0: as many as query heads. `hidden_size` 0: it could not be read.
  bool heads(int64_t hidden_size, int64_t default_kv_heads, HeadShape& to);
  // Adds a problem where the head size is odd, because rotary positions turn pairs. Returns false
  // when it did.
  bool expect_even_heads(int64_t head_size);
  // Reads one of the names of activation_named() that are `allowed`. Missing or null: the first of
  // them.
  Activation activation(const char* key, const std::vector<std::string>& allowed);
  // Reads rotary positions that turn whole heads. Older files have "rope_scaling", newer ones
  // "rope_parameters"; where both are present, "rope_scaling" is used unless it is empty.
  RotaryConfig rotary(int64_t head_size, int64_t max_positions);
  // Adds a problem where the model's tokens see later ones.
  void expect_causal();

 private:
  void read_scaling(const JsonAt& rope, int64_t max_positions, RotaryConfig& to);
  void note_partial(const JsonAt& at);

  JsonAt root_;
  std::string model_type_;
  Problems& problems_;
  std::vector<std::string> notes_;
};

}  // namespace attn
