// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/cell_quantity.h"

namespace attn::gui {

std::string_view word_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kWeight:
      return "weight";
    case Quantity::kScore:
      return "score";
    case Quantity::kExp:
      return "exp";
    case Quantity::kWrittenValue:
      return "written_value";
    case Quantity::kWrittenOutput:
      return "written_output";
  }
  return {};
}

std::optional<Quantity> quantity_from_word(std::string_view word) {
  for (const Quantity quantity : kQuantities)
    if (word == word_of(quantity)) return quantity;
  return std::nullopt;
}

bool is_of_many_heads(const std::string& word) {
  const auto quantity = quantity_from_word(word);
  return quantity && (*quantity == Quantity::kWeight || is_written(*quantity));
}

}  // namespace attn::gui
