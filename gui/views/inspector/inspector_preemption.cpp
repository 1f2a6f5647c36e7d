// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_preemption.h"

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// The request that took the next block in the same planning; nullopt: none.
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

struct BlocksGivenBack {
  int64_t free = 0, cached = 0, shared = 0, swapped = 0;
  int64_t all() const { return free + cached + shared; }
};

BlocksGivenBack given_back(std::span<const TraceEvent> events, size_t index) {
  BlocksGivenBack blocks;
  for (size_t i = index; i-- > 0;) {
    const TraceEvent& event = events[i];
    if (event.lane != kEngineLane) continue;
    int64_t* count = event.kind == EventKind::kBlockFreed        ? &blocks.free
                     : event.kind == EventKind::kBlockCached     ? &blocks.cached
                     : event.kind == EventKind::kBlockReleased   ? &blocks.shared
                     : event.kind == EventKind::kBlockSwappedOut ? &blocks.swapped
                                                                 : nullptr;
    if (!count || event.b != events[index].a) break;
    ++*count;
  }
  return blocks;
}

QString words_of(const BlocksGivenBack& blocks) {
  QStringList parts;
  if (blocks.free > 0) parts << counted(blocks.free, tr("1 is free now"), tr("%1 are free now"));
  if (blocks.cached > 0)
    parts << counted(blocks.cached, tr("1 stays cached until its room is needed"),
                     tr("%1 stay cached until their room is needed"));
  if (blocks.shared > 0)
    parts << counted(blocks.shared, tr("1 stays with the requests that share it"),
                     tr("%1 stay with the requests that share them"));
  return tr("It gives back %1: %2.")
      .arg(counted(blocks.all(), tr("1 block"), tr("%1 blocks")), parts.join(QStringLiteral(", ")));
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
           ? tr("Request %1 needed more blocks than were free.").arg(request_name(snapshot, *other))
           : tr("The request itself needed more blocks than were free.")) +
      QLatin1Char(' ') +
      tr("The running request that comes last in the order of priority, arrival and sample gives "
         "its blocks back; if it is a beam, the beams of its search do."));
  const QString tokens =
      counted(int64_t{event.c}, tr("1 computed token"), tr("%1 computed tokens"));
  const BlocksGivenBack blocks = given_back(events, index);
  if (swapped) {
    out.note(tr("The content of its blocks (%1, %2) was moved to the swap pool. When the cache has "
                "room, the content comes back and the request goes on.")
                 .arg(counted(blocks.swapped, tr("1 block"), tr("%1 blocks")), tokens));
    return;
  }
  const ScenarioEngine* engine = snapshot.scenario ? &snapshot.scenario->engine : nullptr;
  if (engine && engine->preemption == PreemptionMode::kSwap)
    out.note(
        tr("The request could not be swapped out: the swap pool had no room for all of its blocks, "
           "or the backend cannot swap."));
  const bool may_be_found =
      engine && engine->enable_prefix_caching && blocks.cached + blocks.shared > 0;
  out.note((blocks.all() > 0 ? words_of(blocks) + QLatin1Char(' ') : QString()) +
           (may_be_found
                ? tr("When the cache has room for the whole request, its %1 are computed again, "
                     "except those whose blocks the prefix cache still has then.")
                : tr("When the cache has room for the whole request, its %1 are computed again."))
               .arg(tokens));
}

}  // namespace attn::gui
