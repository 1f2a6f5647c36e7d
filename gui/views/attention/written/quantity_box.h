// SPDX-License-Identifier: GPL-3.0-or-later
// QuantityBox: a box that chooses between weights, weight × |v| and weight × |W_O v|.
// written_choice(): which of them --quantity asks for. GUI thread.
#pragma once

#include <QComboBox>
#include <functional>
#include <optional>
#include <string>

#include "gui/views/attention/cell_quantity.h"

namespace attn::gui {

// The quantity that the value `word` of the option --quantity asks for; nullopt: a QuantityBox has
// no such quantity. refusal_of: says why this run cannot show a quantity; empty: it can. Throws
// Error with that sentence.
std::optional<Quantity> written_choice(const std::string& word,
                                       const std::function<QString(Quantity)>& refusal_of);

class QuantityBox : public QComboBox {
 public:
  // chosen: called when the user takes an entry. key: the shortcut that the tooltip names, "W".
  QuantityBox(const QString& key, std::function<void(Quantity)> chosen);

  // Shows what is chosen. An entry for which refusal_of() returns a sentence cannot be taken, and
  // has this sentence as its tooltip.
  void show_choice(Quantity quantity, const std::function<QString(Quantity)>& refusal_of);
  Quantity next() const;
};

}  // namespace attn::gui
