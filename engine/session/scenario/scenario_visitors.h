// SPDX-License-Identifier: GPL-3.0-or-later
// Visitors for scenario_fields.h: Reader fills fields from JSON, Checker checks their ranges,
// KeyList lists their names. Writer is in write_scenario.cpp. Private to scenario.cpp.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/utf8.h"
#include "engine/session/scenario/scenario_fields.h"

namespace attn::scenario_fields {

using Json = nlohmann::json;

// A place in a scenario: "first-look.json" and "$.engine". The file may be empty, as in validate().
struct Place {
  std::string file;
  std::string path = "$";

  Place child(std::string_view key) const { return {file, path + path_step(key)}; }
  Place item(size_t index) const { return {file, fmt::format("{}[{}]", path, index)}; }
  std::string text() const { return file.empty() ? path : file + ", " + path; }
};

inline std::string shown(const Json& value) {
  if (value.is_object()) return value.empty() ? "an empty object" : "an object";
  if (value.is_array()) return value.empty() ? "an empty list" : "a list";
  return value.is_string() ? quote_text(value.get_ref<const std::string&>()) : value.dump();
}

[[noreturn]] inline void refuse(const Place& place, std::string what, std::string found,
                                std::string allowed, std::string advice = "") {
  throw_bad_input({.what = std::move(what),
                   .where = place.text(),
                   .found = std::move(found),
                   .allowed = std::move(allowed),
                   .advice = std::move(advice)});
}

inline std::string did_you_mean(std::string_view word, const std::vector<std::string>& allowed) {
  const std::string near = nearest_match(word, allowed);
  return near.empty() ? "" : fmt::format("Did you mean `{}`?", near);
}

inline std::string range_text(int64_t min, int64_t max, const char* unit) {
  return min == max ? fmt::format("{} {}", min, unit) : fmt::format("{} to {} {}", min, max, unit);
}
inline std::string range_text(const NumberRule& rule) {
  return fmt::format("{}{} to {}{}{}", rule.min_excluded ? "above " : "", rule.min, rule.max,
                     *rule.unit ? " " : "", rule.unit);
}
inline constexpr const char* kSeedRange = "an integer, 0 to 18446744073709551615";

template <class T>
std::vector<std::string> names_of(const Choices<T>& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.emplace_back(choice.first);
  return names;
}

struct KeyList {
  std::vector<std::string> keys;
  void text(const char* key, std::string&, TextRule) { keys.emplace_back(key); }
  void integer(const char* key, int64_t&, int64_t, int64_t, const char*) { keys.emplace_back(key); }
  void seed(const char* key, uint64_t&) { keys.emplace_back(key); }
  void number(const char* key, double&, NumberRule) { keys.emplace_back(key); }
  void boolean(const char* key, bool&) { keys.emplace_back(key); }
  void numbers(const char* key, std::vector<double>&, NumberRule, int64_t) {
    keys.emplace_back(key);
  }
  void numbers_or_one(const char* key, std::vector<double>&, NumberRule, int64_t) {
    keys.emplace_back(key);
  }
  template <class T>
  void choice(const char* key, T&, const Choices<T>&) {
    keys.emplace_back(key);
  }
};

// Fills fields from an object; a missing key leaves the field as it is. Checks types and the names
// of choices.
class Reader {
 public:
  Reader(const Json& object, Place place) : object_(object), place_(std::move(place)) {}

