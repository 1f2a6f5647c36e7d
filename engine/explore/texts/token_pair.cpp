// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/texts/token_pair.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/files/json.h"

namespace attn {
namespace {

std::optional<int32_t> id_of(const Source& source, std::string_view word) {
  const auto vocab = static_cast<int32_t>(source.shape().vocab_size);
  int32_t id = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
  if (error == std::errc() && end == word.data() + word.size() && id >= 0 && id < vocab) return id;
  if (word.empty()) return std::nullopt;
  for (const std::string& form : {std::string(word), " " + std::string(word)})
    for (int32_t token = 0; token < vocab; ++token)
      if (source.token_text(token) == form) return token;
  return std::nullopt;
}

}  // namespace

std::pair<int32_t, int32_t> token_pair(const Source& source, const std::string& text,
                                       const std::string& where) {
  // A token may have a comma in it, so each comma is tried.
  for (size_t comma = text.find(','); comma != std::string::npos;
       comma = text.find(',', comma + 1)) {
    const auto a = id_of(source, std::string_view(text).substr(0, comma));
    const auto b = id_of(source, std::string_view(text).substr(comma + 1));
    if (a && b && *a != *b) return {*a, *b};
  }
  throw_bad_input({"the pair of tokens cannot be read", where, quote_text(text),
                   fmt::format("A,B with two different tokens, each as its id from 0 to {} or as "
                               "its text, such as \" dog, cat\"",
                               source.shape().vocab_size - 1),
                   ""});
}

}  // namespace attn
