// SPDX-License-Identifier: GPL-3.0-or-later
// JsonWriter: JSON as text, one value after another. No document is built: one takes many times the
// memory of its text, and the destructor of the JSON library takes memory itself and ends the
// program where there is none. The text is that of the library's dump(). One thread.
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

// In JSON, with its quotes; bytes that are not UTF-8 become the replacement character.
std::string json_text(std::string_view text);

class JsonWriter {
 public:
  // indent: spaces for each level, each value on a line of its own; -1: all in one line.
  explicit JsonWriter(int indent = -1) : indent_(indent) {}

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }

  // Writes the name of a member. Inside an object it must come before each value.
  JsonWriter& key(std::string_view name);

  JsonWriter& null() { return raw("null"); }
  JsonWriter& value(std::string_view text) { return raw(json_text(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(std::same_as<bool> auto yes) { return raw(yes ? "true" : "false"); }
  JsonWriter& value(double number);  // null: NaN or infinite
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
