// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/cell_numbers.h"

#include <fmt/format.h>

namespace attn::gui {

std::string column_of(const HeadRef& head) {
  if (head.quantity != Quantity::kWeight)
    return fmt::format("{}_layer_{}_head_{}", word_of(head.quantity), head.layer, head.head);
  const int64_t layers = head.record->shape().num_layers;
  return column_name(head.combine, {head.layer, head.head},
                     head.rules().layers_like(head.layer, layers), head.record->shape().num_heads);
}

CellNumbers::CellNumbers(const HeadRef& head, std::shared_ptr<RowPeaks> peaks)
    : record_(*head.record),
      layer_(head.layer),
      head_(head.head),
      quantity_(head.quantity),
      weights_(*head.record, head.heads()),
      peaks_(std::move(peaks)) {
  if (is_written(quantity_)) {
    lengths_ = head.lengths;
    if (!lengths_)  // without the model only the lengths |v| can be read
      lengths_ = std::make_shared<KeyLengths>(head.record, head.layer, head.head,
                                              Quantity::kWrittenValue, nullptr);
  }
  if (!peaks_ && quantity_ != Quantity::kWeight)
    peaks_ = std::make_shared<RowPeaks>(head.record, head.layer, head.head, lengths_);
}

void CellNumbers::cells(int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count,
                        float* out, const std::function<bool()>& stop) {
  switch (quantity_) {
    case Quantity::kWeight:
      return weights_.weights(q_begin, q_count, k_begin, k_count, out);
    case Quantity::kScore:
      return record_.scores(layer_, head_, q_begin, q_count, k_begin, k_count, out);
    case Quantity::kExp:
      max_.resize(static_cast<size_t>(q_count));
      maxima(q_begin, q_count, max_.data(), stop);
      return record_.exponentials(layer_, head_, q_begin, q_count, k_begin, k_count, max_.data(),
                                  out);
    case Quantity::kWrittenValue:
    case Quantity::kWrittenOutput:
      return read_written(record_, *lengths_, layer_, head_, q_begin, q_count, k_begin, k_count,
                          out);
  }
}

void CellNumbers::maxima(int64_t q_begin, int64_t q_count, float* out,
                         const std::function<bool()>& stop) {
  peaks_->read(q_begin, q_count, stop);
  peaks_->maxima(q_begin, q_count, out);
}

}  // namespace attn::gui
