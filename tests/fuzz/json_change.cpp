// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/json_change.h"

#include <fmt/format.h>

#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/files/json.h"

namespace attn::fuzz {
namespace {

using Json = nlohmann::ordered_json;

std::string short_text(const Json& value) {
  return quote_text(value.dump(-1, ' ', false, Json::error_handler_t::replace), 60);
}

void list_values(Json& value, const std::string& path,
                 std::vector<std::pair<Json*, std::string>>& to) {
  to.emplace_back(&value, path);
  if (value.is_object()) {
    for (auto& [key, item] : value.items()) list_values(item, path + path_step(key), to);
  } else if (value.is_array()) {
    for (size_t i = 0; i < value.size(); ++i)
      list_values(value[i], fmt::format("{}[{}]", path, i), to);
  }
}

std::string odd_text(Random& random, const std::string& now) {
  static const char* const kTexts[] = {"",       " ",    "/",       "..",         "../x",
                                       "\n",     "\x7f", "\u2581",  "\U0001f600", "=1+1",
                                       "<0x41>", "<s>",  "{layer}", "NaN",        "1e999"};
  switch (below(random, 5)) {
    case 0:
      return now + now;
    case 1:
      return now.substr(0, now.size() / 2);
    case 2:
      return std::string(size_t{1} << below(random, 12), 'x');
    default:
      return kTexts[below(random, std::size(kTexts))];
  }
}

void change_number(Json& value, Random& random) {
  if (value.is_number_float() || below(random, 6) == 0) {
    static constexpr double kNumbers[] = {0.0,  -0.0,  0.5,  -0.5,   1.0,     -1.0,
                                          1e18, 1e-18, 1e38, 1e-308, 1.7e308, -1.7e308};
    value = below(random, 4) == 0
                ? value.get<double>() * (1 + 1e-3 * static_cast<double>(below(random, 4000)))
                : kNumbers[below(random, std::size(kNumbers))];
    if (!std::isfinite(value.get<double>())) value = 0.0;
  } else {
    value = odd_number(random, value.get<int64_t>());
  }
}

void change_object(Json& value, Random& random, const Json& other) {
  auto item = value.begin();
  std::advance(item, static_cast<ptrdiff_t>(below(random, value.size())));
  const std::string key = item.key();
  switch (below(random, 3)) {
    case 0:
      value.erase(key);
      break;
    case 1: {
      const Json moved = *item;
      value.erase(key);
      value[odd_text(random, key)] = moved;
      break;
    }
    default:
      value[odd_text(random, key)] = other;
  }
}

void change_array(Json& value, Random& random, const Json& other) {
  const size_t at = below(random, value.size());
  switch (below(random, 4)) {
    case 0:
      value.erase(at);
      break;
    case 1:
      std::swap(value[at], value[below(random, value.size())]);
      break;
    case 2:
      value.push_back(other);
      break;
    default:
      for (size_t times = below(random, 40) + 1; times > 0; --times)
        value.push_back(Json(value[at]));
  }
}

void change_value(Json& value, Random& random, const Json& other) {
  switch (below(random, 8)) {
    case 0:
      value = other;
      return;
    case 1: {
      const Json kinds[] = {Json(nullptr), Json::array(), Json::object(), Json(""),
                            Json(3),       Json(true),    Json({value})};
      value = Json(kinds[below(random, std::size(kinds))]);
      return;
    }
    default:
      break;
  }
  if (value.is_number())
    change_number(value, random);
  else if (value.is_string())
    value = odd_text(random, value.get<std::string>());
  else if (value.is_boolean())
    value = !value.get<bool>();
  else if (value.is_object() && !value.empty())
    change_object(value, random, other);
  else if (value.is_array() && !value.empty())
    change_array(value, random, other);
  else
    value = other;
}

}  // namespace

size_t below(Random& random, size_t count) {
  return static_cast<size_t>(random() % count);
}

int64_t odd_number(Random& random, int64_t near) {
  const auto wrapped = [near](uint64_t more) {
    return static_cast<int64_t>(static_cast<uint64_t>(near) + more);
  };
  switch (below(random, 6)) {
    case 0:
      return wrapped(1);
    case 1:
      return wrapped(~uint64_t{0});
    case 2:
      return static_cast<int64_t>(below(random, 300));
    case 3: {
      const uint64_t power = uint64_t{1} << below(random, 64);
      return static_cast<int64_t>(power + below(random, 3) - 1);
    }
    case 4:
      return static_cast<int64_t>(~uint64_t{0} << below(random, 64));
    default:
      return wrapped(random() % 64 - 32);
  }
}

std::string change_text(std::string_view text, Random& random) {
  static constexpr std::string_view kParts[] = {"\"",
                                                "\\",
                                                "\\u12",
                                                "\\ud800",
                                                "\\x",
                                                "{",
                                                "}",
                                                "[",
                                                "]",
                                                "(",
                                                ")",
                                                ",",
                                                ":",
                                                "'",
                                                "`",
                                                "|",
                                                "=",
                                                ".",
                                                "..",
                                                "-",
                                                "+",
                                                "*",
                                                "/",
                                                "%",
                                                "#",
                                                " ",
                                                "\n",
                                                "1e999",
                                                "12345678901",
                                                "nan",
                                                std::string_view("\0", 1),
                                                "\xef\xbb\xbf",
                                                "\xff\xfe",
                                                "\xc3",
                                                "&",
                                                "&auml;",
                                                "<b>"};
  std::string changed(text);
  const size_t at = below(random, text.size() + 1), size = 1 + below(random, 12);
  const auto word_at = [&](size_t place) {
    const auto is_word = [&](size_t i) {
      return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
    };
    size_t begin = place, end = place;
    while (begin > 0 && is_word(begin - 1)) --begin;
    while (end < text.size() && is_word(end)) ++end;
    return std::pair(begin, end - begin);
  };
  switch (below(random, 8)) {
    case 0:
      changed.erase(at, size);
      break;
    case 1:
      changed.insert(at, changed.substr(at, size));
      break;
    case 2:
    case 3: {
      const auto [begin, length] = word_at(at);
      const auto [from, count] = word_at(below(random, text.size() + 1));
      changed.replace(begin, length, text.substr(from, count));
      break;
    }
    case 4:
      if (below(random, 4) == 0) changed.resize(at);
      break;
    case 5: {
      const std::string_view part = kParts[below(random, std::size(kParts))];
      for (size_t times = size_t{1} << below(random, 11); times > 0; --times)
        changed.insert(at, part);
      break;
    }
    default:
      changed.insert(below(random, 12) == 0 ? 0 : at, kParts[below(random, std::size(kParts))]);
  }
  return changed;
}

JsonChange change_json(std::string_view text, Random& random) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) {
    std::string changed(text);
    if (!changed.empty()) changed[below(random, changed.size())] = static_cast<char>(random());
    return {changed, "a byte of a text that is no JSON"};
  }
  std::vector<std::pair<Json*, std::string>> values;
  list_values(document, "$", values);
  const auto& [value, path] = values[below(random, values.size())];
  const Json other = *values[below(random, values.size())].first, before = *value;
  change_value(*value, random, other);
  return {document.dump(-1, ' ', false, Json::error_handler_t::replace),
          fmt::format("{}: {} -> {}", path, short_text(before), short_text(*value))};
}

}  // namespace attn::fuzz
