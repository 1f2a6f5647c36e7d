// SPDX-License-Identifier: GPL-3.0-or-later
// The metadata of a GGUF file: values by key, each with its type and its place in the file. Any
// thread. The functions that read a value throw Error(kBadInput) with file and key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attn {

// The types of values in a GGUF file, with the numbers that the format gives them.
enum class GgufType : uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kText,
  kArray,
  kU64,
  kI64,
  kF64,
};
inline constexpr uint32_t kNumGgufTypes = 13;
const char* name_of(GgufType type);  // "u32"
// Bytes of a number or truth value; 0 for texts and arrays, whose length differs.
size_t size_of(GgufType type);

struct GgufValue {
  std::string key;
  uint64_t at = 0;  // byte of the file where the key begins
  GgufType type = GgufType::kU8;
  GgufType element = GgufType::kU8;  // of an array; otherwise the same as `type`
  uint64_t count = 1;                // elements of an array; 1 for another type
  std::string bytes;                 // numbers or truth values, little endian, or the text
  std::vector<std::string> texts;    // those of an array of texts
};

class GgufMetadata {
 public:
  // file: its name, for messages.
  explicit GgufMetadata(std::string file = "") : file_(std::move(file)) {}
  // Throws Error(kBadInput) where the key is there already.
  void add(GgufValue value);

  const std::string& file() const { return file_; }
  const std::vector<GgufValue>& values() const { return values_; }  // in file order
  const GgufValue* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }

  // The value of a key, which must be there, of the kind that the function names, and in [low,
  // high] where the function has these. Whole numbers may have any of the eight integer types;
  // numbers may be f32, f64 or whole.
  int64_t whole(std::string_view key, int64_t low, int64_t high) const;
  double number(std::string_view key, double low, double high) const;
  bool flag(std::string_view key) const;
  const std::string& text(std::string_view key) const;
  const std::vector<std::string>& texts(std::string_view key) const;
  std::vector<int64_t> wholes(std::string_view key, int64_t low, int64_t high) const;
  std::vector<float> numbers(std::string_view key) const;
  const std::string& byte_array(std::string_view key) const;

  // The value as one line for a reader: `"a text"`, `12`, `u32[3]: 1, 2, 3`. It shows at most the
  // first `most` elements of an array, and the beginning of a long text.
  static std::string shown(const GgufValue& value, size_t most = 8);
  [[noreturn]] void refuse(std::string_view key, std::string what, std::string found,
                           std::string allowed, std::string advice = "") const;

 private:
  const GgufValue& expect(std::string_view key, bool (*fits)(GgufType), bool is_array,
                          const char* allowed) const;
  std::string place_of(std::string_view key) const;

  std::string file_;
  std::vector<GgufValue> values_;
  std::unordered_map<std::string, size_t> index_;  // key -> place in values_
};

}  // namespace attn
