// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/files/json_writer.h"

#include <nlohmann/json.hpp>

namespace attn {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  text_ += json_text(name);
  text_ += indent_ < 0 ? ":" : ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  return raw(nlohmann::json(number).dump());
}

JsonWriter& JsonWriter::begin(char bracket) {
  before_value();
  text_ += bracket;
  ++depth_;
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  --depth_;
  if (!is_first_) new_line();
  text_ += bracket;
  is_first_ = false;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  before_value();
  text_ += text;
  return *this;
}

void JsonWriter::before_value() {
  if (std::exchange(after_key_, false)) return;
  if (!is_first_) text_ += ',';
  is_first_ = false;
  if (depth_ > 0) new_line();
}

void JsonWriter::new_line() {
  if (indent_ < 0) return;
  text_ += '\n';
  text_.append(static_cast<size_t>(depth_) * static_cast<size_t>(indent_), ' ');
}

}  // namespace attn
