// SPDX-License-Identifier: GPL-3.0-or-later
// JsonWriter: writes JSON as text, one value after another. It builds no document. One thread.
//
//   JsonWriter json;
//   json.begin_object().put("step", 3).key("blocks").begin_array().value(7).end_array();
//   json.end_object();                        // {"step":3,"blocks":[7]}
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

// `text` as a JSON string with its quotes. Malformed UTF-8 becomes U+FFFD.
std::string json_text(std::string_view text);

class JsonWriter {
 public:
  // indent: spaces per level; -1: all in one line.
  explicit JsonWriter(int indent = -1) : indent_(indent) {}

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }

  // Writes the name of a member. In an object it comes before each value.
  JsonWriter& key(std::string_view name);

  JsonWriter& null() { return raw("null"); }
  JsonWriter& value(std::string_view text) { return raw(json_text(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::same_as<bool> auto yes) { return raw(yes ? "true" : "false"); }
  JsonWriter& value(double number);  // NaN and infinite numbers become null
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonWriter& value(T number) {
    return raw(std::to_string(number));
  }
  template <std::ranges::input_range T>
  requires(!std::convertible_to<T, std::string_view>) JsonWriter& value(const T& list) {
    begin_array();
    for (const auto& item : list) value(item);
    return end_array();
  }
  template <class T>
  JsonWriter& put(std::string_view name, const T& field) {
    return key(name).value(field);
  }

  const std::string& text() const { return text_; }
  std::string take() && { return std::move(text_); }

 private:
  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);
  JsonWriter& raw(std::string_view text);
  void before_value();
  void new_line();

  int indent_;
  int depth_ = 0;
  bool is_first_ = true, after_key_ = false;
  std::string text_;
};

}  // namespace attn
