// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_preemption.h"

#include <map>

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

// The unused blocks of the swap pool just before events[index]. Events name the blocks that go in
// and out; a request that ends while it is swapped out gives its own back.
int64_t free_swap_blocks(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                         size_t index) {
  std::map<uint32_t, int64_t> held;  // key: request
  for (const TraceEvent& event : events.first(index)) {
    if (event.kind == EventKind::kBlockSwappedOut) ++held[event.b];
    if (event.kind == EventKind::kBlockSwappedIn) --held[event.b];
    if (event.kind == EventKind::kRequestFinished) held.erase(event.a);
  }
  int64_t used = 0;
  for (const auto& each : held) used += each.second;
  return std::ssize(snapshot.swap_blocks) - used;
}

uint32_t root_of(const EngineSnapshot& snapshot, uint32_t request) {
  const RequestView* view = request_by_id(snapshot, request);
  return view && view->parent ? *view->parent : request;
}

// The blocks that were to be swapped out: those of the request or, because the beams of a search
// are preempted together, of all beams that were preempted in the step.
int64_t blocks_to_swap(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                       size_t index) {
  const RequestView* view = request_by_id(snapshot, events[index].a);
  if (!view || view->beam_width <= 1) return given_back(events, index).all();
  int64_t blocks = 0;
  for (size_t i = 0; i < events.size(); ++i)
    if (events[i].kind == EventKind::kRequestPreempted && events[i].b == events[index].b &&
        root_of(snapshot, events[i].a) == root_of(snapshot, events[index].a))
      blocks += given_back(events, i).all();
  return blocks;
}

QString why_not_swapped(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                        size_t index) {
  // A scenario with swapping has a swap pool; the engine makes none for a backend without swapping.
  if (snapshot.swap_blocks.empty())
    return tr("The request could not be swapped out: the backend %1 cannot swap.")
        .arg(text_of(snapshot.backend_name));
  const RequestView* view = request_by_id(snapshot, events[index].a);
  const bool of_beams = view && view->beam_width > 1;
  return (of_beams
              ? tr("The request could not be swapped out: the beams of its search held %1 "
                   "together, and %2 of the %3 blocks of the swap pool were free.")
              : tr("The request could not be swapped out: it held %1, and %2 of the %3 blocks of "
                   "the swap pool were free."))
      .arg(counted(blocks_to_swap(snapshot, events, index), tr("1 block"), tr("%1 blocks")),
           format_count(free_swap_blocks(snapshot, events, index)),
           format_count(std::ssize(snapshot.swap_blocks)));
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
    out.note(why_not_swapped(snapshot, events, index));
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
