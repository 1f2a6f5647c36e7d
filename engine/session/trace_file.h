// SPDX-License-Identifier: GPL-3.0-or-later
// TraceFile: what a trace file says, whatever its format: processes, threads, spans, instants,
// counters. walk_trace() tells a run to one; each format is a TraceFile. Private to the traces of
// reports. Any thread that owns the snapshot.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/report.h"

namespace attn {

// A lane of the trace: the engine's or a worker's, or a request's.
struct TraceThread {
  enum Process { kEngine = 1, kRequests = 2 };
  Process process = kEngine;
  uint32_t number = 0;  // the lane, or the request
};

class TraceFile {
 public:
  virtual ~TraceFile() = default;
  virtual void name_process(TraceThread::Process process, std::string_view name) = 0;
  virtual void name_thread(TraceThread thread, std::string_view name) = 0;
  // Those of a thread lie inside each other or apart.
  virtual void span(TraceThread thread, uint64_t begin_ns, uint64_t duration_ns,
                    std::string_view category, std::string_view name,
                    std::span<const EventField> fields) = 0;
  virtual void instant(TraceThread thread, uint64_t at_ns, std::string_view category,
                       std::string_view name, std::span<const EventField> fields) = 0;
  // One or more values under a name, at a time.
  virtual void counter(std::string_view name, uint64_t at_ns,
                       std::span<const EventField> series) = 0;
};

// events: Recorder::sorted(). messages: Recorder::messages(), for the text of warnings.
void walk_trace(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                const std::vector<std::string>& messages, TraceFile& file);

}  // namespace attn
