// SPDX-License-Identifier: GPL-3.0-or-later
// JsonAt: a JSON value with its file and path for error messages. It points into the parsed
// document, which must outlive it. Any thread. Errors: kBadInput, or kNotSupported from
// not_supported().
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace attn {

class JsonAt {
 public:
  JsonAt(const nlohmann::json& value, std::string where, std::string path = "$");

  const nlohmann::json& json() const { return *value_; }
  bool is_null() const { return value_->is_null(); }
  bool has(std::string_view key) const;  // present and not null; false when this is no object
  JsonAt operator[](std::string_view key) const;
  JsonAt item(size_t index) const;  // throws where this is no array, or a shorter one
  size_t size() const { return value_->size(); }

  void expect_object() const;
  void expect_array() const;
  const std::string& text() const;
  bool boolean() const;
  int64_t whole(int64_t low, int64_t high) const;  // [low, high]
  double number(double low, double high) const;    // [low, high]

  [[noreturn]] void refuse(std::string what, std::string found, std::string allowed,
                           std::string advice = "") const;
  [[noreturn]] void not_supported(std::string what, std::string found, std::string allowed,
                                  std::string advice = "") const;
  std::string place() const { return where_ + ", " + path_; }  // for messages
  // The value as text for a message: a string in quotes, shortened if it is long, "object" or
  // "array" for these, otherwise the value as JSON.
  std::string shown() const;

 private:
  const nlohmann::json* value_;
  std::string where_, path_;
};

}  // namespace attn
