// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets/gguf_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engine/model/quants/ggml_type.h"
#include "tests/engine/model/gguf/gguf_bytes.h"

namespace attn::fuzz {
namespace {

using enum GgufType;

constexpr uint64_t kMostDataBytes = 1 << 20;  // of a tensor that is changed

// Takes numbers and texts. Throws std::out_of_range at the end of the bytes.
class GgufTaker {
 public:
  explicit GgufTaker(std::string_view bytes) : bytes_(bytes) {}
  size_t at() const { return at_; }
  std::string take(uint64_t count) {
    if (count > bytes_.size() - at_) throw std::out_of_range("the end of the file");
    at_ += count;
    return std::string(bytes_.substr(at_ - count, count));
  }
  uint64_t number(size_t size) {
    uint64_t number = 0;
    std::memcpy(&number, take(size).data(), size);
    return number;
  }
  std::string text() { return take(number(8)); }
  GgufType type() {
    const uint64_t type = number(4);
    if (type >= kNumGgufTypes) throw std::out_of_range("a type");
    return static_cast<GgufType>(type);
  }
  GgufKey key() {
    GgufKey key{.name = text(), .type = type(), .element = kU8, .values = {}};
    const bool is_array = key.type == kArray;
    key.element = is_array ? type() : key.type;
    if (key.element == kArray) throw std::out_of_range("an array of arrays");
    for (uint64_t left = is_array ? number(8) : 1; left > 0; --left)
      key.values.push_back(key.element == kText ? text() : take(size_of(key.element)));
    return key;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// The bytes that the data of a tensor takes; nullopt where it takes too many.
std::optional<uint64_t> data_bytes(const GgufEntry& tensor) {
  const GgmlType* type = ggml_type(tensor.type);
  if (!type) return std::nullopt;
  double count = 1;
  for (const uint64_t axis : tensor.axes) count *= static_cast<double>(axis);
  const double bytes =
      count / static_cast<double>(type->block) * static_cast<double>(type->block_bytes);
  if (!(bytes <= static_cast<double>(kMostDataBytes))) return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

std::string number_bytes_of(GgufType type, double number) {
  const auto as = [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>) return number_bytes(static_cast<T>(number));
    const auto low = static_cast<double>(std::numeric_limits<T>::lowest()),
               high = static_cast<double>(std::numeric_limits<T>::max());
    if (!(number > low)) return number_bytes(std::numeric_limits<T>::lowest());
    return number_bytes(number >= high ? std::numeric_limits<T>::max() : static_cast<T>(number));
  };
  switch (type) {
    case kU8:
      return as(uint8_t{});
    case kI8:
      return as(int8_t{});
    case kU16:
      return as(uint16_t{});
    case kI16:
      return as(int16_t{});
    case kU32:
      return as(uint32_t{});
    case kI32:
      return as(int32_t{});
    case kU64:
      return as(uint64_t{});
    case kI64:
      return as(int64_t{});
    case kF32:
      return as(float{});
    case kF64:
      return as(double{});
    case kBool:
      return std::string(1, number == 0 ? '\0' : '\1');
    default:
      return std::to_string(static_cast<int>(std::clamp(number, -1e9, 1e9)));
  }
}

double number_of(GgufType type, const std::string& bytes) {
  if (type == kText) return static_cast<double>(bytes.size());
  if (type == kF32) {
    float number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  if (type == kF64) {
    double number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  int64_t number = 0;
  std::memcpy(&number, bytes.data(), bytes.size());
  return static_cast<double>(number);
}

double odd_value(double now, Random& random) {
  static constexpr double kNumbers[] = {-1,         0,    0.5,    2,    3,   5,        64, 4000,
                                        4294967295, 1e20, -1e300, 1e-9, 2e9, INFINITY, NAN};
  if (below(random, 3) != 0) return kNumbers[below(random, std::size(kNumbers))];
  const double near = std::abs(now) < 1e15 ? now : 0;
  return static_cast<double>(odd_number(random, static_cast<int64_t>(near)));
}

std::string odd_word(const std::string& now, Random& random) {
  static const char* const kWords[] = {"llama",     "qwen2",     "mpt",
                                       "gemma2",    "gpt2",      "t5",
                                       "t5encoder", "bert",      "rwkv",
                                       "none",      "linear",    "yarn",
                                       "longrope",  "su",        "default",
                                       "llama-bpe", "qwen2",     "falcon",
                                       "tekken",    "smollm",    "deepseek-coder",
                                       "",          "a b b",     "a",
                                       "ab",        " ",         "\u2581",
                                       "\u2581a",   "\u2581##b", "[UNK]",
                                       "[a]",       "<0x41>",    "<0xzz>",
                                       "\xff",      "a x",       "\u4e2d\u56fd",
                                       "bloom",     "gpt-4o",    "dbrx",
                                       "stablelm2", "gptneox",   "deepseek-v3"};
  switch (below(random, 8)) {
    case 0:
      return now + now;
    case 1:
      return now.substr(0, now.size() / 2);
    case 2:
      return now + " ";
    case 3:
      return std::string(size_t{1} << below(random, 13), 'x');
    default:
      return kWords[below(random, std::size(kWords))];
  }
}

std::string architecture_in(GgufParts& parts) {
  const GgufKey* key = parts.find("general.architecture");
  return key && !key->values.empty() ? key->values[0] : "llama";
}

// Gives the model another architecture and its keys the names that they have there.
void change_architecture(GgufParts& parts, Random& random) {
  static const char* const kNames[] = {"llama",   "qwen2",   "qwen3",  "qwen3moe",  "gemma",
                                       "gemma2",  "gemma3",  "phi3",   "olmo2",     "granite",
                                       "gpt2",    "gptneox", "bloom",  "falcon",    "mpt",
                                       "smollm3", "t5",      "mamba2", "t5encoder", ""};
  const std::string before = architecture_in(parts) + ".",
                    name = kNames[below(random, std::size(kNames))];
  for (GgufKey& key : parts.keys) {
    if (key.name == "general.architecture") key = text_key_of(key.name, name);
    if (key.name.starts_with(before)) key.name = name + "." + key.name.substr(before.size());
  }
}

// Adds or replaces a key that only few models have.
void set_rare_key(GgufParts& parts, Random& random) {
  struct Rare {
    const char* name;  // behind the architecture where it begins with a point
    GgufType type;
    double number;
  };
  static constexpr Rare kRare[] = {{".attention.sliding_window", kU32, 8},
                                   {".attention.sliding_window_pattern", kU32, 2},
                                   {".attention.head_count_kv", kU32, 1},
                                   {".attention.key_length", kU32, 4},
                                   {".attention.value_length", kU32, 4},
                                   {".attention.clamp_kqv", kF32, 3},
                                   {".attention.max_alibi_bias", kF32, 8},
                                   {".attention.causal", kBool, 0},
                                   {".attention.scale", kF64, 0.5},
                                   {".rope.dimension_count", kU32, 2},
                                   {".rope.scaling.type", kText, 0},
                                   {".rope.scaling.factor", kF32, 2},
                                   {".rope.scaling.original_context_length", kU32, 16},
                                   {".rope.scaling.attn_factor", kF32, 1},
                                   {".expert_count", kU32, 2},
                                   {".expert_used_count", kU16, 1},
                                   {".vocab_size", kI64, 8},
                                   {"general.alignment", kU32, 64},
                                   {"split.count", kU16, 2},
                                   {"split.no", kU16, 0},
                                   {"split.tensors.count", kI32, 3},
                                   {"tokenizer.ggml.model", kText, 0},
                                   {"tokenizer.ggml.pre", kText, 0},
                                   {"tokenizer.ggml.add_bos_token", kBool, 1},
                                   {"tokenizer.ggml.add_space_prefix", kBool, 0},
                                   {"tokenizer.ggml.remove_extra_whitespaces", kBool, 0},
                                   {"tokenizer.ggml.unknown_token_id", kI32, -1},
                                   {"tokenizer.ggml.eos_token_id", kU64, 2},
                                   {"tokenizer.ggml.eot_token_id", kU8, 1}};
  const Rare& rare = kRare[below(random, std::size(kRare))];
  const std::string name =
      rare.name[0] == '.' ? architecture_in(parts) + rare.name : std::string(rare.name);
  const double number = below(random, 3) == 0 ? odd_value(rare.number, random) : rare.number;
  GgufKey key = rare.type == kText ? text_key_of(name, odd_word("", random))
                                   : number_key_of(name, rare.type, number);
  if (GgufKey* there = parts.find(name))
    *there = std::move(key);
  else
    parts.keys.push_back(std::move(key));
}

void change_value(GgufKey& key, Random& random);

// Gives a value another type, with the same numbers as far as it can hold them.
void change_type(GgufKey& key, Random& random) {
  const auto type =
      below(random, 4) == 0 ? kArray : static_cast<GgufType>(below(random, kNumGgufTypes));
  if (type == kArray) {
    const bool is_array = key.type == kArray;
    if (is_array && (key.values.empty() || below(random, 8) == 0)) {
      key.element = kArray;  // arrays of arrays are refused; there is nothing in this one
      key.values.clear();
      return;
    }
    if (key.element == kArray) return;
    const std::string first = key.values[0];
    key.type = is_array ? key.element : kArray;
    key.values.assign(is_array ? 1 : below(random, 4), first);
    if (key.type == kArray && key.values.size() > 1 && below(random, 2) == 0)
      change_value(key, random);
    return;
  }
  for (std::string& value : key.values)
    value = number_bytes_of(type, number_of(key.element, value));
  key.element = type;
  if (key.type != kArray) key.type = type;
}

void change_value(GgufKey& key, Random& random) {
  if (key.values.empty()) return change_type(key, random);
  std::string& value = key.values[below(random, key.values.size())];
  if (key.element == kText)
    value = odd_word(value, random);
  else if (key.element == kBool)
    value[0] = static_cast<char>(below(random, 3));
  else
    value = number_bytes_of(key.element, odd_value(number_of(key.element, value), random));
}

void change_list(GgufKey& key, Random& random) {
  if (key.type != kArray || key.values.empty()) return change_value(key, random);
  const size_t at = below(random, key.values.size()), other = below(random, key.values.size());
  switch (below(random, 5)) {
    case 0:
      key.values.clear();
      break;
    case 1:
      key.values.erase(key.values.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 2:
      key.values[at] = std::string(key.values[other]);
      break;
    case 3:
      std::swap(key.values[at], key.values[other]);
      break;
    default: {
      // Arrays of numbers may be so long that they are not read through a buffer.
      const bool is_long = key.element != kText && below(random, 10) == 0;
      key.values.insert(key.values.end(), is_long ? 40'000 : 1, std::string(key.values[at]));
    }
  }
}

void change_key(GgufParts& parts, Random& random) {
  if (parts.keys.empty()) return set_rare_key(parts, random);
  size_t at = below(random, parts.keys.size());
  // Every second change is one of the vocabulary.
  for (size_t tries = below(random, 2) * 20; tries > 0; --tries)
    if (!parts.keys[at].name.starts_with("tokenizer.")) at = below(random, parts.keys.size());
  const GgufKey other = parts.keys[below(random, parts.keys.size())];
  GgufKey& key = parts.keys[at];
  switch (below(random, 12)) {
    case 0:
      parts.keys.erase(parts.keys.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 1:
      key.name = below(random, 2) == 0 ? other.name : odd_word(key.name, random);
      break;
    case 2:
      parts.keys.push_back(other);
      break;
    case 3:
    case 4:
      change_type(key, random);
      break;
    case 5:
      change_architecture(parts, random);
      break;
    case 6:
    case 7:
      change_list(key, random);
      break;
    case 8:
    case 9:
      set_rare_key(parts, random);
      break;
    default:
      change_value(key, random);
  }
}

void change_axes(GgufEntry& tensor, Random& random) {
  static constexpr uint64_t kLengths[] = {
      0, 1, 3, 5, 256, uint64_t{1} << 31, uint64_t{1} << 62, (uint64_t{1} << 62) + 1};
  if (tensor.axes.empty() || below(random, 4) == 0) {
    tensor.axes.push_back(1 + below(random, 2));
    return;
  }
  uint64_t& axis = tensor.axes[below(random, tensor.axes.size())];
  switch (below(random, 5)) {
    case 0:
      std::swap(axis, tensor.axes[below(random, tensor.axes.size())]);
      break;
    case 1:
      tensor.axes.pop_back();
      break;
    case 2:
      axis += below(random, 2) == 0 ? 1 : 32;
      break;
    case 3:
      tensor.axes.assign(4, uint64_t{1} << 40);
      break;
    default:
      axis = kLengths[below(random, std::size(kLengths))];
  }
}

void change_tensor(GgufParts& parts, Random& random) {
  static const char* const kNames[] = {"rope_freqs.weight",       "rope_factors_long.weight",
                                       "output.weight",           "blk.0.attn_norm_2.weight",
                                       "blk.0.attn_qkv.weight",   "blk.0.attn_q.bias",
                                       "blk.9.odd.weight",        "blk.0.ffn_gate_exps.weight",
                                       "enc.blk.0.ffn_up.weight", ""};
  if (parts.tensors.empty()) {
    parts.tensors.push_back(tensor_of("token_embd.weight", {2, 2}));
    return;
  }
  const size_t at = below(random, parts.tensors.size());
  const GgufEntry other = parts.tensors[below(random, parts.tensors.size())];
  GgufEntry& tensor = parts.tensors[at];
  const bool fits = below(random, 6) != 0;
  switch (below(random, 10)) {
    case 0:
      parts.tensors.erase(parts.tensors.begin() + static_cast<ptrdiff_t>(at));
      return;
    case 1:
      tensor.name = below(random, 4) == 0 ? other.name : kNames[below(random, std::size(kNames))];
      break;
    case 2:
      parts.tensors.push_back(other);
      parts.tensors.back().name = kNames[below(random, std::size(kNames))];
      return;
    case 3:
      tensor.moved = (below(random, 2) == 0 ? -1 : 1) * (int64_t{1} << below(random, 34));
      break;
    case 4:
      tensor.name = odd_word(tensor.name, random);
      break;
    case 5:
    case 6:
      tensor.type = static_cast<uint32_t>(below(random, 43));
      break;
    case 7:  // numbers that are not finite, and scales that are odd
      for (char& byte : tensor.data)
        if (below(random, 16) == 0) byte = static_cast<char>(below(random, 2) == 0 ? 0xFF : 0x7C);
      break;
    default:
      change_axes(tensor, random);
  }
  if (const std::optional<uint64_t> bytes = data_bytes(tensor); fits && bytes)
    tensor.data.resize(*bytes, '\1');
}

}  // namespace

std::string GgufParts::bytes() const {
  uint64_t alignment = 32;
  for (const GgufKey& key : keys)
    if (key.name == "general.alignment" && key.type == kU32)
      alignment =
          std::clamp<uint64_t>(static_cast<uint64_t>(number_of(key.type, key.values[0])), 1, 65536);
  const auto padded = [&](size_t size) { return (size + alignment - 1) / alignment * alignment; };
  std::string data, out = "GGUF" + number_bytes(version) +
                          number_bytes(tensors.size() + static_cast<uint64_t>(more_tensors)) +
                          number_bytes(keys.size() + static_cast<uint64_t>(more_keys));
  for (const GgufKey& key : keys) {
    std::string values;
    for (const std::string& value : key.values)
      values += key.element == kText ? text_bytes(value) : value;
    out += key.type == kArray
               ? array_key(key.name, static_cast<uint32_t>(key.element), key.values.size(), values)
               : key_bytes(key.name, static_cast<uint32_t>(key.type), values);
  }
  for (const GgufEntry& tensor : tensors) {
    out += tensor_bytes(tensor.name, tensor.axes, tensor.type,
                        data.size() + static_cast<uint64_t>(tensor.moved));
    data += tensor.data;
    data.resize(padded(data.size()));
  }
  out.resize(padded(out.size()));
  return out + data + tail;
}

GgufKey* GgufParts::find(std::string_view name) {
  const auto found = std::ranges::find(keys, name, &GgufKey::name);
  return found == keys.end() ? nullptr : &*found;
}

std::optional<GgufParts> gguf_parts(std::string_view bytes) {
  try {
    GgufTaker in(bytes);
    GgufParts parts;
    in.take(4);
    parts.version = static_cast<uint32_t>(in.number(4));
    const uint64_t tensors = in.number(8), keys = in.number(8);
    for (uint64_t i = 0; i < keys; ++i) parts.keys.push_back(in.key());
    std::vector<uint64_t> places;
    for (uint64_t i = 0; i < tensors; ++i) {
      GgufEntry tensor{.name = in.text(), .axes = {}, .type = 0, .data = {}};
      for (uint64_t axes = in.number(4); axes > 0; --axes) tensor.axes.push_back(in.number(8));
      tensor.type = static_cast<uint32_t>(in.number(4));
      places.push_back(in.number(8));
      parts.tensors.push_back(std::move(tensor));
    }
    uint64_t alignment = 32;
    if (const GgufKey* key = parts.find("general.alignment"); key && key->type == kU32)
      alignment = std::max<uint64_t>(1, static_cast<uint64_t>(number_of(kU32, key->values[0])));
    const uint64_t begin = (in.at() + alignment - 1) / alignment * alignment;
    for (size_t i = 0; i < places.size(); ++i) {
      const std::optional<uint64_t> size = data_bytes(parts.tensors[i]);
      if (!size || begin > bytes.size() || places[i] > bytes.size() - begin) return std::nullopt;
      parts.tensors[i].data = bytes.substr(begin + places[i], *size);
    }
    return parts;
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

GgufKey text_key_of(std::string name, std::string text) {
  return {std::move(name), kText, kText, {std::move(text)}};
}
GgufKey texts_key_of(std::string name, std::vector<std::string> texts) {
  return {std::move(name), kArray, kText, std::move(texts)};
}
GgufKey number_key_of(std::string name, GgufType type, double number) {
  return {std::move(name), type, type, {number_bytes_of(type, number)}};
}
GgufKey numbers_key_of(std::string name, GgufType type, const std::vector<double>& numbers) {
  GgufKey key{std::move(name), kArray, type, {}};
  for (const double number : numbers) key.values.push_back(number_bytes_of(type, number));
  return key;
}
GgufEntry tensor_of(std::string name, std::vector<uint64_t> axes, uint32_t type) {
  GgufEntry tensor{std::move(name), std::move(axes), type, {}};
  tensor.data.resize(data_bytes(tensor).value());
  return tensor;
}

std::string small_charsmap() {
  std::vector<uint32_t> units(512, 0);
  units[0] = 256u << 10;  // the unit of the next byte is at 256 ^ byte
  units[256 ^ 'a'] = 'a' | 1u << 8 | uint32_t{(256 ^ 'a') ^ 128} << 10;
  units[128] = 1u << 31;  // the text at 0
  units[128 ^ 'b'] = 'b' | 1u << 8 | uint32_t{(128 ^ 'b') ^ 64} << 10;
  units[64] = 1u << 31 | 2;
  std::string table = number_bytes(static_cast<uint32_t>(units.size() * sizeof units[0]));
  for (const uint32_t unit : units) table += number_bytes(unit);
  return table + std::string("b\0xyz\0", 6);
}

void change_parts(GgufParts& parts, Random& random) {
  static constexpr uint32_t kVersions[] = {0, 1, 2, 4, 0x01000000, 0x03000000};
  static constexpr int64_t kCounts[] = {-1, 1, 3, 1'000'000, int64_t{1} << 40};
  switch (below(random, 20)) {
    case 0:
      parts.version = kVersions[below(random, std::size(kVersions))];
      break;
    case 1:
      (below(random, 2) == 0 ? parts.more_keys : parts.more_tensors) =
          kCounts[below(random, std::size(kCounts))];
      break;
    case 2:
      parts.tail.resize(1 + below(random, 64));
      break;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
      change_tensor(parts, random);
      break;
    default:
      change_key(parts, random);
  }
}

}  // namespace attn::fuzz
