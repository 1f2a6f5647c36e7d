// SPDX-License-Identifier: GPL-3.0-or-later
// Reports: the numbers of a run as files: tables, traces, a manifest and an HTML page. Columns of
// times have their unit in the name, for example _ns. Any thread that owns the snapshot.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "engine/session/notes/step_notes.h"
#include "engine/session/report/pieces.h"
#include "engine/session/run/snapshot.h"
#include "engine/trace/recorder.h"

namespace attn {

struct ReportInputs {
  const EngineSnapshot* snapshot = nullptr;
  const EngineSnapshot* block_table = nullptr;  // what block_table.csv shows; null: snapshot
  std::vector<TraceEvent> events;               // Recorder::sorted()
  std::vector<std::string> messages;
  std::vector<StepNote> notes;  // empty: no notes.csv
  TraceCounts counts;
  // Names of files that views have written into the folder: pictures and their numbers.
  std::vector<std::string> pictures;
  int64_t layer = -1, head = -1;  // -1: that of the scenario's view
};

struct ReportFile {
  std::string name;
  uint64_t bytes = 0;
  uint64_t xxh64 = 0;  // seed 0
};

std::string requests_csv(const EngineSnapshot& snapshot);
std::string steps_csv(const EngineSnapshot& snapshot);
// The functions write_..._csv() write a table piece by piece.
void write_blocks_csv(const std::vector<TraceEvent>& events, Pieces& out);  // changes of blocks
std::string blocks_csv(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events);
std::string prefix_hits_csv(const std::vector<TraceEvent>& events);
std::string block_table_csv(const EngineSnapshot& snapshot);
void write_kernels_csv(const std::vector<TraceEvent>& events, Pieces& out);
std::string kernels_csv(const std::vector<TraceEvent>& events);
void write_timeline_csv(const std::vector<TraceEvent>& events, Pieces& out);
std::string timeline_csv(const std::vector<TraceEvent>& events);
// A row for the keys and one for the values of each layer and KV head.
std::string rounding_csv(const HeadRounding& rounding);
// A row per query, for the first max_rows queries, with a column per key.
void write_heatmap_csv(const RequestView& request, int64_t layer, int64_t head, int64_t max_rows,
                       Pieces& out);
std::string heatmap_csv(const RequestView& request, int64_t layer, int64_t head,
                        int64_t max_rows = std::numeric_limits<int64_t>::max());
// Chrome trace format; messages: Recorder::messages(), for the text of warnings.
void write_trace_json(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                      const std::vector<std::string>& messages, Pieces& out);
std::string trace_json(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                       const std::vector<std::string>& messages = {});
// The same trace in the protobuf format of Perfetto.
void write_trace_perfetto(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                          const std::vector<std::string>& messages, Pieces& out);
std::string trace_perfetto(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                           const std::vector<std::string>& messages = {});
// On the virtual clock the manifest has no date.
std::string manifest_json(const ReportInputs& inputs, const std::vector<ReportFile>& files = {});
// files: names of files in the same folder, for links.
std::string index_html(const ReportInputs& inputs, const std::vector<std::string>& files = {});

// For a run with measured times that was slowed or paused.
inline constexpr std::string_view kWaitingNote =
    "The run was slowed or paused. Its times are those of the computation, without the waiting.";
// For a run on the virtual clock that was slowed, stepped or paused.
inline constexpr std::string_view kSmallerTilesNote =
    "The run was slowed, stepped or paused. Steps that are slowed or stepped are computed in "
    "smaller tiles, so the modelled times may be longer than those of an undisturbed run.";

// Bytes of memory for which write_report() asks per event, beside ReportInputs.
inline constexpr int64_t kReportBytesPerEvent = 160;

// Writes the files of a report into `folder`, which is made if needed. Heatmaps are those of
// inputs.layer and inputs.head. A view's file is renamed if the report needs its name for other
// content. Returns the names of the files. Throws Error(kFailed) with the path, or Error(kBadInput)
// if there is not enough memory.
std::vector<std::string> write_report(const std::filesystem::path& folder, ReportInputs inputs);
// Writes `file` as a whole (whole_file.h) from the pieces that `write` makes.
void write_file_atomically(const std::filesystem::path& file,
                           const std::function<void(Pieces&)>& write);

// One value of an event: its name ("step", "q_begin"), and its number or text.
struct EventField {
  std::string_view name;
  int64_t number = 0;
  std::string_view text;  // empty: the number is used
};
std::vector<EventField> fields_of(const TraceEvent& event);
// "flash_prefill", "step 3": the name of an event in a trace viewer.
std::string label_of(const TraceEvent& event);

// The number of generated tokens: "80". If the outputs of the requests add up to another number,
// the text says so.
std::string generated_text(const EngineSnapshot& snapshot);
std::string csv_cell(std::string_view text);
std::string format_float(float value);  // shortest that reads back equal
std::string format_double(double value);

}  // namespace attn
