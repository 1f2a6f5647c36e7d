// SPDX-License-Identifier: GPL-3.0-or-later
// FullestStep: the state after the step that left the most blocks in use (the first such step);
// where no step left any, the last step that computed something, with the blocks that it used. Once
// all requests have ended no block is in use, and a picture of that shows nothing.
#pragma once

#include <QString>
#include <memory>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct FullestStep {
  // Null: none of the steps that the history still has used a block.
  std::shared_ptr<const EngineSnapshot> snapshot;
  int64_t used = 0;  // blocks
};

// Looks among the steps that the history of the run still has.
FullestStep fullest_step(const EngineSnapshot& now);
// "step 12 of 47, most blocks in use": the words beside a picture of it.
QString caption_of(const FullestStep& fullest, uint32_t last_step);

}  // namespace attn::gui
