// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/behind_session.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "engine/session/history/step_history.h"
#include "engine/session/page/run_page.h"
#include "engine/session/record/attention_row.h"
#include "engine/session/record/head_reader.h"
#include "engine/session/report/report.h"
#include "engine/trace/lod_index.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

constexpr int64_t kMostRows = 24;

void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void use_pieces(const LodIndex& lane, uint64_t begin, uint64_t end) {
  std::vector<LodPiece> pieces;
  for (const int columns : {1, 3, 130}) {
    pieces.clear();
    lane.pieces(begin, end, columns, pieces);
    for (const LodPiece& piece : pieces) {
      expect(piece.column < columns, "a piece lies behind the last column");
      expect(piece.begin_ns <= piece.end_ns, "a piece ends before it begins");
      expect(piece.coverage >= 0 && piece.coverage <= 1, "a column is covered more than once");
    }
    if (end <= begin) continue;
    uint64_t edge = begin;
    for (int column = 0; column <= columns; ++column) {
      const uint64_t next = LodIndex::column_begin(begin, end, columns, column);
      expect(next >= edge && next <= end, "columns are not in order");
      edge = next;
    }
    expect(edge == end, "the columns do not reach the end");
  }
  const LodStatistics sum = lane.statistics(begin, end);
  expect(sum.count <= lane.size(), "more spans than there are");
}

void use_lane(const LodIndex& lane) {
  constexpr uint64_t kEnd = std::numeric_limits<uint64_t>::max();
  use_pieces(lane, lane.begin_ns(), lane.end_ns());
  use_pieces(lane, 0, kEnd);
  use_pieces(lane, 0, lane.end_ns());
  for (const uint64_t i : {uint64_t{0}, lane.size() / 2, lane.size() - 1}) {
    const LodSpan& span = lane.span(i);
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint64_t around = uint64_t{1} << shift;
      use_pieces(lane, span.begin_ns - std::min(span.begin_ns, around),
                 span.end_ns + std::min(kEnd - span.end_ns, around));
      lane.at(span.begin_ns, around);
    }
    lane.at(span.end_ns);
    expect(lane.find_event(span.event) == i, "a span is not found by its event");
  }
}

void use_times(const std::vector<TraceEvent>& events, int num_lanes) {
  std::vector<LodIndex> lanes(static_cast<size_t>(num_lanes));
  for (size_t i = 0; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    label_of(event);
    lanes.at(event.lane)
        .append({event.begin_ns, event.begin_ns + event.duration_ns, static_cast<uint32_t>(i),
                 static_cast<uint8_t>(event.kind)});
  }
  for (const LodIndex& lane : lanes)
    if (!lane.empty()) use_lane(lane);
}

void use_tables(const EngineSnapshot& shot) {
  requests_csv(shot);
  steps_csv(shot);
  block_table_csv(shot);
  generated_text(shot);
}

void use_history(const EngineSnapshot& shot) {
  if (!shot.history) return;
  const StepHistory::Range range = shot.history->range();
  if (range.empty()) return;
  for (uint32_t step = range.first; step <= range.last; ++step) {
    const auto past = shot.history->restore(shot, step);
    expect(past != nullptr, "a step of the history cannot be restored");
    expect(past->requests.size() <= shot.requests.size(), "the past has more requests");
    use_tables(*past);
  }
  expect(!shot.history->restore(shot, range.last + 1), "there is a step after the last");
}

void use_record(const RequestView& request) {
  const AttentionRecord& record = *request.attention;
  const int64_t rows = std::min(kMostRows, record.num_rows());
  const int64_t heads = record.shape().num_heads;
  heads_csv(request, rows);
  std::vector<float> weights;
  for (int64_t layer = 0; layer < record.shape().num_layers; ++layer) {
    const int64_t keys = record.num_keys(layer);
    weights.resize(static_cast<size_t>(rows * keys));
    for (int64_t head = 0; head < heads; ++head) {
      record.weights(layer, head, 0, rows, 0, keys, weights.data());
      for (int64_t row = 0; row < rows; row += 5)
        for (int64_t key = 0; key < keys; key += 3) record.operands(layer, head, row, key);
      for (int64_t row = 0; row < rows; row += 5) attention_row(record, layer, head, row);
      record.operands(layer, head, rows - 1, keys - 1);
      record.operands(layer, head, record.num_rows(), keys);
    }
    const int64_t all[] = {0, heads - 1};
    LineFilter filter;
    head_lines_csv(request, layer, all, filter, rows);
    heatmap_csv(request, layer, heads - 1, rows);
  }
}

void use_report(const Session& session) {
  ReportInputs inputs;
  inputs.snapshot = session.snapshot.get();
  inputs.events = session.recorder->sorted();
  inputs.messages = session.recorder->messages();
  inputs.notes = session.notes;
  inputs.counts = session.recorder->counts();
  const EngineSnapshot& shot = *session.snapshot;
  use_tables(shot);
  blocks_csv(shot, inputs.events);
  prefix_hits_csv(inputs.events);
  kernels_csv(inputs.events);
  timeline_csv(inputs.events);
  trace_json(shot, inputs.events, inputs.messages);
  trace_perfetto(shot, inputs.events, inputs.messages);
  notes_csv(inputs.notes);
  if (shot.steps && !shot.steps->empty())
    run_page_data({.snapshot = session.snapshot.get(), .events = &inputs.events});
  index_html(inputs, {"steps.csv"});
  manifest_json(inputs);
}

// Saves the session, loads it and saves it again: the second file must equal the first.
void save_again(const Session& session, const std::filesystem::path& scratch) {
  RowStateLog row_states;
  for (const RowStateEvent& state : session.row_states) row_states.row_state(state);
  const auto save = [&scratch](const Session& from, const RowStateLog& states) {
    save_session(scratch, {from.snapshot, from.recorder.get(), &states, from.view, from.notes});
    return test::read_bytes(scratch);
  };
  const std::string first = save(session, row_states);
  const Session again = load_session(scratch);
  expect(again.notes == session.notes, "notes were lost");
  expect(again.row_states.size() == session.row_states.size(), "row states were lost");
  expect(save(again, row_states) == first, "a session changes when it is saved again");
}

}  // namespace

void use_session(const Session& session, const std::filesystem::path& scratch) {
  const EngineSnapshot& shot = *session.snapshot;
  scenario_hash(*shot.scenario);
  session_chunks(session.file);
  std::vector<TraceEvent> events;
  session.recorder->read(0, events);
  use_times(events, shot.num_lanes);
  use_report(session);
  use_history(shot);
  for (const RequestView& request : shot.requests)
    if (request.attention) use_record(request);
  save_again(session, scratch);
}

}  // namespace attn::fuzz
