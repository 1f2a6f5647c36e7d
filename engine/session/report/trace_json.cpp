// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a run in the Chrome trace event format. "X": spans, "i": instants, "C": counters, "M":
// names and the order of threads. Times are microseconds with three decimals.
#include <fmt/format.h>

#include <iterator>

#include "engine/core/files/json_writer.h"
#include "engine/session/report/trace_file.h"

namespace attn {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string micro(uint64_t ns) {
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

class JsonTrace : public TraceFile {
 public:
  JsonTrace(const EngineSnapshot& snapshot, Pieces& pieces) : pieces_(pieces) {
    fmt::format_to(Out(out_),
                   "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"program\":\"Attention Workbench "
                   "{}\",\"modelled\":{}}},"
                   "\"traceEvents\":[",
                   ATTN_VERSION, snapshot.modelled_time);
  }
  void end() { out_ += "\n]}\n"; }

  void name_process(TraceThread::Process process, std::string_view name) override {
    begin();
    fmt::format_to(Out(out_),
                   "\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":{}}}}}",
                   static_cast<int>(process), json_text(name));
  }
  void name_thread(TraceThread thread, std::string_view name) override {
    const auto process = static_cast<int>(thread.process);
    begin();
    fmt::format_to(
        Out(out_),
        "\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}",
        process, thread.number, json_text(name));
    begin();
    fmt::format_to(Out(out_),
                   "\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_sort_index\",\"args\":{{"
                   "\"sort_index\":{}}}}}",
                   process, thread.number, thread.number);
  }
  void span(TraceThread thread, uint64_t begin_ns, uint64_t duration_ns, std::string_view category,
            std::string_view name, std::span<const EventField> fields) override {
    begin();
    fmt::format_to(Out(out_), "\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},",
                   static_cast<int>(thread.process), thread.number, micro(begin_ns),
                   micro(duration_ns));
    end(category, name, fields);
  }
  void instant(TraceThread thread, uint64_t at_ns, std::string_view category, std::string_view name,
               std::span<const EventField> fields) override {
    begin();
    fmt::format_to(Out(out_), "\"ph\":\"i\",\"pid\":{},\"tid\":{},\"ts\":{},\"s\":\"t\",",
                   static_cast<int>(thread.process), thread.number, micro(at_ns));
    end(category, name, fields);
  }
  void counter(std::string_view name, uint64_t at_ns, std::span<const EventField> series) override {
    begin();
    fmt::format_to(Out(out_), "\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":{},\"args\":",
                   static_cast<int>(TraceThread::kEngine), micro(at_ns), json_text(name));
    write_fields(series);
    out_ += '}';
  }

 private:
  void begin() {
    pieces_.end_row();
    out_ += is_first_ ? "\n{" : ",\n{";
    is_first_ = false;
  }
  void end(std::string_view category, std::string_view name, std::span<const EventField> fields) {
    fmt::format_to(Out(out_), "\"cat\":\"{}\",\"name\":{},\"args\":", category, json_text(name));
    write_fields(fields);
    out_ += '}';
  }
  void write_fields(std::span<const EventField> fields) {
    out_ += '{';
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i > 0) out_ += ',';
      if (fields[i].text.empty())
        fmt::format_to(Out(out_), "\"{}\":{}", fields[i].name, fields[i].number);
      else
        fmt::format_to(Out(out_), "\"{}\":{}", fields[i].name, json_text(fields[i].text));
    }
    out_ += '}';
  }

  Pieces& pieces_;
  std::string& out_ = pieces_.text();
  bool is_first_ = true;
};

}  // namespace

void write_trace_json(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                      const std::vector<std::string>& messages, Pieces& out) {
  JsonTrace file(snapshot, out);
  walk_trace(snapshot, events, messages, file);
  file.end();
}

std::string trace_json(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                       const std::vector<std::string>& messages) {
  Pieces out;
  write_trace_json(snapshot, events, messages, out);
  return std::move(out).whole();
}

}  // namespace attn
