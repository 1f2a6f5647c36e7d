// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the bytes of a GGUF file piece by piece, so that a test can make any piece wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

template <class T>
std::string number_bytes(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}
inline std::string text_bytes(std::string_view text) {
  return number_bytes<uint64_t>(text.size()) + std::string(text);
}

// A key with a value: `type` as in the format, `value` its bytes.
inline std::string key_bytes(std::string_view key, uint32_t type, const std::string& value) {
  return text_bytes(key) + number_bytes(type) + value;
}
inline std::string u32_key(std::string_view key, uint32_t value) {
  return key_bytes(key, 4, number_bytes(value));
}
inline std::string f32_key(std::string_view key, float value) {
  return key_bytes(key, 6, number_bytes(value));
}
inline std::string text_key(std::string_view key, std::string_view value) {
  return key_bytes(key, 8, text_bytes(value));
}
inline std::string array_key(std::string_view key, uint32_t element, uint64_t count,
                             const std::string& elements) {
  return key_bytes(key, 9, number_bytes(element) + number_bytes(count) + elements);
}

// An entry of the table of tensors; `axes` in the order of the file, the fastest first.
inline std::string tensor_bytes(std::string_view name, const std::vector<uint64_t>& axes,
                                uint32_t type, uint64_t offset) {
  std::string bytes = text_bytes(name) + number_bytes(static_cast<uint32_t>(axes.size()));
  for (const uint64_t axis : axes) bytes += number_bytes(axis);
  return bytes + number_bytes(type) + number_bytes(offset);
}

struct GgufBytesOf {
  uint32_t version = 3;
  std::vector<std::string> keys, tensors;
  std::string data;
  size_t alignment = 32;

  std::string head(uint64_t num_tensors, uint64_t num_keys) const {
    return "GGUF" + number_bytes(version) + number_bytes(num_tensors) + number_bytes(num_keys);
  }
  std::string bytes() const {
    std::string out = head(tensors.size(), keys.size());
    for (const std::string& key : keys) out += key;
    for (const std::string& tensor : tensors) out += tensor;
    out.resize((out.size() + alignment - 1) / alignment * alignment, '\0');
    return out + data;
  }
};

}  // namespace attn
