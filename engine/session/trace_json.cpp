// SPDX-License-Identifier: GPL-3.0-or-later
// The Chrome trace event format, as Perfetto and chrome://tracing read it: "X" spans, "i" instants,
// "C" counters, "M" names. Times are microseconds with three decimals, so that no nanosecond is
// lost.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/session/report.h"

namespace attn {
namespace {

using Out = std::back_insert_iterator<std::string>;
constexpr int kEngineProcess = 1, kRequestProcess = 2;

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string micro(uint64_t ns) {
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

void name_thread(std::string& out, int process, uint32_t thread, std::string_view name) {
  fmt::format_to(
      Out(out),
      ",\n{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}",
      process, thread, json_text(name));
  fmt::format_to(Out(out),
                 ",\n{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_sort_index\",\"args\":{"
                 "{\"sort_index\":{}}}}}",
                 process, thread, thread);
}

void write_names(std::string& out, const EngineSnapshot& snapshot) {
  const std::string title = snapshot.scenario ? snapshot.scenario->title : "";
  const std::string engine = fmt::format("Engine{}{}{}", title.empty() ? "" : ": ", title,
                                         snapshot.modelled_time ? " (modelled time)" : "");
  fmt::format_to(Out(out),
                 "{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":{}}}}}",
                 kEngineProcess, json_text(engine));
  fmt::format_to(
      Out(out),
      ",\n{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":\"Requests\"}}}}",
      kRequestProcess);
  name_thread(out, kEngineProcess, kEngineLane, "engine: scheduler and kernels");
  for (int worker = 0; worker + 1 < snapshot.num_lanes; ++worker)
    name_thread(out, kEngineProcess, lane_of_worker(worker), fmt::format("worker {}", worker));
  for (const RequestView& request : snapshot.requests)
    name_thread(out, kRequestProcess, request.id, request.name);
}

void write_event(std::string& out, const TraceEvent& event,
                 const std::vector<std::string>* messages) {
  const bool span = is_span(event.kind);
  fmt::format_to(Out(out), ",\n{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},", span ? "X" : "i",
                 kEngineProcess, event.lane, micro(event.begin_ns));
  if (span) {
    fmt::format_to(Out(out), "\"dur\":{},", micro(event.duration_ns));
  } else {
    out += "\"s\":\"t\",";
  }
  fmt::format_to(Out(out), "\"cat\":\"{}\",\"name\":{},\"args\":{{", name_of(event.kind),
                 json_text(label_of(event)));
  bool first = true;
  const auto separate = [&] {
    if (!first) out += ',';
    first = false;
  };
  if (event.layer != kNoLayer) {
    separate();
    fmt::format_to(Out(out), "\"layer\":{}", event.layer);
  }
  for (const EventField& field : fields_of(event)) {
    separate();
    const bool message = field.name == "message" && messages && event.a < messages->size();
    if (message || !field.text.empty()) {
      fmt::format_to(Out(out), "\"{}\":{}", field.name,
                     json_text(message ? (*messages)[event.a] : field.text));
    } else {
      fmt::format_to(Out(out), "\"{}\":{}", field.name, field.number);
    }
  }
  out += "}}";
}

// The states of a request as spans of its own thread, from the events that change them.
class RequestSpans {
 public:
  RequestSpans(std::string& out, const EngineSnapshot& snapshot) : out_(out) {
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
    fmt::format_to(Out(out_),
                   ",\n{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"cat\":"
                   "\"request\",\"name\":\"{}\","
                   "\"args\":{{\"request\":{}}}}}",
                   kRequestProcess, request, micro(span.begin_ns),
                   micro(std::max(end_ns, span.begin_ns) - span.begin_ns), span.state, request);
  }

  std::string& out_;
  std::map<uint32_t, Span> open_;
  std::set<uint32_t> decodes_;  // requests that are past their prefill, also while they are out
};

void write_counters(std::string& out, const EngineSnapshot& snapshot) {
  if (!snapshot.steps) return;
  for (const StepRecord& step : *snapshot.steps) {
    fmt::format_to(
        Out(out),
        ",\n{{\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":\"KV blocks\",\"args\":{{\"used\":{}}}}}",
        kEngineProcess, micro(step.end_ns), step.used_blocks);
    fmt::format_to(Out(out),
                   ",\n{{\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":\"requests\",\"args\":{{"
                   "\"running\":{},\"waiting\":{}}}}}",
                   kEngineProcess, micro(step.end_ns), step.running, step.waiting);
  }
}

}  // namespace

std::string trace_json(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                       const std::vector<std::string>& messages) {
  std::string out;
  out.reserve(events.size() * 200 + 4096);
  fmt::format_to(Out(out),
                 "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"program\":\"Attention Workbench "
                 "{}\",\"modelled\":{}}},"
                 "\"traceEvents\":[\n",
                 ATTN_VERSION, snapshot.modelled_time);
  write_names(out, snapshot);
  uint64_t end_of_run =
      snapshot.steps && !snapshot.steps->empty() ? snapshot.steps->back().end_ns : 0;
  for (const TraceEvent& event : events) {
    end_of_run = std::max(end_of_run, event.begin_ns + event.duration_ns);
    write_event(out, event, &messages);
  }
  RequestSpans requests(out, snapshot);
  for (const TraceEvent& event : events) requests.see(event);
  requests.close(end_of_run);
  write_counters(out, snapshot);
  out += "\n]}\n";
  return out;
}

}  // namespace attn
