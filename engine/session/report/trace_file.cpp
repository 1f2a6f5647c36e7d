// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/report/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace attn {
namespace {

void write_names(const EngineSnapshot& snapshot, TraceFile& file) {
  const std::string title = snapshot.scenario ? snapshot.scenario->title : "";
  file.name_process(TraceThread::kEngine,
                    fmt::format("Engine{}{}{}", title.empty() ? "" : ": ", title,
                                snapshot.modelled_time ? " (modelled time)" : ""));
  file.name_process(TraceThread::kRequests, "Requests");
  file.name_thread({TraceThread::kEngine, kEngineLane}, "engine: scheduler and kernels");
  for (int worker = 0; worker + 1 < snapshot.num_lanes; ++worker)
    file.name_thread({TraceThread::kEngine, lane_of_worker(worker)},
                     fmt::format("worker {}", worker));
  for (const RequestView& request : snapshot.requests)
    file.name_thread({TraceThread::kRequests, request.id}, request.name);
}

void write_event(const TraceEvent& event, const std::vector<std::string>& messages,
                 TraceFile& file) {
  std::vector<EventField> fields;
  if (event.layer != kNoLayer) fields.push_back({"layer", event.layer, {}});
  for (EventField field : fields_of(event)) {
    if (field.name == "message" && event.a < messages.size()) field.text = messages[event.a];
    fields.push_back(field);
  }
  const TraceThread thread{TraceThread::kEngine, event.lane};
  if (is_span(event.kind))
    file.span(thread, event.begin_ns, event.duration_ns, name_of(event.kind), label_of(event),
              fields);
  else
    file.instant(thread, event.begin_ns, name_of(event.kind), label_of(event), fields);
}

// Writes the states of each request as spans of a thread of its own.
class RequestSpans {
 public:
  RequestSpans(const EngineSnapshot& snapshot, TraceFile& file) : file_(file) {
    for (const RequestView& request : snapshot.requests)
      open_[request.id] = {"QUEUED", request.times.queued_ns};
  }
  void see(const TraceEvent& event) {
    switch (event.kind) {
      case EventKind::kRequestScheduled:
        decodes_.erase(event.a);
        change(event, "PREFILL");
        break;
      case EventKind::kTokenSampled:
        decodes_.insert(event.a);
        if (open_[event.a].state == "PREFILL") change(event, "DECODE");
        break;
      case EventKind::kRequestPreempted:
        change(event, event.d == 1 ? "SWAPPED" : "PREEMPTED");
        break;
      case EventKind::kRequestResumed:
        change(event, decodes_.contains(event.a) ? "DECODE" : "PREFILL");
        break;
      case EventKind::kRequestForked:
        decodes_.insert(event.a);
        change(event, "DECODE");
        break;
      case EventKind::kRequestFinished:
        change(event, "");
        break;
      default:
        break;
    }
  }
  void close(uint64_t end_of_run) {
    for (const auto& [request, span] : open_) write(request, span, end_of_run);
  }

 private:
  struct Span {
    std::string_view state;
    uint64_t begin_ns = 0;
  };
  void change(const TraceEvent& event, std::string_view state) {
    write(event.a, open_[event.a], event.begin_ns);
    open_[event.a] = {state, event.begin_ns};
  }
  void write(uint32_t request, const Span& span, uint64_t end_ns) {
    if (span.state.empty()) return;
    const EventField fields[] = {{"request", request, {}}};
    file_.span({TraceThread::kRequests, request}, span.begin_ns,
               std::max(end_ns, span.begin_ns) - span.begin_ns, "request", span.state, fields);
  }

  TraceFile& file_;
  std::map<uint32_t, Span> open_;
  std::set<uint32_t> decodes_;  // requests that are past their prefill
};

void write_counters(const EngineSnapshot& snapshot, TraceFile& file) {
  if (!snapshot.steps) return;
  for (const StepRecord& step : *snapshot.steps) {
    const EventField blocks[] = {{"used", step.used_blocks, {}}};
    const EventField requests[] = {{"running", step.running, {}}, {"waiting", step.waiting, {}}};
    file.counter("KV blocks", step.end_ns, blocks);
    file.counter("requests", step.end_ns, requests);
  }
}

}  // namespace

void walk_trace(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                const std::vector<std::string>& messages, TraceFile& file) {
  write_names(snapshot, file);
  uint64_t end_of_run =
      snapshot.steps && !snapshot.steps->empty() ? snapshot.steps->back().end_ns : 0;
  for (const TraceEvent& event : events) {
    end_of_run = std::max(end_of_run, event.begin_ns + event.duration_ns);
    write_event(event, messages, file);
  }
  RequestSpans requests(snapshot, file);
  for (const TraceEvent& event : events) requests.see(event);
  requests.close(end_of_run);
  write_counters(snapshot, file);
}

}  // namespace attn
