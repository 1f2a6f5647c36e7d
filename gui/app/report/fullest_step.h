// SPDX-License-Identifier: GPL-3.0-or-later
// FullestStep: a step of the run with the most blocks in use, and a caption that names it, for
// pictures of a run that has ended.
#pragma once

#include <QString>
#include <memory>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct FullestStep {
  // The run after that step, as in StepHistory::restore(); null: no such step was found.
  std::shared_ptr<const EngineSnapshot> snapshot;
  int64_t used = 0;  // blocks in use
};

FullestStep fullest_step(const EngineSnapshot& now);
// For example "step 12 of 47, most blocks in use".
QString caption_of(const FullestStep& fullest, uint32_t last_step);

}  // namespace attn::gui
