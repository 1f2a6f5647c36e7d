// SPDX-License-Identifier: GPL-3.0-or-later
// ConfigReader: reads a model's config.json, or what a GGUF file says in its place, for its family.
// The keys mean what they mean in transformers 5.24. A mistake that it finds is added to the
// problems with its JSON path: kNotSupported for an option that is not supported, kBadInput for a
// wrong or missing value. One thread.
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

// The keys of config.json for the heads. kv_heads null: there are as many KV heads as query heads.
// size null: no key gives the head size; see default_size.
struct HeadKeys {
  const char* heads = "num_attention_heads";
  const char* kv_heads = "num_key_value_heads";
  const char* size = "head_dim";
  const char* width = "hidden_size";
  int64_t default_heads = 0;  // 0: the key is required
  // The number of KV heads where their key is missing; 0: as many as query heads. A key that is
  // null means as many as query heads in any case.
  int64_t default_kv_heads = 0;
  int64_t default_size = 0;  // where the key is missing or null; 0: width / heads
};

// What differs between families in the rotary positions of a config.json: keys, and what holds
// where they are missing.
struct RotaryKeys {
  const char* theta = "rope_theta";
  double default_theta = 10000;
  const char* partial = nullptr;  // key for the share of a head that is rotated; null: whole heads
  double default_partial = 1;
  // The trained length of longrope where the top level of the config does not give it; 0: that in
  // the object with the scaling, and without it max_model_len.
  int64_t default_trained_length = 0;
  bool all_scalings_are_longrope = false;  // "su" and "yarn" are other names of longrope
  // For a model whose kinds of layers have rotary positions of their own: the kind, such as
  // "full_attention", whose object in "rope_parameters" is read. "rope_scaling" then counts only
  // for "full_attention" and with a rope_type. Null: the model has one kind of rotary positions.
  const char* layer_kind = nullptr;
};

class ConfigReader {
 public:
  static constexpr int64_t kMostWidth = int64_t{1} << 20;  // largest accepted width of a layer

  ConfigReader(JsonAt root, std::string model_type, Problems& problems)
      : root_(std::move(root)), model_type_(std::move(model_type)), problems_(problems) {}

  const JsonAt& root() const { return root_; }
  const std::string& model_type() const { return model_type_; }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  const std::vector<std::string>& notes() const { return notes_; }
  // See Problems::holds().
  template <class Check>
  bool holds(Check&& check) {
    return problems_.holds(std::forward<Check>(check));
  }

  // Reads a whole number from 1 to `most`. `otherwise` takes the place of a key that is missing or
  // null; with `otherwise` 0 the key is required. Returns false when a problem was added.
  bool size(const char* key, int64_t most, int64_t& to, int64_t otherwise = 0);
  // Reads a number in [low, high]; missing or null: `to` stays.
  bool number(const char* key, double low, double high, float& to);
  // Reads true or false; missing or null: `to` stays.
  bool flag(const char* key, bool& to);
  // Adds `what` as not supported for each of the keys that is there with the opposite of `wanted`.
  void expect(std::initializer_list<const char*> keys, bool wanted, const char* what);
  // The first of the keys that is there and not null; the first of all where none is.
  const char* key_of(std::initializer_list<const char*> keys) const;
  // Reads the numbers of heads and the head size. `hidden_size` 0: it could not be read.
  bool heads(int64_t hidden_size, const HeadKeys& keys, HeadShape& to);
  // Adds a problem and returns false where the head size is odd, because rotary positions rotate
  // pairs of dimensions.
  bool expect_even_heads(int64_t head_size);
  // Reads one of the names of activation_named(). Missing, null or unknown: `otherwise`; an unknown
  // name is also added as a problem.
  Activation activation(const char* key, Activation otherwise);
  // Reads the keys for rotary positions at the top level of the config, then those in its object
  // "rope_scaling". If that is missing, null or empty, "rope_parameters" is read instead. For a
  // model with keys.layer_kind see there. For longrope, `max_model_len` becomes at most the trained
  // length.
  RotaryConfig rotary(int64_t head_size, int64_t& max_model_len, const RotaryKeys& keys = {});
  // Adds a problem where "is_causal" is there and not true.
  void expect_causal();

 private:
  void read_scaling(const JsonAt& rope, const RotaryKeys& keys, int64_t& max_model_len,
                    RotaryConfig& to);
  void read_longrope(const JsonAt& rope, const RotaryKeys& keys, int64_t& max_model_len,
                     RotaryConfig& to);
  void read_of_kind(const RotaryKeys& keys, int64_t& max_model_len, RotaryConfig& to);
  int64_t rotary_size(const char* rope_key, const RotaryKeys& keys, int64_t head_size);
  void note_partial(const JsonAt& at);

  JsonAt root_;
  std::string model_type_;
  Problems& problems_;
  std::vector<std::string> notes_;
};

}  // namespace attn
