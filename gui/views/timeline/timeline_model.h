// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineModel: trace events as lanes of spans: one per request, two or three of the engine
// (steps, kernels, marks) and one per worker. Plain data, no Widgets. Times: ns on the run's clock.
// One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"
#include "engine/trace/lod_index.h"

namespace attn::gui {

enum class SpanClass : uint8_t {
  kPrefill,
  kDecode,
  kLinear,
  kOther,
  kCacheWrite,
  kCopy,
  kSchedule,
  kQueued,
  kPreempted,
  kSwapped,
  kMixed,  // prefill and decode tokens
};
inline constexpr int kSpanClasses = 11;
static_assert(kSpanClasses == LodIndex::kClasses);
// kMixed: the step has tokens of both kinds.
SpanClass class_of_step(int64_t prefill_tokens, int64_t decode_tokens);
const char* name_of(
    SpanClass span_class);  // "prefill": for legends, texts and tables; not translated here

// kMarks: instants beside the kernels, such as the split of a batch into calls.
enum class LaneKind { kRequest, kSteps, kKernels, kMarks, kWorker };

struct TimelineLane {
  LaneKind kind = LaneKind::kWorker;
  uint32_t id = 0;   // number of the request or worker
  std::string name;  // "Lily", "steps", "worker 0"
  LodIndex spans;
  struct Open {
    uint64_t begin_ns = 0;
    uint32_t event = 0;
    SpanClass span_class = SpanClass::kQueued;
  };
  std::optional<Open> open;
  struct Token {
    uint64_t time_ns = 0;
    uint32_t event = 0;
  };
  std::vector<Token> tokens;  // sampled tokens, by time
  bool has_decoded = false;   // a request: a token was sampled, or it began as a fork
};

class TimelineModel {
 public:
  void clear();
  // Takes the events [first, first + events.size()) of the run, in order of recording.
  void append(std::span<const TraceEvent> events, uint32_t first);
  // Adds missing lanes of requests and, if there are events, of workers. Takes names of requests.
  void set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);
  // Restricts lanes(), snapshot(), end_ns() and counts to the end of this snapshot's last step;
  // null: no limit. The spans in a lane are not cut: see until_ns().
  void set_past(std::shared_ptr<const EngineSnapshot> past);
  bool is_past() const { return past_ != nullptr; }

  uint64_t version() const { return version_; }                     // grows with every change
  uint64_t end_ns() const { return std::min(end_ns_, until_ns_); }  // newest time shown
  uint64_t run_end_ns() const { return end_ns_; }                   // newest time seen
  uint64_t until_ns() const { return until_ns_; }  // spans that begin then or later are hidden
  bool empty() const { return num_spans_ == 0; }
  uint64_t num_spans() const;  // number of shown spans, without open states
  const std::shared_ptr<const EngineSnapshot>& snapshot() const {
    return past_ ? past_ : snapshot_;
  }
  bool modelled_time() const { return snapshot() && snapshot()->modelled_time; }
  // The lanes from top to bottom: requests by id, steps, kernels, marks if there are any, workers.
  const std::vector<TimelineLane*>& lanes() const { return lanes_; }

  // lane -1: no shown lane has a span of the event.
  struct Place {
    int lane = -1;
    uint64_t position = 0;
  };
  Place place_of(uint32_t event, const TraceEvent& data) const;
  // Counts the spans, and the open state, that touch [begin, end).
  LodStatistics statistics(int lane, uint64_t begin_ns, uint64_t end_ns) const;

 private:
  TimelineLane& request_lane(uint32_t request);
  TimelineLane& worker_lane(uint32_t worker);
  TimelineLane& marks_lane();
  void add(TimelineLane& lane, const LodSpan& span);
  // kind: any but kRequest.
  void add_engine(LaneKind kind, const TraceEvent& event, uint32_t index);
  void enter_state(uint32_t request, uint64_t time_ns, uint32_t event,
                   std::optional<SpanClass> state);
  void add_request_event(const TraceEvent& event, uint32_t index);
  // The state of a request at a time; kQueued before its first state.
  SpanClass state_at(uint32_t request, uint64_t time_ns);
  void rebuild_order();
  void name_lanes();

  std::vector<std::unique_ptr<TimelineLane>> requests_;  // in order of id
  std::vector<std::unique_ptr<TimelineLane>> workers_;
  std::unique_ptr<TimelineLane> steps_, kernels_;
  std::unique_ptr<TimelineLane> marks_;  // null until the first mark
  std::vector<TimelineLane*> lanes_;
  std::shared_ptr<const EngineSnapshot> snapshot_, past_;
  // The class of the last tile of the kernel `reference`, by the state of its request: this kernel
  // computes prefills and decodes.
  SpanClass either_class_ = SpanClass::kPrefill;
  int num_prefilling_ = 0;  // requests whose state is kPrefill
  uint64_t version_ = 1, end_ns_ = 0, num_spans_ = 0;
  uint64_t until_ns_ = UINT64_MAX;
};

// if_either: the class of a kernel that computes prefills and decodes.
SpanClass class_of_kernel(KernelId kernel, SpanClass if_either);
SpanClass class_of(const TraceEvent& event, SpanClass if_either);

}  // namespace attn::gui
