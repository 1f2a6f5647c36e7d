// SPDX-License-Identifier: GPL-3.0-or-later
// Quantity: which number is shown for one query and one key. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn::gui {

enum class Quantity : uint8_t {
  kWeight,        // exp(score - log-sum-exp of the row)
  kScore,         // input of the softmax: cap(scale * q.k) + slope * (key - query) + bias
  kExp,           // exp(score - largest score of the row)
  kWrittenValue,  // weight * |v|
  kWrittenOutput  // weight * |W_O v|: the length of the head's output for this key after W_O
};
inline constexpr Quantity kQuantities[] = {Quantity::kWeight, Quantity::kScore, Quantity::kExp,
                                           Quantity::kWrittenValue, Quantity::kWrittenOutput};
inline bool is_written(Quantity quantity) {
  return quantity == Quantity::kWrittenValue || quantity == Quantity::kWrittenOutput;
}

// The name of a quantity on the command line, such as "written_value".
std::string_view word_of(Quantity quantity);
std::optional<Quantity> quantity_from_word(std::string_view word);
// Whether `word` names a quantity that the views of many heads can show.
bool is_of_many_heads(const std::string& word);

}  // namespace attn::gui
