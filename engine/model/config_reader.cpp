// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/config_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/core/limits.h"

namespace attn {

bool ConfigReader::size(const char* key, int64_t most, int64_t& to, int64_t otherwise) {
  return holds([&] {
    const bool takes_default = otherwise > 0 && !root_.has(key);
    if (takes_default && otherwise > most)
      root_.refuse(fmt::format("{} is missing, and its default is too large", key),
                   fmt::format("{}", otherwise), fmt::format("1 to {}", most));
    to = takes_default ? otherwise : root_[key].whole(1, most);
  });
}

bool ConfigReader::number(const char* key, double low, double high, float& to) {
  return holds([&] {
    if (root_.has(key)) to = static_cast<float>(root_[key].number(low, high));
  });
}

bool ConfigReader::flag(const char* key, bool& to) {
  return holds([&] {
    if (root_.has(key)) to = root_[key].boolean();
  });
}

void ConfigReader::expect(std::initializer_list<const char*> keys, bool wanted, const char* what) {
  for (const char* key : keys)
    holds([&] {
      if (root_.has(key) && root_[key].boolean() != wanted)
        root_[key].not_supported(what, root_[key].shown(), wanted ? "true" : "false");
    });
}

const char* ConfigReader::key_of(std::initializer_list<const char*> keys) const {
  for (const char* key : keys)
    if (root_.has(key)) return key;
  return *keys.begin();
}

bool ConfigReader::heads(int64_t hidden_size, const HeadKeys& keys, HeadShape& to) {
  if (!size(keys.heads, kMostHeads, to.heads, keys.default_heads)) return false;
  bool ok = true;
  to.kv_heads = to.heads;
  if (keys.kv_heads) {
    const bool left_out = !root_.json().contains(keys.kv_heads) && keys.default_kv_heads > 0;
    ok = size(keys.kv_heads, kMostHeads, to.kv_heads, left_out ? keys.default_kv_heads : to.heads);
    ok = ok && holds([&] {
           if (to.heads % to.kv_heads != 0)
             (root_.has(keys.kv_heads) ? root_[keys.kv_heads] : root_)
                 .refuse("the number of KV heads does not divide the number of query heads",
                         fmt::format("{} query and {} KV heads", to.heads, to.kv_heads),
                         fmt::format("a number that divides {}", keys.heads));
         });
  }
  const bool has_size = keys.size && root_.has(keys.size);
  to.size = keys.default_size;
  if (hidden_size == 0 && !has_size && to.size == 0) return false;  // already reported
  return holds([&] {
           if (has_size) to.size = root_[keys.size].whole(1, kMostHeadSize);
           if (to.size > 0) return;
           to.size = hidden_size / to.heads;
           if (hidden_size % to.heads != 0 || to.size > kMostHeadSize)
             (root_.has(keys.width) ? root_[keys.width] : root_)
                 .refuse("head size is not a whole number in range",
                         fmt::format("width {} / {} heads", hidden_size, to.heads),
                         fmt::format("a whole quotient from 1 to {}{}", kMostHeadSize,
                                     keys.size ? fmt::format(", or a {}", keys.size) : ""));
         }) &&
         ok;
}

bool ConfigReader::expect_even_heads(int64_t head_size) {
  return holds([&] {
    if (head_size % 2 != 0)
      (root_.has("head_dim")      ? root_["head_dim"]
       : root_.has("hidden_size") ? root_["hidden_size"]
                                  : root_)
          .refuse("head size is odd", fmt::format("{}", head_size), "an even number",
                  "Rotary positions rotate pairs of elements");
  });
}

Activation ConfigReader::activation(const char* key, Activation otherwise) {
  holds([&] {
    if (!root_.has(key)) return;
    const JsonAt name = root_[key];
    const std::optional<Activation> named = activation_named(name.text());
    if (!named)
      name.not_supported("activation is not supported", name.shown(),
                         "\"silu\", \"gelu\", \"gelu_new\", \"gelu_pytorch_tanh\", "
                         "\"quick_gelu\", \"relu\"");
    otherwise = *named;
  });
  return otherwise;
}

RotaryConfig ConfigReader::rotary(int64_t head_size, int64_t& max_model_len,
                                  const RotaryKeys& keys) {
  RotaryConfig result{.size = head_size, .theta = keys.default_theta};
  const auto theta = [&](const JsonAt& at, const char* key) {
    if (at.has(key)) result.theta = at[key].number(1e-3, 1e12);
  };
  const bool has_scaling = root_.has("rope_scaling") && root_["rope_scaling"].size() > 0;
  const char* const key = has_scaling ? "rope_scaling" : "rope_parameters";
  holds([&] { theta(root_, keys.theta); });
  if (keys.layer_kind) {
    holds([&] { read_of_kind(keys, max_model_len, result); });
    if (result.scaling == RotaryScaling::kNone) note_partial(root_);
    return result;
  }
  if (keys.partial) holds([&] { result.size = rotary_size(key, keys, head_size); });
  if (root_.has(key))
    holds([&] {
      const JsonAt rope = root_[key];
      rope.expect_object();
      theta(rope, "rope_theta");
      read_scaling(rope, keys, max_model_len, result);
      for (const auto& [name, value] : rope.json().items())
        if (value.is_object())
          rope[name].not_supported("rotary positions that differ by layer are not supported",
                                   rope[name].shown(), "one set for all layers");
      if (!keys.partial) note_partial(rope);
    });
  if (!keys.partial) note_partial(root_);
  return result;
}

// For layers of the kind "full_attention", a "rope_scaling" with a rope_type takes the place of the
// scaling in "rope_parameters". A "rope_scaling" without a rope_type, such as one with only the
// older key "type", has no effect.
void ConfigReader::read_of_kind(const RotaryKeys& keys, int64_t& max_model_len, RotaryConfig& to) {
  const auto theta = [&](const JsonAt& rope) {
    rope.expect_object();
    if (rope.has("rope_theta")) to.theta = rope["rope_theta"].number(1e-3, 1e12);
  };
  const char *const parameters = "rope_parameters", *const scaling = "rope_scaling";
  const bool is_full = std::string_view(keys.layer_kind) == "full_attention";
  bool is_scaled = is_full && root_.has(scaling) && root_[scaling].size() > 0;
  if (is_scaled && !root_[scaling].has("rope_type")) {
    note(
        fmt::format("{} ({}) has no effect without a rope_type.", scaling, root_[scaling].shown()));
    is_scaled = false;
  }
  if (root_.has(parameters)) root_[parameters].expect_object();
  if (root_.has(parameters) && root_[parameters].has(keys.layer_kind)) {
    const JsonAt rope = root_[parameters][keys.layer_kind];
    theta(rope);
    if (!is_scaled) read_scaling(rope, keys, max_model_len, to);
  }
  if (!is_scaled) return;
  theta(root_[scaling]);
  read_scaling(root_[scaling], keys, max_model_len, to);
}

int64_t ConfigReader::rotary_size(const char* rope_key, const RotaryKeys& keys, int64_t head_size) {
  const char* const newer = "partial_rotary_factor";
  const bool in_rope = root_.has(rope_key) && root_[rope_key].has(newer);
  const bool in_root = root_.has(keys.partial);
  const JsonAt at = in_rope ? root_[rope_key][newer] : in_root ? root_[keys.partial] : root_;
  const double share = in_rope || in_root ? at.number(0, 1) : keys.default_partial;
  const auto turned = static_cast<int64_t>(static_cast<double>(head_size) * share);
  if (turned < 2 || turned % 2 != 0)
    at.refuse("the rotated part of a head has an odd number of elements, or none",
              fmt::format("{} of {} elements", turned, head_size), "an even number, 2 or more",
              "Rotary positions rotate pairs of elements");
  return turned;
}

void ConfigReader::read_scaling(const JsonAt& rope, const RotaryKeys& keys, int64_t& max_model_len,
                                RotaryConfig& to) {
  const char* const type_key = rope.has("rope_type") ? "rope_type" : "type";
  if (!rope.has(type_key)) {
    if (rope.has("factor"))
      rope.not_supported("scaled rotary positions without a type are not supported", rope.shown(),
                         "null, or a rope_type");
    return;
  }
  const std::string type = rope[type_key].text();
  if (type == "default") return;
  const auto read = [&](const char* key, double low, double high, double otherwise) {
    return rope.has(key) ? rope[key].number(low, high) : otherwise;
  };
  const bool is_longrope =
      type == "longrope" || (keys.all_scalings_are_longrope && (type == "su" || type == "yarn"));
  if (is_longrope)
    to.scaling = RotaryScaling::kLongrope;
  else if (type == "linear")
    to.scaling = RotaryScaling::kLinear;
  else if (type == "dynamic")
    to.scaling = RotaryScaling::kDynamic;
  else if (type == "llama3")
    to.scaling = RotaryScaling::kLlama3;
  else if (type == "yarn")
    to.scaling = RotaryScaling::kYarn;
  else
    rope[type_key].not_supported(
        "rotary positions scaled in this way are not supported", rope[type_key].shown(),
        "\"default\", \"linear\", \"dynamic\", \"llama3\", \"longrope\", \"yarn\"");
  if (!keys.partial)
    for (const JsonAt& at : {rope, root_})
      if (at.has("partial_rotary_factor") && at["partial_rotary_factor"].json() != 1)
        at["partial_rotary_factor"].not_supported(
            "scaled rotary positions that rotate only a part of each head are not supported",
            at["partial_rotary_factor"].shown(), "1");
  if (is_longrope) return read_longrope(rope, keys, max_model_len, to);
  to.factor = rope["factor"].number(1e-3, 1e6);
  if (type == "linear") return;
  const char* const length_key = "original_max_position_embeddings";
  to.trained_length = max_model_len;
  if (type == "dynamic") {
    // Dynamic scaling has an effect only in sequences longer than max_model_len; there are none.
    note(fmt::format(
        "Sequences are limited to {} tokens. Dynamic scaling would rotate the keys of longer ones "
        "by other angles than the keys that are in the cache already.",
        max_model_len));
    return;
  }
  // In a model whose kinds of layers have rotary positions of their own, this key counts only in
  // `rope`.
  const bool in_root = !keys.layer_kind && root_.has(length_key);
  to.trained_length = in_root                ? root_[length_key].whole(1, kMostPositions)
                      : rope.has(length_key) ? rope[length_key].whole(1, kMostPositions)
                                             : max_model_len;
  if (type == "llama3") {
    to.low_frequency = rope["low_freq_factor"].number(1e-6, 1e6);
    to.high_frequency = rope["high_freq_factor"].number(1e-6, 1e6);
    if (to.high_frequency <= to.low_frequency)
      rope["high_freq_factor"].refuse("the range of frequencies is empty",
                                      rope["high_freq_factor"].shown(),
                                      "a number above low_freq_factor");
    return;
  }
  // A key that is missing, null or 0 keeps the default.
  const auto or_default = [&](const char* key, double& value) {
    const double read_value = read(key, 0, 1e6, value);
    if (read_value != 0) value = read_value;
  };
  or_default("beta_fast", to.beta_fast);
  or_default("beta_slow", to.beta_slow);
  if (rope.has("attention_factor")) to.attention_factor = rope["attention_factor"].number(0, 1e6);
  if (rope.has("mscale")) to.mscale = rope["mscale"].number(0, 1e6);
  if (rope.has("mscale_all_dim")) to.mscale_all_dim = rope["mscale_all_dim"].number(0, 1e6);
  if (rope.has("truncate")) to.truncate = rope["truncate"].boolean();
}

// Longrope has two lists of factors: one for texts of at most the trained length, one for longer
// texts. Only the first is read, and `max_model_len` becomes at most the trained length.
void ConfigReader::read_longrope(const JsonAt& rope, const RotaryKeys& keys, int64_t& max_model_len,
                                 RotaryConfig& to) {
  const char* const length_key = "original_max_position_embeddings";
  const int64_t otherwise =
      keys.default_trained_length > 0 ? keys.default_trained_length : max_model_len;
  to.trained_length = !keys.layer_kind && root_.has(length_key)
                          ? root_[length_key].whole(2, kMostPositions)
                      : rope.has(length_key) && keys.default_trained_length == 0
                          ? rope[length_key].whole(2, kMostPositions)
                          : otherwise;
  to.factor = rope.has("factor")
                  ? rope["factor"].number(1e-3, 1e6)
                  : static_cast<double>(max_model_len) / static_cast<double>(to.trained_length);
  if (rope.has("attention_factor")) to.attention_factor = rope["attention_factor"].number(0, 1e6);
  const JsonAt factors = rope["short_factor"];
  factors.expect_array();
  if (static_cast<int64_t>(factors.size()) != to.size / 2)
    factors.refuse("the number of factors is not the number of rotated pairs",
                   fmt::format("{} factors", factors.size()), fmt::format("{}", to.size / 2));
  // A bad entry ends this function, but the config is read on. So to.factors must not get a part of
  // the list.
  std::vector<float> read;
  for (size_t i = 0; i < factors.size(); ++i)
    read.push_back(static_cast<float>(factors.item(i).number(1e-6, 1e6)));
  to.factors = std::move(read);
  if (to.trained_length >= max_model_len) return;
  note(fmt::format(
      "Sequences are limited to {} tokens instead of {}. The rotary positions of longer ones have "
      "other factors, and the keys that are in the cache already would not have them.",
      to.trained_length, max_model_len));
  max_model_len = to.trained_length;
}

void ConfigReader::note_partial(const JsonAt& at) {
  const char* key = "partial_rotary_factor";
  if (at.has(key) && at[key].json() != 1)
    note(fmt::format(
        "{} ({}) has no effect, because a {} model without scaled positions rotates the whole "
        "head.",
        key, at[key].shown(), model_type_));
}

void ConfigReader::expect_causal() {
  holds([&] {
    if (!root_.json().contains("is_causal")) return;
    const JsonAt causal = root_["is_causal"];
    if (causal.is_null() || !causal.boolean())
      causal.not_supported("a model whose tokens see later tokens is not supported", causal.shown(),
                           "true", "Such a model is an encoder and does not generate text");
  });
}

}  // namespace attn
