// SPDX-License-Identifier: GPL-3.0-or-later
// RunReport: pictures of the views and the numbers of the run in one folder, the working folder of
// a ReportFolder; the menu and the command line use the same two steps. The views draw; every table
// is written once, by the report.
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
  uint64_t recorded = 0;  // events of the trace that belong to it; a live run goes on
  std::vector<std::string> messages;
  TraceCounts counts;
  // What block_table.csv shows; null: snapshot.
  std::shared_ptr<const EngineSnapshot> block_table;
  std::vector<std::string> pictures;  // PNG files in the folder; SVG and PDF have the same stem
};

// What the run is now. GUI thread. Throws Error(kFailed) before the first snapshot.
RunReport collect_report(EngineBridge& bridge);
// Each view as PNG, SVG and PDF. Returns the file names. GUI thread. Throws Error(kFailed) with
// path and reason.
std::vector<std::string> write_pictures(const std::vector<View*>& views, const FilePath& folder,
                                        double scale);
// The same in two parts, as in view.h.
std::vector<std::pair<std::string, ExportJob>> prepare_pictures(const std::vector<View*>& views,
                                                                const FilePath& folder,
                                                                double scale);
// One of them; format: of kPictureFormats.
inline constexpr const char* kPictureFormats[] = {"png", "svg", "pdf"};
std::pair<std::string, ExportJob> prepare_picture(View& view, const char* format,
                                                  const FilePath& folder, double scale);
// The tables of views that the report itself does not write, next to their pictures.
std::vector<std::pair<std::string, ExportJob>> prepare_tables(const std::vector<View*>& views,
                                                              const FilePath& folder);
// Runs them; the names of the files.
std::vector<std::string> run_pictures(const std::vector<std::pair<std::string, ExportJob>>& jobs);
// Those of `files` that index.html shows.
std::vector<std::string> index_pictures(const std::vector<std::string>& files);
// The CSV files, trace.json, manifest.json, index.html. Any thread. Throws Error(kFailed).
std::vector<std::string> write_numbers(const RunReport& report, const FilePath& folder);

}  // namespace attn::gui
