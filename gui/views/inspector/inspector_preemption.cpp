// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_preemption.h"

#include "gui/models/run/request_words.h"
#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// The request that got the first block of this planning after the preemption; nullopt: none did.
std::optional<uint32_t> needed_by(std::span<const TraceEvent> events, size_t index) {
  const uint32_t step = events[index].b;
  for (size_t i = index + 1; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    if (event.lane != kEngineLane) continue;
    if (event.kind == EventKind::kBlockAllocated || event.kind == EventKind::kBlockCopied)
      return event.b;
    // Planning is over.
    if (event.kind == EventKind::kSchedule || event.kind == EventKind::kStep) break;
    if (event.kind == EventKind::kRequestPreempted && event.b != step) break;
  }
  return std::nullopt;
}

}  // namespace

void add_preemption(InspectorContent& out, const EngineSnapshot& snapshot,
                    std::span<const TraceEvent> events, size_t index) {
  const TraceEvent& event = events[index];
  const bool swapped = event.d == 1;
  const auto other = needed_by(events, index);
  out.heading(tr("Why it was preempted"));
  out.note(
      (other && *other != event.a
           ? tr("%1 needed room for its next token, and too few blocks were free.")
                 .arg(request_name(snapshot, *other))
           : tr("It needed room for its own next token, and too few blocks were free.")) +
      QLatin1Char(' ') +
      tr("The running request that comes last in the order of priority, arrival and sample gives "
         "its blocks back: it was this one."));
  const QString tokens =
      counted(int64_t{event.c}, tr("1 computed token"), tr("%1 computed tokens"));
  if (swapped) {
    out.note(tr("The content of its blocks, %1, was moved to the swap pool. It goes on from there "
                "when the cache has room.")
                 .arg(tokens));
    return;
  }
  const bool wanted_swap =
      snapshot.scenario && snapshot.scenario->engine.preemption == PreemptionMode::kSwap;
  out.note((wanted_swap
                ? tr("It could not be swapped out: the swap pool had no room for all of its "
                     "blocks, or the backend cannot swap.") +
                      QLatin1Char(' ')
                : QString()) +
           tr("What was in its blocks, %1, is lost and is computed again when all of it fits.")
               .arg(tokens));
}

}  // namespace attn::gui
