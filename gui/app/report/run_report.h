// SPDX-License-Identifier: GPL-3.0-or-later
// RunReport: a run's pictures, tables and numbers in one folder, for the window and the command
// line. Also the HTML page of a run, for the window.
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/session/report/report.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/file_path.h"
#include "gui/widgets/view.h"

namespace attn::gui {

struct RunReport {
  std::shared_ptr<const EngineSnapshot> snapshot;
  std::shared_ptr<Recorder> recorder;
  uint64_t recorded = 0;  // number of events in the report; a live run records more
  std::vector<std::string> messages;
  std::vector<StepNote> notes;
  TraceCounts counts;
  // The state of the run that block_table.csv shows; null: that of `snapshot`.
  std::shared_ptr<const EngineSnapshot> block_table;
  // Files that the report names: PNG files and tables of the views, and the file of --qkv.
  std::vector<std::string> pictures;
  int64_t layer = -1, head = -1;  // shown by the heatmap tables; -1: as in the scenario
};

// The state of the run now, with the notes of the shown session, if any. GUI thread. Throws
// Error(kFailed) if the run has no request yet.
RunReport collect_report(EngineBridge& bridge);
// Writes each view as PNG, SVG and PDF. GUI thread. Result, notes and errors as in run_pictures().
std::vector<std::string> write_pictures(const std::vector<View*>& views, const FilePath& folder,
                                        double scale, std::vector<std::string>& notes);
std::vector<std::pair<std::string, ExportJob>> prepare_pictures(const std::vector<View*>& views,
                                                                const FilePath& folder,
                                                                double scale);
inline constexpr const char* kPictureFormats[] = {"png", "svg", "pdf"};
// format: one of kPictureFormats.
std::pair<std::string, ExportJob> prepare_picture(View& view, const char* format,
                                                  const FilePath& folder, double scale);
std::vector<std::pair<std::string, ExportJob>> prepare_tables(const std::vector<View*>& views,
                                                              const FilePath& folder);
// Runs the jobs and returns the names of the files that were written. If a job throws
// Error(kBadInput), for example because its picture is too large, a note says so and the next job
// is run. Throws other errors of jobs, and Error(kFailed) if a job returns a message.
std::vector<std::string> run_pictures(const std::vector<std::pair<std::string, ExportJob>>& jobs,
                                      std::vector<std::string>& notes);
std::vector<std::string> index_pictures(const std::vector<std::string>& files);
// Writes the tables, traces, manifest.json and index.html. Any thread. Throws as write_report()
// does.
std::vector<std::string> write_numbers(const RunReport& report, const FilePath& folder);

// What the page of a run shows first. The page is one HTML file for a browser (run_page.h).
struct PageStart {
  std::string view;                           // one of page_views()
  int64_t request = -1, layer = 0, head = 0;  // request -1: the first request
  int64_t step = 0;                           // 0: the last step
};
// A job that writes the page. It returns a message if it could not; empty: the page is written. GUI
// thread; throws what collect_report() throws.
ExportJob prepare_page(EngineBridge& bridge, const PageStart& start, const FilePath& file);

}  // namespace attn::gui
