// SPDX-License-Identifier: GPL-3.0-or-later
// ConfigReader: reads a model's config.json for its family. The keys mean what they mean in
// transformers 5.24. What cannot run is added to the problems: kNotSupported for options that are
// not supported, kBadInput with the JSON path for wrong or missing values. One thread.
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

// The keys for heads. kv_heads null: there are as many KV heads as query heads; size null: the head
// size is the width divided by the heads.
struct HeadKeys {
  const char* heads = "num_attention_heads";
  const char* kv_heads = "num_key_value_heads";
  const char* size = "head_dim";
  const char* width = "hidden_size";
  int64_t default_heads = 0;     // 0: the key is required
  int64_t default_kv_heads = 0;  // where the key is missing; 0: as many as query heads
  int64_t default_size = 0;      // where the key is missing or null; 0: width / heads
};

// How a family reads rotary positions: its keys, and what counts where they are missing.
struct RotaryKeys {
  const char* theta = "rope_theta";
  double default_theta = 10000;
  const char* partial = nullptr;  // the share of a head that turns; null: whole heads turn
  double default_partial = 1;
  int64_t default_trained_length = 0;      // 0: the longest text
  bool all_scalings_are_longrope = false;  // also "su" and "yarn"
  // A model whose kinds of layers turn differently: the object of "rope_parameters" that is read.
  // "rope_scaling" then holds for "full_attention". Null: one set for all layers.
  const char* layer_kind = nullptr;
};

class ConfigReader {
 public:
  static constexpr int64_t kMostWidth = int64_t{1} << 20;  // largest width of a hidden layer

  ConfigReader(JsonAt root, std::string model_type, Problems& problems)
      : root_(std::move(root)), model_type_(std::move(model_type)), problems_(problems) {}

  const JsonAt& root() const { return root_; }
  const std::string& model_type() const { return model_type_; }
  void note(std::string sentence) { notes_.push_back(std::move(sentence)); }
  const std::vector<std::string>& notes() const { return notes_; }
  // As Problems::holds().
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
  // The first of the keys that is there and not null; the first of all where none is.
  const char* key_of(std::initializer_list<const char*> keys) const;
  // Reads the numbers of heads and the head size. `hidden_size` 0: it could not be read.
  bool heads(int64_t hidden_size, const HeadKeys& keys, HeadShape& to);
  // Adds a problem and returns false where the head size is odd: rotary positions turn pairs.
  bool expect_even_heads(int64_t head_size);
  // Reads one of the names of activation_named(). Missing or null: `otherwise`.
  Activation activation(const char* key, Activation otherwise);
  // Reads the keys for rotary positions from the config and its "rope_scaling"; if that is missing,
  // null or empty, from "rope_parameters" instead. For longrope, `max_model_len` becomes at most
  // the trained length.
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
