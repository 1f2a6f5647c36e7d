// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/written/written_lengths.h"

#include "engine/model/model.h"
#include "gui/models/text.h"

namespace attn::gui {

QString refusal_of_quantity(Quantity quantity, int64_t layer, const EngineSnapshot* run) {
  if (quantity != Quantity::kWrittenOutput) return {};
  const std::shared_ptr<const Model> model = run ? run->model.lock() : nullptr;
  const Network network = model ? model->network() : Network();
  return text_of(written_refusal(model ? &network : nullptr, layer, Written::kWeightTimesOutput));
}

void read_lengths(HeadRef& head, const EngineSnapshot* run) {
  if (!head.record || !is_written(head.quantity)) {
    head.lengths = nullptr;
    return;
  }
  if (head.lengths && head.lengths->is_of(head.record.get(), head.layer, head.head, head.quantity))
    return;
  head.lengths = nullptr;
  if (!refusal_of_quantity(head.quantity, head.layer, run).isEmpty()) {
    head.quantity = Quantity::kWeight;
    return;
  }
  const std::shared_ptr<const Model> model = run ? run->model.lock() : nullptr;
  const Network network = model ? model->network() : Network();
  head.lengths = std::make_shared<KeyLengths>(head.record, head.layer, head.head, head.quantity,
                                              model ? &network : nullptr);
}

std::shared_ptr<KeyLengths> HeadsLengths::of(HeadRef head, const EngineSnapshot* run) {
  std::shared_ptr<KeyLengths>& known = known_[{head.layer, head.head}];
  head.lengths = known;
  read_lengths(head, run);
  return known = head.lengths;
}

}  // namespace attn::gui
