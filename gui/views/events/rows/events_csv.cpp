// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/rows/events_csv.h"

#include <algorithm>
#include <charconv>

#include "engine/session/report/report.h"

namespace attn::gui {
namespace {

constexpr uint64_t kRowsAtOnce = 1 << 12;  // rows read and written at a time

void append(std::string& out, uint64_t value) {
  std::array<char, 24> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void append_or_nothing(std::string& out, int64_t value) {
  out += ',';
  if (value >= 0) append(out, static_cast<uint64_t>(value));
}

struct Writer {
  const EventRowsPicture& rows;
  std::string out, details;
  size_t near = 0;

  void write(const TraceEvent& event, uint32_t index) {
    append(out, event.begin_ns);
    append(out += ',', event.duration_ns);
    (out += ',') += name_of(event.kind);
    append(out += ',', event.lane);
    append_or_nothing(out, rows.steps.step_at(event, index, near).step);
    append_or_nothing(out, event.layer == kNoLayer ? -1 : int64_t{event.layer});
    append_or_nothing(out, request_of(event));
    append_or_nothing(out, block_of(event));
    details.clear();
    append_details(details, event, rows.messages);
    (out += ',') += csv_cell(details);
    for (const uint32_t number : {event.a, event.b, event.c, event.d}) append(out += ',', number);
    out += '\n';
  }
};

}  // namespace

QByteArray events_csv(const EventRowsPicture& rows) {
  Writer writer{rows, {}, {}, 0};
  writer.out = "begin_ns,duration_ns,kind,lane,step,layer,request,block,details,a,b,c,d\n";
  QByteArray csv;
  std::vector<TraceEvent> events;
  for (uint64_t row = 0; row < rows.size(); row += kRowsAtOnce) {
    const uint64_t count = std::min(kRowsAtOnce, rows.size() - row);
    events.clear();
    if (rows.all && !rows.reversed) {
      rows.recorder->read(row, events, count);
    } else {
      for (uint64_t i = 0; i < count; ++i) rows.recorder->read(rows.event_at(row + i), events, 1);
    }
    for (uint64_t i = 0; i < count; ++i) writer.write(events[i], rows.event_at(row + i));
    csv.append(writer.out.data(), static_cast<qsizetype>(writer.out.size()));
    writer.out.clear();
  }
  if (!writer.out.empty()) csv.append(writer.out.data(), static_cast<qsizetype>(writer.out.size()));
  return csv;
}

}  // namespace attn::gui
