// SPDX-License-Identifier: GPL-3.0-or-later
// Quantity: which number of the softmax a cell of the heatmap shows. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace attn::gui {

enum class Quantity : uint8_t {
  kWeight,  // exp(score - lse)
  kScore,   // what the softmax is taken of: cap(scale * q.k) + slope * (key - query)
  kExp      // exp(score - largest score of the row)
};
inline constexpr Quantity kQuantities[] = {Quantity::kWeight, Quantity::kScore, Quantity::kExp};

// "weight", "score", "exp": the words of the command line, and the beginnings of CSV columns.
std::string_view word_of(Quantity quantity);
std::optional<Quantity> quantity_from_word(std::string_view word);

}  // namespace attn::gui
