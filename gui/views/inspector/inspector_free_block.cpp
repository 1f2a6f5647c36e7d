// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_free_block.h"

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"

namespace attn::gui {
namespace {

struct BlockPast {
  int64_t taken = 0;
  int64_t owner = -1;  // request that held the block last; -1: none
  int64_t ended = -1;  // index of the event with which it was free again; -1: not in the events
};

// Events do not name changes of the swap pool. There, a block is taken by a swap-out and given back
// by a swap-in, or by the end of a request that is swapped out.
BlockPast past_in_host_pool(std::span<const TraceEvent> events, uint32_t block) {
  BlockPast past;
  for (size_t i = 0; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    if (event.kind == EventKind::kBlockSwappedOut && event.d == block) {
      ++past.taken;
      past.owner = event.b;
      past.ended = -1;
    } else if (past.owner < 0 || past.ended >= 0) {
      continue;
    } else if ((event.kind == EventKind::kBlockSwappedIn && event.d == block) ||
               (event.kind == EventKind::kRequestFinished &&
                event.a == static_cast<uint32_t>(past.owner))) {
      past.ended = static_cast<int64_t>(i);
    }
  }
  return past;
}

BlockPast past_of(std::span<const TraceEvent> events, uint32_t block) {
  BlockPast past;
  for (size_t i = 0; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    if (event.a != block) continue;
    if (event.kind == EventKind::kBlockAllocated) {
      ++past.taken;
      past.ended = -1;
    } else if (event.kind == EventKind::kBlockFreed) {
      past.ended = static_cast<int64_t>(i);
    } else {
      continue;
    }
    past.owner = event.b;
  }
  return past;
}

// The step in which events[index] was recorded: the event of a step is recorded at its end.
int64_t step_of_record(std::span<const TraceEvent> events, size_t index) {
  for (size_t i = index; i < events.size(); ++i)
    if (events[i].kind == EventKind::kStep) return events[i].a;
  for (size_t i = index; i-- > 0;)
    if (events[i].kind == EventKind::kSchedule) return events[i].a;
  return -1;
}

}  // namespace

void add_past_of_block(InspectorContent& out, const EngineSnapshot& snapshot,
                       std::span<const TraceEvent> events, int64_t block, bool in_host_pool) {
  const auto number = static_cast<uint32_t>(block);
  const BlockPast past = in_host_pool ? past_in_host_pool(events, number) : past_of(events, number);
  out.row(tr("taken so far"),
          past.taken == 0 ? tr("never") : counted(past.taken, tr("once"), tr("%1 times")));
  if (past.owner < 0) return;
  out.row(tr("last owner"), request_name(snapshot, past.owner));
  const int64_t step =
      past.ended < 0 ? -1 : step_of_record(events, static_cast<size_t>(past.ended));
  if (step >= 0) out.row(tr("freed"), tr("step %1").arg(step));
}

}  // namespace attn::gui
