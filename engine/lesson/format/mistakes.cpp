// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lesson/format/mistakes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine/core/files/json.h"

namespace attn::lesson {

Error Mistake::error(std::string_view origin) const {
  return Error(ErrorCode::kBadInput,
               {what, line > 0 ? fmt::format("{}, line {}", origin, line) : std::string(origin),
                found, allowed, advice});
}

void Mistakes::add(Mistake mistake) {
  if (list_.size() < kMostMistakes && std::ranges::find(list_, mistake) == list_.end())
    list_.push_back(std::move(mistake));
}

void Mistakes::add(int line, const Error& error) {
  const ErrorParts& parts = error.parts();
  add({line, parts.what, parts.found, parts.allowed, parts.advice});
}

void Mistakes::add_unknown(int line, std::string_view what, std::string_view word,
                           const std::vector<std::string>& allowed) {
  constexpr size_t kLongList = 40;
  const std::string near = nearest_match(word, allowed);
  add({line, std::string(what), quote_text(word),
       allowed.size() > kLongList ? "a name that `attn lesson quantities` lists"
                                  : fmt::format("{}", fmt::join(allowed, ", ")),
       near.empty() ? "" : fmt::format("Did you mean `{}`?", near)});
}

std::vector<Mistake> Mistakes::sorted() const {
  std::vector<Mistake> list = list_;
  std::ranges::stable_sort(list, {}, &Mistake::line);
  return list;
}

Error error_of(const std::vector<Mistake>& mistakes, std::string_view origin) {
  if (mistakes.size() == 1) return mistakes.front().error(origin);
  std::vector<std::string> sentences;
  for (const Mistake& mistake : mistakes) sentences.emplace_back(mistake.error(origin).what());
  return Error::several(ErrorCode::kBadInput, std::move(sentences));
}

}  // namespace attn::lesson
