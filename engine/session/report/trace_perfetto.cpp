// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a run in the trace format of Perfetto: a protobuf message `Trace` of packets. Field
// numbers are those of Perfetto's public schema (protos/perfetto/trace: trace_packet, track_event,
// track_descriptor, process_descriptor, debug_annotation, interned_data).
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "engine/session/report/trace_file.h"

namespace attn {
namespace {

// A message in the wire format of protobuf: its fields, one after another.
class Message {
 public:
  void number(uint32_t field, uint64_t value) {
    varint(uint64_t{field} << 3);
    varint(value);
  }
  void text(uint32_t field, std::string_view value) {
    varint(uint64_t{field} << 3 | 2);
    varint(value.size());
    bytes_.append(value);
  }
  void message(uint32_t field, const Message& value) { text(field, value.bytes_); }
  bool empty() const { return bytes_.empty(); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

namespace packet {
constexpr uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12,
                   kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr uint64_t kCleared = 1, kNeeds = 2;  // SEQ_INCREMENTAL_STATE_CLEARED, SEQ_NEEDS_...
}  // namespace packet
namespace descriptor {
constexpr uint32_t kUuid = 1, kName = 2, kProcess = 3, kParent = 5, kCounter = 8, kOrdering = 11,
                   kRank = 12;
constexpr uint64_t kExplicit = 3;  // children sorted by rank
}  // namespace descriptor
namespace track_event {
constexpr uint32_t kCategory = 3, kAnnotation = 4, kType = 9, kName = 10, kTrack = 11,
                   kCounterValue = 30;
enum Type : uint64_t { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };
}  // namespace track_event
namespace annotation {
constexpr uint32_t kName = 1, kInt = 4, kText = 6;
}  // namespace annotation

class PerfettoTrace : public TraceFile {
 public:
  explicit PerfettoTrace(Pieces& out) : out_(out) {}
  void end() {
    for (auto& [track, spans] : spans_) write_spans(track, spans);
  }

  void name_process(TraceThread::Process process, std::string_view name) override {
    Message details;
    details.number(1, static_cast<uint64_t>(process));  // pid
    details.text(6, name);                              // process_name
    Message track;
    track.number(descriptor::kUuid, static_cast<uint64_t>(process));
    track.message(descriptor::kProcess, details);
    track.number(descriptor::kOrdering, descriptor::kExplicit);
    write_track(track);
  }
  void name_thread(TraceThread thread, std::string_view name) override {
    Message track;
    track.number(descriptor::kUuid, track_of(thread));
    track.text(descriptor::kName, name);
    track.number(descriptor::kParent, static_cast<uint64_t>(thread.process));
    track.number(descriptor::kRank, thread.number);
    write_track(track);
  }
  void span(TraceThread thread, uint64_t begin_ns, uint64_t duration_ns, std::string_view category,
            std::string_view name, std::span<const EventField> fields) override {
    const Message begin = named(track_event::kBegin, track_of(thread), category, name, fields);
    Spans& spans = spans_[track_of(thread)];
    spans.list.push_back({begin_ns, begin_ns + duration_ns, spans.bytes.size(),
                          static_cast<uint32_t>(begin.bytes().size())});
    spans.bytes += begin.bytes();
  }
  void instant(TraceThread thread, uint64_t at_ns, std::string_view category, std::string_view name,
               std::span<const EventField> fields) override {
    write(at_ns, named(track_event::kInstant, track_of(thread), category, name, fields));
  }
  void counter(std::string_view name, uint64_t at_ns, std::span<const EventField> series) override {
    for (const EventField& value : series) {
      Message event;
      event.number(track_event::kType, track_event::kCounter);
      event.number(track_event::kTrack,
                   counter_track(std::string(name) + ": " + std::string(value.name)));
      event.number(track_event::kCounterValue, static_cast<uint64_t>(value.number));
      write(at_ns, event);
    }
  }

 private:
  struct Span {
    uint64_t begin_ns = 0, end_ns = 0;
    size_t offset = 0;  // of its event in Spans::bytes
    uint32_t size = 0;
  };
  struct Spans {
    std::vector<Span> list;
    std::string bytes;
  };
  enum Kind { kCategories, kNames, kAnnotationNames };  // the value + 1 is a field of InternedData

  static uint64_t track_of(TraceThread thread) {
    return static_cast<uint64_t>(thread.process) << 40 | (uint64_t{thread.number} + 1);
  }

  // The number of an interned name. A new name is also added to `interned`.
  uint64_t number_of(Kind kind, std::string_view name, Message& interned) {
    auto& known = names_[kind];
    const auto [at, is_new] = known.try_emplace(std::string(name), known.size() + 1);
    if (is_new) {
      Message entry;
      entry.number(1, at->second);
      entry.text(2, name);
      interned.message(static_cast<uint32_t>(kind) + 1, entry);
    }
    return at->second;
  }

  Message named(track_event::Type type, uint64_t track, std::string_view category,
                std::string_view name, std::span<const EventField> fields) {
    Message event, interned;
    event.number(track_event::kType, type);
    event.number(track_event::kTrack, track);
    event.number(track_event::kCategory, number_of(kCategories, category, interned));
    event.number(track_event::kName, number_of(kNames, name, interned));
    for (const EventField& field : fields) {
      Message one;
      one.number(annotation::kName, number_of(kAnnotationNames, field.name, interned));
      if (field.text.empty())
        one.number(annotation::kInt, static_cast<uint64_t>(field.number));
      else
        one.text(annotation::kText, field.text);
      event.message(track_event::kAnnotation, one);
    }
    // Writes new names at once. Spans are written at the end, and packets before them may use the
    // same names.
    if (!interned.empty()) {
      Message out = packet();
      out.message(packet::kInternedData, interned);
      put(out);
    }
    return event;
  }

  uint64_t counter_track(const std::string& name) {
    const auto [at, is_new] = counters_.try_emplace(name, counters_.size());
    const uint64_t uuid = uint64_t{3} << 40 | at->second;
    if (is_new) {
      Message track;
      track.number(descriptor::kUuid, uuid);
      track.text(descriptor::kName, name);
      track.number(descriptor::kParent, TraceThread::kEngine);
      track.message(descriptor::kCounter, {});
      track.number(descriptor::kRank, 1000 + at->second);
      write_track(track);
    }
    return uuid;
  }

  // Writes begins and ends in nested order; a span that outlasts the one around it is cut. At one
  // time ends go before begins of other spans; of two that begin together the longer goes first.
  void write_spans(uint64_t track, Spans& spans) {
    std::ranges::stable_sort(spans.list, [](const Span& a, const Span& b) {
      return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
    });
    Message end;
    end.number(track_event::kType, track_event::kEnd);
    end.number(track_event::kTrack, track);
    std::vector<uint64_t> open;  // ends, the innermost last
    const auto close_until = [&](uint64_t now) {
      for (; !open.empty() && open.back() <= now; open.pop_back()) write(open.back(), end);
    };
    for (const Span& span : spans.list) {
      close_until(span.begin_ns);
      write(span.begin_ns, std::string_view(spans.bytes).substr(span.offset, span.size));
      open.push_back(open.empty() ? span.end_ns : std::min(span.end_ns, open.back()));
    }
    close_until(~uint64_t{0});
  }

  void write_track(const Message& track) {
    Message out = packet();
    out.message(packet::kTrackDescriptor, track);
    put(out);
  }
  void write(uint64_t at_ns, const Message& event) { write(at_ns, event.bytes()); }
  void write(uint64_t at_ns, std::string_view event) {
    Message out = packet();
    out.number(packet::kTimestamp, at_ns);
    out.text(packet::kTrackEvent, event);
    put(out);
  }
  // Appends a packet to the message `Trace`, in which it is field 1.
  void put(const Message& packet) {
    Message trace;
    trace.message(1, packet);
    out_.text() += trace.bytes();
    out_.end_row();
  }
  Message packet() {
    Message out;
    out.number(packet::kSequence, 1);
    out.number(packet::kSequenceFlags,
               is_first_ ? packet::kCleared | packet::kNeeds : packet::kNeeds);
    is_first_ = false;
    return out;
  }

  Pieces& out_;
  std::map<uint64_t, Spans> spans_;  // by track
  std::unordered_map<std::string, uint64_t> names_[3];
  std::map<std::string, uint64_t> counters_;
  bool is_first_ = true;
};

}  // namespace

void write_trace_perfetto(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                          const std::vector<std::string>& messages, Pieces& out) {
  PerfettoTrace file(out);
  walk_trace(snapshot, events, messages, file);
  file.end();
}

std::string trace_perfetto(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                           const std::vector<std::string>& messages) {
  Pieces out;
  write_trace_perfetto(snapshot, events, messages, out);
  return std::move(out).whole();
}

}  // namespace attn
