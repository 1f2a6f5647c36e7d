// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/config_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/core/limits.h"

namespace attn {

bool ConfigReader::size(const char* key, int64_t most, int64_t& to, int64_t otherwise) {
  return holds(
      [&] { to = otherwise > 0 && !root_.has(key) ? otherwise : root_[key].whole(1, most); });
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

bool ConfigReader::heads(int64_t hidden_size, int64_t default_kv_heads, HeadShape& to) {
  if (!size("num_attention_heads", kMostHeads, to.heads)) return false;
  const char* kv_key = "num_key_value_heads";
  const bool left_out = !root_.json().contains(kv_key) && default_kv_heads > 0;
  bool ok = size(kv_key, kMostHeads, to.kv_heads, left_out ? default_kv_heads : to.heads);
  ok = ok && holds([&] {
         if (to.heads % to.kv_heads != 0)
           (root_.has(kv_key) ? root_[kv_key] : root_)
               .refuse("the number of KV heads does not divide the number of query heads",
                       fmt::format("{} query and {} KV heads", to.heads, to.kv_heads),
                       "a number that divides num_attention_heads");
       });
  if (hidden_size == 0 && !root_.has("head_dim")) return false;  // already reported
  return holds([&] {
           if (root_.has("head_dim")) {
             to.size = root_["head_dim"].whole(1, kMostHeadSize);
             return;
           }
           to.size = hidden_size / to.heads;
           if (hidden_size % to.heads != 0 || to.size > kMostHeadSize)
             root_["hidden_size"].refuse(
                 "head size is not a whole number in range",
                 fmt::format("{} / {} heads", hidden_size, to.heads),
                 fmt::format("a whole quotient from 1 to {}, or a head_dim", kMostHeadSize));
         }) &&
         ok;
}

bool ConfigReader::expect_even_heads(int64_t head_size) {
  return holds([&] {
    if (head_size % 2 != 0)
      root_[root_.has("head_dim") ? "head_dim" : "hidden_size"].refuse(
          "head size is odd", fmt::format("{}", head_size), "an even number",
          "Rotary positions rotate pairs of elements");
  });
}

Activation ConfigReader::activation(const char* key, const std::vector<std::string>& allowed) {
  Activation result = activation_named(allowed.front()).value_or(Activation::kSilu);
  holds([&] {
    if (!root_.has(key)) return;
    const JsonAt name = root_[key];
    if (std::ranges::find(allowed, name.text()) == allowed.end())
      name.not_supported("activation is not supported", name.shown(),
                         fmt::format("\"{}\"", fmt::join(allowed, "\", \"")));
    result = activation_named(name.text()).value_or(result);
  });
  return result;
}

RotaryConfig ConfigReader::rotary(int64_t head_size, int64_t max_positions) {
  RotaryConfig result{.size = head_size};
  const auto theta = [&](const JsonAt& at) {
    if (at.has("rope_theta")) result.theta = at["rope_theta"].number(1e-3, 1e12);
  };
  const char* const key = root_.has("rope_scaling") && root_["rope_scaling"].size() > 0
                              ? "rope_scaling"
                              : "rope_parameters";
  holds([&] { theta(root_); });
  if (root_.has(key))
    holds([&] {
      const JsonAt rope = root_[key];
      rope.expect_object();
      theta(rope);
      read_scaling(rope, max_positions, result);
      for (const auto& [name, value] : rope.json().items())
        if (value.is_object())
          rope[name].not_supported("rotary positions that differ by layer are not supported",
                                   rope[name].shown(), "one set for all layers");
      note_partial(rope);
    });
  note_partial(root_);
  return result;
}

void ConfigReader::read_scaling(const JsonAt& rope, int64_t max_positions, RotaryConfig& to) {
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
  if (type == "linear")
    to.scaling = RotaryScaling::kLinear;
  else if (type == "llama3")
    to.scaling = RotaryScaling::kLlama3;
  else if (type == "yarn")
    to.scaling = RotaryScaling::kYarn;
  else
    rope[type_key].not_supported(
        "rotary positions scaled in this way are not supported", rope[type_key].shown(),
        "\"default\", \"linear\", \"llama3\", \"yarn\"",
        type == "dynamic" ? "Their frequencies change while a text grows, but keys in the cache "
                            "were rotated by earlier ones"
                          : "");
  for (const JsonAt& at : {rope, root_})
    if (at.has("partial_rotary_factor") && at["partial_rotary_factor"].json() != 1)
      at["partial_rotary_factor"].not_supported(
          "scaled rotary positions that rotate only a part of each head are not supported",
          at["partial_rotary_factor"].shown(), "1");
  to.factor = rope["factor"].number(1e-3, 1e6);
  if (type == "linear") return;
  const char* const length_key = "original_max_position_embeddings";
  to.trained_length = root_.has(length_key)  ? root_[length_key].whole(1, kMostPositions)
                      : rope.has(length_key) ? rope[length_key].whole(1, kMostPositions)
                                             : max_positions;
  if (type == "llama3") {
    to.low_frequency = rope["low_freq_factor"].number(1e-6, 1e6);
    to.high_frequency = rope["high_freq_factor"].number(1e-6, 1e6);
    if (to.high_frequency <= to.low_frequency)
      rope["high_freq_factor"].refuse("the range of frequencies is empty",
                                      rope["high_freq_factor"].shown(),
                                      "a number above low_freq_factor");
    return;
  }
  // With 0, transformers takes the default.
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