  void text(const char* key, std::string& field, TextRule) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_string())
      refuse(place_.child(key), fmt::format("{} is not a text", key), shown(*value), "a text");
    field = value->get<std::string>();
  }
  void integer(const char* key, int64_t& field, int64_t min, int64_t max, const char* unit) {
    const Json* value = find(key);
    if (!value) return;
    const auto allowed = [&] { return "an integer, " + range_text(min, max, unit); };
    if (!value->is_number_integer()) {
      refuse(place_.child(key), fmt::format("{} is not an integer", key), shown(*value), allowed());
    }
    if (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t{INT64_MAX}) {
      refuse(place_.child(key), fmt::format("{} is out of range", key), shown(*value),
             range_text(min, max, unit));
    }
    field = value->get<int64_t>();
  }
  void seed(const char* key, uint64_t& field) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_number_unsigned()) {
      refuse(place_.child(key), fmt::format("{} is not a whole number in range", key),
             shown(*value), kSeedRange);
    }
    field = value->get<uint64_t>();
  }
  void number(const char* key, double& field, NumberRule rule) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_number()) {
      refuse(place_.child(key), fmt::format("{} is not a number", key), shown(*value),
             "a number, " + range_text(rule));
    }
    field = value->get<double>();
  }
  void boolean(const char* key, bool& field) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_boolean()) {
      refuse(place_.child(key), fmt::format("{} is neither true nor false", key), shown(*value),
             "true, false");
    }
    field = value->get<bool>();
  }
  void numbers(const char* key, std::vector<double>& field, NumberRule rule, int64_t) {
    const Json* value = find(key);
    if (!value) return;
    const Place place = place_.child(key);
    if (!value->is_array())
      refuse(place, fmt::format("{} is not a list", key), shown(*value), "a list of numbers");
    for (size_t i = 0; i < value->size(); ++i) {
      if (!(*value)[i].is_number())
        refuse(place.item(i), fmt::format("{} holds something that is not a number", key),
               shown((*value)[i]), "a number, " + range_text(rule));
      field.push_back((*value)[i].get<double>());
    }
  }
  void numbers_or_one(const char* key, std::vector<double>& field, NumberRule rule, int64_t most) {
    const Json* value = find(key);
    if (!value || !value->is_number()) return numbers(key, field, rule, most);
    field.push_back(value->get<double>());
  }
  template <class T>
  void choice(const char* key, T& field, const Choices<T>& choices) {
    const Json* value = find(key);
    if (!value) return;
    const std::vector<std::string> names = names_of(choices);
    const std::string word = value->is_string() ? value->get<std::string>() : "";
    const auto chosen = std::find(names.begin(), names.end(), word);
    if (!value->is_string() || chosen == names.end()) {
      refuse(place_.child(key), fmt::format("{} is not one of the choices", key), shown(*value),
             fmt::format("{}", fmt::join(names, ", ")), did_you_mean(word, names));
    }
    field = choices[static_cast<size_t>(chosen - names.begin())].second;
  }

  const Json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }
  const Json& require(const char* key, const char* allowed) const {
    const Json* value = find(key);
    if (!value) {
      refuse(place_.child(key), fmt::format("{} is missing", key), "no such key", allowed,
             fmt::format("Add \"{}\"", key));
    }
    return *value;
  }
  void refuse_unknown_keys(const std::vector<std::string>& known) const {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      refuse(place_.child(key.substr(0, 60)), "unknown key", quote_text(key),
             fmt::format("{}", fmt::join(known, ", ")), did_you_mean(key, known));
    }
  }

 private:
  const Json& object_;
  Place place_;
};

class Checker {
 public:
  explicit Checker(Place place) : place_(std::move(place)) {}

  void text(const char* key, const std::string& field, TextRule rule) const {
    const std::string allowed =
        fmt::format("{}{} to {} bytes of UTF-8", rule.several_lines ? "" : "one line of ",
                    rule.required ? 1 : 0, rule.max_bytes);
    const Place at = place_.child(key);
    if (field.size() > rule.max_bytes) {
      refuse(at, fmt::format("{} is too long", key), fmt::format("{} bytes", field.size()),
             allowed);
    }
    if (rule.required && field.empty())
      refuse(at, fmt::format("{} is empty", key), "\"\"", allowed);
    for (const char c : field) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte == 0 || (!rule.several_lines && (byte < 0x20 || byte == 0x7F))) {
        refuse(at, fmt::format("{} holds a control character", key),
               fmt::format("byte 0x{:02X}", byte), allowed);
      }
    }
    if (!is_utf8(field))
      refuse(at, fmt::format("{} is not valid UTF-8", key), quote_text(field), allowed);
  }
  void integer(const char* key, int64_t field, int64_t min, int64_t max, const char* unit) const {
    if (field >= min && field <= max) return;
    refuse(place_.child(key), fmt::format("{} is out of range", key), fmt::format("{}", field),
           range_text(min, max, unit));
  }
  void seed(const char*, uint64_t) const {}
  void number(const char* key, double field, NumberRule rule) const {
    const bool above = rule.min_excluded ? field > rule.min : field >= rule.min;
    if (above && field <= rule.max) return;  // false for NaN
    refuse(place_.child(key), fmt::format("{} is out of range", key), fmt::format("{}", field),
           range_text(rule));
  }
  void boolean(const char*, bool) const {}
  void numbers(const char* key, const std::vector<double>& field, NumberRule rule,
               int64_t most) const {
    const Place place = place_.child(key);
    if (field.size() > static_cast<size_t>(most))
      refuse(place, fmt::format("{} is too long", key), fmt::format("{} numbers", field.size()),
             range_text(0, most, "numbers"));
    for (size_t i = 0; i < field.size(); ++i)
      if (!(field[i] >= rule.min && field[i] <= rule.max))  // true for NaN
        refuse(place.item(i), fmt::format("a number of {} is out of range", key),
               fmt::format("{}", field[i]), range_text(rule));
  }
  void numbers_or_one(const char* key, const std::vector<double>& field, NumberRule rule,
                      int64_t most) const {
    numbers(key, field, rule, most);
  }
  template <class T>
  void choice(const char* key, const T& field, const Choices<T>& choices) const {
    for (const auto& [name, value] : choices) {
      if (value == field) return;
    }
    const std::vector<std::string> names = names_of(choices);
    std::string found = "an unknown value", advice;
    if constexpr (std::is_same_v<T, std::string>) {
      found = quote_text(field);
      advice = did_you_mean(field, names);
    }
    refuse(place_.child(key), fmt::format("{} is not one of the choices", key), found,
           fmt::format("{}", fmt::join(names, ", ")), advice);
  }

 private:
  Place place_;
};

}  // namespace attn::scenario_fields
