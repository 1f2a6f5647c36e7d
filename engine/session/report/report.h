// SPDX-License-Identifier: GPL-3.0-or-later
// Reports: the numbers of a run as files. Headers of columns of times name the unit (_ns, _ms,
// _us); values read back bit-equal; texts are quoted as in RFC 4180, and cells that a spreadsheet
// would run as a formula are made harmless. A reader never sees half a file (whole_file.h) or a
// part of a report (report_folder.h). Any thread that owns the snapshot.
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
  std::vector<StepNote> notes;  // written by a person; none: there is no notes.csv
  TraceCounts counts;
  // Files that the views have written into the folder: pictures as PNG, SVG or PDF, and their
  // numbers as CSV, NumPy or safetensors files.
  std::vector<std::string> pictures;
  int64_t layer = -1, head = -1;  // of the heatmap tables; -1: those of the scenario's view
};

// One file of a report, for the manifest.
struct ReportFile {
  std::string name;
  uint64_t bytes = 0;
  uint64_t xxh64 = 0;  // checksum of the bytes, seed 0
};

std::string requests_csv(const EngineSnapshot& snapshot);
std::string steps_csv(const EngineSnapshot& snapshot);
// Tables with a row for every event can also be written piece by piece (write_...).
void write_blocks_csv(const std::vector<TraceEvent>& events, Pieces& out);  // changes of blocks
std::string blocks_csv(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events);
std::string prefix_hits_csv(const std::vector<TraceEvent>& events);
std::string block_table_csv(const EngineSnapshot& snapshot);  // the blocks as in the Blocks view
void write_kernels_csv(const std::vector<TraceEvent>& events, Pieces& out);
std::string kernels_csv(const std::vector<TraceEvent>& events);
void write_timeline_csv(const std::vector<TraceEvent>& events, Pieces& out);
std::string timeline_csv(const std::vector<TraceEvent>& events);
// A row for the keys and one for the values of each layer and KV head.
std::string rounding_csv(const HeadRounding& rounding);
// Query rows x key columns, for the first max_rows queries.
void write_heatmap_csv(const RequestView& request, int64_t layer, int64_t head, int64_t max_rows,
                       Pieces& out);
std::string heatmap_csv(const RequestView& request, int64_t layer, int64_t head,
                        int64_t max_rows = std::numeric_limits<int64_t>::max());
// Chrome trace format; messages: Recorder::messages(), for the text of warnings.
void write_trace_json(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                      const std::vector<std::string>& messages, Pieces& out);
std::string trace_json(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                       const std::vector<std::string>& messages = {});
// The same trace for Perfetto, in the format of Perfetto (protobuf).
void write_trace_perfetto(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                          const std::vector<std::string>& messages, Pieces& out);
std::string trace_perfetto(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                           const std::vector<std::string>& messages = {});
// Versions, seed, scenario hash, files. Without a date when the clock is virtual, so that two such
// runs give the same bytes.
std::string manifest_json(const ReportInputs& inputs, const std::vector<ReportFile>& files = {});
// files: names of files in the same folder, to which it links.
std::string index_html(const ReportInputs& inputs, const std::vector<std::string>& files = {});

// Most rows and most keys of a heatmap that write_report() writes as CSV; index.html names larger
// ones as left out.
inline constexpr int64_t kMaxHeatmapRows = 2048;

// The note in the report of a run that was slowed or paused and whose times were measured; the view
// Metrics says the same.
inline constexpr std::string_view kWaitingNote =
    "The run was slowed or paused. Its times are those of the computation, without the waiting.";
// The note in the report of a run on the virtual clock that was slowed, stepped or paused; on this
// clock waiting takes no time.
inline constexpr std::string_view kSmallerTilesNote =
    "The run was slowed, stepped or paused. Steps that are slowed or stepped are computed in "
    "smaller tiles, so the modelled times may be longer than those of an undisturbed run.";

// Most bytes of memory that write_report() takes for an event, beside those of ReportInputs: the
// spans of a trace for Perfetto, which are written track by track. The other files are written in
// pieces.
inline constexpr int64_t kReportBytesPerEvent = 160;

// Writes the files of a report into `folder`, which is made if needed: the working folder of a
// ReportFolder, which puts them in place as a whole. Heatmaps are those of inputs.layer and
// inputs.head, one file per request. Where a view has written a file under the name of a table
// with other content, that file is renamed: blocks.csv to block_table.csv, X.csv to X-view.csv.
// Returns the names of all files of the report, each once. Throws Error(kFailed) with the path, and
// Error(kBadInput) before the first file if there is not enough memory.
std::vector<std::string> write_report(const std::filesystem::path& folder, ReportInputs inputs);
// Writes a whole file (whole_file.h) with what `write` puts into the pieces.
void write_file_atomically(const std::filesystem::path& file,
                           const std::function<void(Pieces&)>& write);

// One of the values that a, b, c and d of an event hold: its name ("step", "q_begin"), and its
// number or text. Those that are packed into one number, as in a tile, are fields of their own.
struct EventField {
  std::string_view name;
  int64_t number = 0;
  std::string_view text;  // used instead of the number unless empty
};
std::vector<EventField> fields_of(const TraceEvent& event);
// "flash_prefill", "step 3": the name of a span in a trace viewer.
std::string label_of(const TraceEvent& event);

// The number of generated tokens: "80". Samples and beams share tokens, which are generated once
// and stand in the output of each; where the outputs add up to more, the text says so.
std::string generated_text(const EngineSnapshot& snapshot);
std::string csv_cell(std::string_view text);
std::string format_float(float value);  // shortest text that reads back to the same bits
std::string format_double(double value);

}  // namespace attn
