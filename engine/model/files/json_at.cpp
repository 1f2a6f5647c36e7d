// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/json_at.h"

#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/files/json.h"

namespace attn {

using Json = nlohmann::json;

JsonAt::JsonAt(const Json& value, std::string where, std::string path)
    : value_(&value), where_(std::move(where)), path_(std::move(path)) {}

bool JsonAt::has(std::string_view key) const {
  if (!value_->is_object()) return false;
  const auto found = value_->find(key);
  return found != value_->end() && !found->is_null();
}

JsonAt JsonAt::operator[](std::string_view key) const {
  expect_object();
  const auto found = value_->find(key);
  if (found == value_->end()) refuse("key is missing", fmt::format("no {}", quote_text(key)), "");
  return {*found, where_, path_ + path_step(key)};
}

JsonAt JsonAt::item(size_t index) const {
  expect_array();
  if (index >= value_->size())
    refuse("list is too short", fmt::format("{}", value_->size()),
           fmt::format("{} or more", index + 1));
  return {(*value_)[index], where_, fmt::format("{}[{}]", path_, index)};
}

void JsonAt::expect_object() const {
  if (!value_->is_object()) refuse("not an object", shown(), "an object");
}

void JsonAt::expect_array() const {
  if (!value_->is_array()) refuse("not an array", shown(), "an array");
}

const std::string& JsonAt::text() const {
  if (!value_->is_string()) refuse("not text", shown(), "a string");
  return value_->get_ref<const std::string&>();
}

bool JsonAt::boolean() const {
  if (!value_->is_boolean()) refuse("not true or false", shown(), "true, false");
  return value_->get<bool>();
}

int64_t JsonAt::whole(int64_t low, int64_t high) const {
  // The document keeps a number of 2^63 or more as unsigned; get<int64_t> would wrap it.
  const bool is_whole =
      value_->is_number_integer() && (!value_->is_number_unsigned() ||
                                      value_->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
  if (!is_whole || value_->get<int64_t>() < low || value_->get<int64_t>() > high)
    refuse("not a whole number in range", shown(), fmt::format("{} to {}", low, high));
  return value_->get<int64_t>();
}

double JsonAt::number(double low, double high) const {
  if (!value_->is_number() || !(value_->get<double>() >= low && value_->get<double>() <= high))
    refuse("not a number in range", shown(), fmt::format("{} to {}", low, high));
  return value_->get<double>();
}

void JsonAt::refuse(std::string what, std::string found, std::string allowed,
                    std::string advice) const {
  throw_bad_input(
      {std::move(what), place(), std::move(found), std::move(allowed), std::move(advice)});
}

void JsonAt::not_supported(std::string what, std::string found, std::string allowed,
                           std::string advice) const {
  throw Error(ErrorCode::kNotSupported,
              {std::move(what), place(), std::move(found), std::move(allowed), std::move(advice)});
}

std::string JsonAt::shown() const {
  if (value_->is_string()) return quote_text(value_->get_ref<const std::string&>());
  if (value_->is_object() || value_->is_array()) return value_->type_name();
  return value_->dump();
}

}  // namespace attn
