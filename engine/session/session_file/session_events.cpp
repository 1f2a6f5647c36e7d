// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/session_file/session_events.h"

#include <fmt/format.h>

#include "engine/attention/attention_state.h"
#include "engine/session/run/snapshot.h"

namespace attn {
namespace {

constexpr uint32_t kKernels = static_cast<uint32_t>(KernelId::kCount);

std::string allowed_text(int64_t most) {
  return most < 0 ? "none, because the run has none of these" : fmt::format("0 to {}", most);
}

template <class T>
T at(std::string_view bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

class EventCheck {
 public:
  EventCheck(const TraceEvent& event, const SessionLimits& limits, uint32_t num_messages,
             TakeBytes& in)
      : event_(event), limits_(limits), messages_(num_messages), in_(in) {}

  void run() {
    below(event_.lane, limits_.num_lanes, "lane");
    if (event_.layer != kNoLayer) below(event_.layer, limits_.num_layers, "layer");
    if (event_.begin_ns > static_cast<uint64_t>(kMostTime))
      refuse("begin", event_.begin_ns, kMostTime);
    switch (event_.kind) {
      case EventKind::kStep:
      case EventKind::kSchedule:
      case EventKind::kBiasBuilt:
        return below(event_.a, limits_.num_steps + 2, "step");
      case EventKind::kKernel:
      case EventKind::kTask:
        below(event_.a, kKernels, "kernel");
        return below(event_.b, limits_.num_steps + 2, "step");
      case EventKind::kCallSplit:
      case EventKind::kPadding:
        return below(event_.a, kKernels, "kernel");
      case EventKind::kTile:
        return tile();
      case EventKind::kPageFetch:
        sequence(event_.a & kRequestBits);
        below(event_.a >> 24, kKernels, "kernel");
        layer();
        return below(event_.d, limits_.num_kv_heads, "KV head");
      case EventKind::kWarning:
        return below(event_.a, messages_, "message");
      case EventKind::kRequestFinished:
        below(event_.b, static_cast<int64_t>(RequestState::kFinishedIgnored) + 1, "state");
        return request(event_.a);
      case EventKind::kRequestForked:
        request(event_.b);
        return request(event_.a);
      case EventKind::kTokenSampled:
        below(event_.b, kMostId, "position");
        below(event_.c, std::numeric_limits<int32_t>::max(), "token");
        return request(event_.a);
      case EventKind::kRequestQueued:
      case EventKind::kRequestScheduled:
      case EventKind::kRequestPreempted:
      case EventKind::kRequestResumed:
      case EventKind::kPrefixHit:
        return request(event_.a);
      case EventKind::kPlanCaptured:
      case EventKind::kPlanReplayed:
        return;
      case EventKind::kCount:
        return below(static_cast<int64_t>(event_.kind), static_cast<int64_t>(EventKind::kCount),
                     "kind");
      default:
        return block();
    }
  }

 private:
  void refuse(const char* name, uint64_t found, int64_t most) const {
    in_.refuse("event names something that the run does not have", name, fmt::format("{}", found),
               allowed_text(most));
  }
  void below(int64_t value, int64_t count, const char* name) const {
    if (value >= count) refuse(name, static_cast<uint64_t>(value), count - 1);
  }
  void request(uint32_t id) const {
    if (!limits_.knows(id))
      in_.refuse("event is of no request of the run", "request", fmt::format("{}", id),
                 "a request of the run");
  }
  void sequence(uint32_t id) const {
    if (id != kPaddingRequest) request(id);
  }
  void layer() const { below(event_.layer, limits_.num_layers, "layer"); }
  void tile() const {
    const TileEvent tile = unpack_tile(event_);
    sequence(tile.request);
    below(static_cast<int64_t>(tile.kernel), kKernels, "kernel");
    layer();
    below(int64_t{tile.head} + tile.heads - 1, limits_.num_heads, "head");
  }
  void block() const {
    below(event_.a, limits_.num_blocks, "block");
    if (event_.b != kNoNumber) request(event_.b);
    if (event_.c != kNoNumber) {
      const bool marked = is_in_cross_table(event_.c) && limits_.has_both_tables();
      below(marked ? logical_block_of(event_.c) : event_.c, kMostId, "place in the table");
    }
    if (event_.kind == EventKind::kBlockCopied) below(event_.d, limits_.num_blocks, "from block");
    if (event_.kind == EventKind::kBlockSwappedOut || event_.kind == EventKind::kBlockSwappedIn)
      below(event_.d, limits_.num_swap_blocks, "swap block");
  }

  const TraceEvent& event_;
  const SessionLimits& limits_;
  uint32_t messages_;
  TakeBytes& in_;
};

}  // namespace

void put_event(const TraceEvent& event, PutBytes& out) {
  const uint64_t what = uint64_t{event.duration_ns} |
                        uint64_t{static_cast<uint8_t>(event.kind)} << 40 |
                        uint64_t{event.lane} << 48 | uint64_t{event.layer} << 56;
  out.raw(&event.begin_ns, 8);
  out.raw(&what, 8);
  for (const uint32_t number : {event.a, event.b, event.c, event.d}) out.raw(&number, 4);
}

TraceEvent take_event(TakeBytes& in, const SessionLimits& limits, uint32_t num_messages) {
  const std::string_view bytes = in.raw(uint64_t{kEventBytes}, "event");
  const auto what = at<uint64_t>(bytes, 8);
  TraceEvent event;
  event.begin_ns = at<uint64_t>(bytes, 0);
  event.duration_ns = what & kMaxDurationNs;
  const auto kind = static_cast<uint8_t>(what >> 40);
  if (kind >= static_cast<uint8_t>(EventKind::kCount))
    in.refuse("event is of no known kind", "kind", fmt::format("{}", kind),
              fmt::format("0 to {}", static_cast<int>(EventKind::kCount) - 1));
  event.kind = static_cast<EventKind>(kind);
  event.lane = static_cast<uint8_t>(what >> 48);
  event.layer = static_cast<uint8_t>(what >> 56);
  event.a = at<uint32_t>(bytes, 16);
  event.b = at<uint32_t>(bytes, 20);
  event.c = at<uint32_t>(bytes, 24);
  event.d = at<uint32_t>(bytes, 28);
  EventCheck(event, limits, num_messages, in).run();
  return event;
}

void put_row_state(const RowStateEvent& event, PutBytes& out) {
  for (const uint32_t number : {event.request, event.query, event.k_begin, event.k_count})
    out.raw(&number, 4);
  out.raw(&event.max, 4);
  out.raw(&event.sum, 4);
  const uint8_t small[8] = {event.layer,
                            event.head,
                            event.lane,
                            static_cast<uint8_t>(event.kernel),
                            static_cast<uint8_t>(event.begins),
                            0,
                            0,
                            0};
  out.raw(small, sizeof small);
}

RowStateEvent take_row_state(TakeBytes& in, const SessionLimits& limits) {
  const std::string_view bytes = in.raw(uint64_t{kEventBytes}, "row state");
  RowStateEvent event;
  event.request = at<uint32_t>(bytes, 0);
  event.query = at<uint32_t>(bytes, 4);
  event.k_begin = at<uint32_t>(bytes, 8);
  event.k_count = at<uint32_t>(bytes, 12);
  event.max = at<float>(bytes, 16);
  event.sum = at<float>(bytes, 20);
  event.layer = at<uint8_t>(bytes, 24);
  event.head = at<uint8_t>(bytes, 25);
  event.lane = at<uint8_t>(bytes, 26);
  const auto kernel = at<uint8_t>(bytes, 27), begins = at<uint8_t>(bytes, 28);
  const auto below = [&](uint64_t value, int64_t count, const char* name) {
    if (value >= static_cast<uint64_t>(count))
      in.refuse("row state names something that the run does not have", name,
                fmt::format("{}", value), allowed_text(count - 1));
  };
  if (event.request != kPaddingRequest && !limits.knows(event.request))
    in.refuse("row state is of no request of the run", "request", fmt::format("{}", event.request),
              "a request of the run");
  below(event.query, kMostId + 1, "query");
  below(event.k_begin, kMostId + 1, "first key");
  below(event.k_count, kMostId + 1, "keys");
  below(event.layer, limits.num_layers, "layer");
  below(event.head, limits.num_heads, "head");
  below(event.lane, limits.num_lanes, "lane");
  below(kernel, kKernels, "kernel");
  below(begins, 2, "begins");
  for (size_t i = 29; i < kEventBytes; ++i) below(at<uint8_t>(bytes, i), 1, "zeros");
  event.kernel = static_cast<KernelId>(kernel);
  event.begins = begins == 1;
  return event;
}

}  // namespace attn
