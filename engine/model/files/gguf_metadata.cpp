// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/files/gguf_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"

namespace attn {
namespace {

template <class T>
T element_at(const GgufValue& value, uint64_t i) {
  T result;
  std::memcpy(&result, value.bytes.data() + i * sizeof(T), sizeof(T));
  return result;
}

// Whole number `i`; nullopt where it is above 2^63 - 1, or `type` is not a type of whole numbers.
std::optional<int64_t> whole_at(const GgufValue& value, GgufType type, uint64_t i) {
  using enum GgufType;
  switch (type) {
    case kU8:
      return element_at<uint8_t>(value, i);
    case kI8:
      return element_at<int8_t>(value, i);
    case kU16:
      return element_at<uint16_t>(value, i);
    case kI16:
      return element_at<int16_t>(value, i);
    case kU32:
      return element_at<uint32_t>(value, i);
    case kI32:
      return element_at<int32_t>(value, i);
    case kI64:
      return element_at<int64_t>(value, i);
    case kU64: {
      const auto number = element_at<uint64_t>(value, i);
      if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
      return static_cast<int64_t>(number);
    }
    default:
      return std::nullopt;
  }
}

double number_at(const GgufValue& value, GgufType type, uint64_t i) {
  using enum GgufType;
  if (type == kF32) return element_at<float>(value, i);
  if (type == kF64) return element_at<double>(value, i);
  if (type == kU64) return static_cast<double>(element_at<uint64_t>(value, i));
  return static_cast<double>(whole_at(value, type, i).value_or(0));
}

std::string shown_at(const GgufValue& value, GgufType type, uint64_t i) {
  using enum GgufType;
  if (type == kText) return quote_text(value.texts[i]);
  if (type == kBool) return value.bytes[i] ? "true" : "false";
  if (type == kF32) return fmt::format("{}", element_at<float>(value, i));
  if (type == kF64) return fmt::format("{}", element_at<double>(value, i));
  if (type == kU64) return fmt::format("{}", element_at<uint64_t>(value, i));
  return fmt::format("{}", whole_at(value, type, i).value_or(0));
}

bool is_whole(GgufType type) {
  using enum GgufType;
  return type != kF32 && type != kF64 && type != kBool && type != kText && type != kArray;
}
bool is_number(GgufType type) {
  return is_whole(type) || type == GgufType::kF32 || type == GgufType::kF64;
}
bool is_bool(GgufType type) {
  return type == GgufType::kBool;
}
bool is_text(GgufType type) {
  return type == GgufType::kText;
}
bool is_byte(GgufType type) {
  return type == GgufType::kU8 || type == GgufType::kI8;
}

// The type of a value in words: "an array of 3 u32".
std::string type_text(const GgufValue& value) {
  if (value.type != GgufType::kArray) return name_of(value.type);
  return fmt::format("an array of {} {}", value.count, name_of(value.element));
}

}  // namespace

const char* name_of(GgufType type) {
  constexpr std::array<const char*, kNumGgufTypes> kNames = {
      "u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "text", "array", "u64", "i64", "f64"};
  return kNames[static_cast<size_t>(type)];
}

size_t size_of(GgufType type) {
  constexpr std::array<size_t, kNumGgufTypes> kSizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return kSizes[static_cast<size_t>(type)];
}

void GgufMetadata::add(GgufValue value) {
  const auto [entry, is_new] = index_.try_emplace(value.key, values_.size());
  if (!is_new)
    throw_bad_input({"key is given twice", fmt::format("{}, byte {}", file_, value.at),
                     quote_text(value.key), "each key once",
                     fmt::format("The first one is at byte {}", values_[entry->second].at)});
  values_.push_back(std::move(value));
}

const GgufValue* GgufMetadata::find(std::string_view key) const {
  const auto entry = index_.find(std::string(key));
  return entry == index_.end() ? nullptr : &values_[entry->second];
}

std::string GgufMetadata::place_of(std::string_view key) const {
  const GgufValue* value = find(key);
  return value ? fmt::format("{}, byte {}, {}", file_, value->at, escape_unprintable(key))
               : fmt::format("{}, metadata", file_);
}

void GgufMetadata::refuse(std::string_view key, std::string what, std::string found,
                          std::string allowed, std::string advice) const {
  throw_bad_input(
      {std::move(what), place_of(key), std::move(found), std::move(allowed), std::move(advice)});
}

const GgufValue& GgufMetadata::expect(std::string_view key, bool (*fits)(GgufType), bool is_array,
                                      const char* allowed) const {
  const GgufValue* value = find(key);
  if (!value) refuse(key, "key is missing", fmt::format("no {}", key), allowed);
  const GgufType type = is_array ? value->element : value->type;
  if (is_array != (value->type == GgufType::kArray) || !fits(type))
    refuse(key, "value has another type", type_text(*value), allowed);
  return *value;
}

int64_t GgufMetadata::whole(std::string_view key, int64_t low, int64_t high) const {
  const GgufValue& value = expect(key, is_whole, false, "a whole number");
  const std::optional<int64_t> number = whole_at(value, value.type, 0);
  if (!number || *number < low || *number > high)
    refuse(key, "number is out of range", shown(value), fmt::format("{} to {}", low, high));
  return *number;
}

double GgufMetadata::number(std::string_view key, double low, double high) const {
  const GgufValue& value = expect(key, is_number, false, "a number");
  const double number = number_at(value, value.type, 0);
  if (!(number >= low && number <= high))  // also NaN
    refuse(key, "number is out of range", shown(value), fmt::format("{} to {}", low, high));
  return number;
}

bool GgufMetadata::flag(std::string_view key) const {
  return expect(key, is_bool, false, "a bool").bytes[0] != 0;
}

const std::string& GgufMetadata::text(std::string_view key) const {
  return expect(key, is_text, false, "a text").bytes;
}

const std::vector<std::string>& GgufMetadata::texts(std::string_view key) const {
  return expect(key, is_text, true, "an array of texts").texts;
}

std::vector<int64_t> GgufMetadata::wholes(std::string_view key, int64_t low, int64_t high) const {
  const GgufValue& value = expect(key, is_whole, true, "an array of whole numbers");
  std::vector<int64_t> numbers(value.count);
  for (uint64_t i = 0; i < value.count; ++i) {
    const std::optional<int64_t> number = whole_at(value, value.element, i);
    if (!number || *number < low || *number > high)
      refuse(key, fmt::format("element {} is out of range", i), shown_at(value, value.element, i),
             fmt::format("{} to {}", low, high));
    numbers[i] = *number;
  }
  return numbers;
}

std::vector<float> GgufMetadata::numbers(std::string_view key) const {
  const GgufValue& value = expect(key, is_number, true, "an array of numbers");
  std::vector<float> numbers(value.count);
  for (uint64_t i = 0; i < value.count; ++i)
    numbers[i] = static_cast<float>(number_at(value, value.element, i));
  return numbers;
}

const std::string& GgufMetadata::byte_array(std::string_view key) const {
  return expect(key, is_byte, true, "an array of u8 or i8").bytes;
}

std::string GgufMetadata::shown(const GgufValue& value, size_t most) {
  if (value.type == GgufType::kText) return quote_text(value.bytes, 200);
  if (value.type != GgufType::kArray) return shown_at(value, value.type, 0);
  std::string line = fmt::format("{}[{}]", name_of(value.element), value.count);
  for (uint64_t i = 0; i < std::min<uint64_t>(value.count, most); ++i)
    line += fmt::format("{}{}", i == 0 ? ": " : ", ", shown_at(value, value.element, i));
  return value.count > most ? line + ", ..." : line;
}

}  // namespace attn
