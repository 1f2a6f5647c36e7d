// SPDX-License-Identifier: GPL-3.0-or-later
// The lengths with which views of weights show weight * |v| or weight * |W_O v|. GUI thread.
#pragma once

#include <QString>
#include <map>
#include <memory>
#include <utility>

#include "engine/session/run/snapshot.h"
#include "gui/views/attention/key_lengths.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// Why this quantity of a layer cannot be shown, as a sentence; empty: it can. run: the newest state
// of the run; null: there is none.
QString refusal_of_quantity(Quantity quantity, int64_t layer, const EngineSnapshot* run);
// Sets head.lengths: the lengths of head.quantity, or null if that is no weight * length or the
// head has no record. If the head has a record, but head.quantity cannot be shown, it becomes
// kWeight.
void read_lengths(HeadRef& head, const EngineSnapshot* run);

// The lengths of several heads. Those of a head are kept while its record and quantity stay.
class HeadsLengths {
 public:
  // The lengths that read_lengths() sets for this head; null: no weight * length of it is shown, or
  // it has no record.
  std::shared_ptr<KeyLengths> of(HeadRef head, const EngineSnapshot* run);
  void clear() { known_.clear(); }

 private:
  std::map<std::pair<int64_t, int64_t>, std::shared_ptr<KeyLengths>> known_;  // (layer, head)
};

}  // namespace attn::gui
