// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/report/fullest_step.h"

#include <QObject>
#include <algorithm>

#include "engine/session/history/step_history.h"

namespace attn::gui {

FullestStep fullest_step(const EngineSnapshot& now) {
  FullestStep fullest;
  if (!now.history || !now.steps) return fullest;
  const StepHistory::Range past = now.history->range();
  uint32_t step = 0;
  for (const StepRecord& record : *now.steps)
    if (past.contains(record.step) && record.used_blocks > fullest.used) {
      fullest.used = record.used_blocks;
      step = record.step;
    }
  // If no block was in use after any step of the history, takes the last one with sequences, else
  // the oldest one.
  if (step == 0)
    for (const StepRecord& record : *now.steps)
      if (past.contains(record.step) && (step == 0 || record.sequences > 0)) step = record.step;
  if (step == 0) return fullest;
  fullest.snapshot = now.history->restore(now, step);
  if (!fullest.snapshot) return fullest;
  fullest.used = std::ranges::count_if(fullest.snapshot->blocks,
                                       [](const BlockView& block) { return block.ref_count > 0; });
  if (fullest.used == 0) fullest.snapshot = nullptr;
  return fullest;
}

QString caption_of(const FullestStep& fullest, uint32_t last_step) {
  return QObject::tr("step %1 of %2, most blocks in use")
      .arg(fullest.snapshot->step)
      .arg(last_step);
}

}  // namespace attn::gui
