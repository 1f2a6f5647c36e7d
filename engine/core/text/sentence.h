// SPDX-License-Identifier: GPL-3.0-or-later
// Sentence: an English text with its parts kept apart, so that the window can translate it. Any
// thread; plain data.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// An English text with %1, %2, ... for its parts. gui/translations/update.py finds the texts by the
// name of translatable(). context: a group of texts for translators; only that script reads it.
struct Translatable {
  const char* english;
};
constexpr Translatable translatable(const char* /*context*/, const char* english) {
  return {english};
}

struct Sentence {
  Sentence(Translatable what, std::vector<Sentence> its_parts = {})
      : text(what.english), parts(std::move(its_parts)) {}
  Sentence(std::integral auto number) : text(std::to_string(number)) {}
  static Sentence same(std::string_view name);

  std::string text;  // English
  std::vector<Sentence> parts;
};

std::string english(const Sentence& sentence);

// one: "1 token", many: "%1 tokens".
Sentence counted(std::integral auto count, Translatable one, Translatable many) {
  return count == 1 ? Sentence(one) : Sentence(many, {Sentence(count)});
}

}  // namespace attn
