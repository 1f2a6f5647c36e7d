// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/written/quantity_box.h"

#include <QStandardItemModel>
#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/core/error.h"
#include "gui/models/text.h"
#include "gui/views/attention/heatmap/heatmap_words.h"

namespace attn::gui {

namespace {

constexpr Quantity kReadOrWritten[] = {Quantity::kWeight, Quantity::kWrittenValue,
                                       Quantity::kWrittenOutput};

QStandardItem* entry_of(const QuantityBox& box, int index) {
  return static_cast<QStandardItemModel*>(box.model())->item(index);
}

}  // namespace

std::optional<Quantity> written_choice(const std::string& word,
                                       const std::function<QString(Quantity)>& refusal_of) {
  const auto quantity = quantity_from_word(word);
  if (!quantity || std::ranges::find(kReadOrWritten, *quantity) == std::end(kReadOrWritten))
    return std::nullopt;
  if (const QString refusal = refusal_of(*quantity); !refusal.isEmpty())
    throw Error::not_supported({refusal.toStdString()});
  return quantity;
}

QuantityBox::QuantityBox(const QString& key, std::function<void(Quantity)> chosen) {
  for (const Quantity quantity : kReadOrWritten) addItem(short_name_of(quantity));
  setAccessibleName(tr("What is shown"));
  setToolTip(
      tr("Show the weights, weight × |v| with the length of the value v, or weight × |W_O v| "
         "with its length after the output matrix (%1)")
          .arg(key));
  connect(this, &QComboBox::activated, this,
          [chosen = std::move(chosen)](int index) { chosen(kReadOrWritten[index]); });
}

void QuantityBox::show_choice(Quantity quantity,
                              const std::function<QString(Quantity)>& refusal_of) {
  for (int i = 0; i < count(); ++i) {
    const QString refusal = refusal_of(kReadOrWritten[i]);
    entry_of(*this, i)->setEnabled(refusal.isEmpty());
    entry_of(*this, i)->setToolTip(refusal.isEmpty() ? meaning_of(kReadOrWritten[i]) : refusal);
  }
  const auto at = std::ranges::find(kReadOrWritten, quantity);
  setCurrentIndex(static_cast<int>(at - std::begin(kReadOrWritten)));
}

Quantity QuantityBox::next() const {
  int index = currentIndex();
  do index = (index + 1) % count();
  while (!entry_of(*this, index)->isEnabled());  // ends: the weights are never disabled
  return kReadOrWritten[index];
}

}  // namespace attn::gui
