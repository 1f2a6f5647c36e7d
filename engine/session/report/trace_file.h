// SPDX-License-Identifier: GPL-3.0-or-later
// TraceFile: what walk_trace() writes a run into: processes, threads, spans, instants and counters.
// The trace formats derive from it. Any thread that owns the snapshot.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/report/report.h"

namespace attn {

// A row of the trace: the engine's lane, a worker's lane, or a request.
struct TraceThread {
  enum Process { kEngine = 1, kRequests = 2 };
  Process process = kEngine;
  uint32_t number = 0;  // of the lane or request
};

class TraceFile {
 public:
  virtual ~TraceFile() = default;
  virtual void name_process(TraceThread::Process process, std::string_view name) = 0;
  virtual void name_thread(TraceThread thread, std::string_view name) = 0;
  // Two spans of one thread should nest or not overlap.
  virtual void span(TraceThread thread, uint64_t begin_ns, uint64_t duration_ns,
                    std::string_view category, std::string_view name,
                    std::span<const EventField> fields) = 0;
  virtual void instant(TraceThread thread, uint64_t at_ns, std::string_view category,
                       std::string_view name, std::span<const EventField> fields) = 0;
  virtual void counter(std::string_view name, uint64_t at_ns,
                       std::span<const EventField> series) = 0;
};

// Gives `file` the names, spans, instants and counters of the run. events: Recorder::sorted().
// messages: Recorder::messages(), for the text of warnings.
void walk_trace(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                const std::vector<std::string>& messages, TraceFile& file);

}  // namespace attn
