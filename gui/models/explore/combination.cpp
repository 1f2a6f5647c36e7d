// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/explore/combination.h"

#include <charconv>

namespace attn::gui {
namespace {

// Removes a non-negative number from the front of `text` and returns it; nullopt if there is none.
std::optional<int64_t> take_number(std::string_view& text) {
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

}  // namespace

std::optional<Combination> combination_from_word(std::string_view word) {
  if (word == "head") return Combination{};
  if (word == "layer-mean") return Combination{Combine::kLayerMean, {}};
  if (word == "mean") return Combination{Combine::kMean, {}};
  const bool layers = take(word, "minus-layer:");
  if (!layers && !take(word, "minus:")) return std::nullopt;
  const auto layer = take_number(word);
  if (!layer) return std::nullopt;
  if (layers)
    return word.empty() ? std::optional(Combination{Combine::kLayerDifference, {*layer, 0}})
                        : std::nullopt;
  const auto head = take(word, ",") ? take_number(word) : std::nullopt;
  if (!head || !word.empty()) return std::nullopt;
  return Combination{Combine::kHeadDifference, {*layer, *head}};
}

}  // namespace attn::gui
