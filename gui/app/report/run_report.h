// SPDX-License-Identifier: GPL-3.0-or-later
// RunReport: pictures of the views and the numbers of the run in one folder, the working folder of
// a ReportFolder; used by the menu and the command line. The views draw the pictures,
// run_pictures() writes them, and write_numbers() writes the tables, except for those that only a
// view has.
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
  // What block_table.csv shows; null: snapshot.
  std::shared_ptr<const EngineSnapshot> block_table;
  // PNG files in the folder, whose SVG and PDF have the same stem, and the tables of the views; of
  // the command line also the file of --qkv.
  std::vector<std::string> pictures;
  int64_t layer = -1, head = -1;  // of the heatmap tables; -1: those of the scenario's view
};

// The state of the run now, with the notes of the session that is shown, if one is. GUI thread.
// Throws Error(kFailed) while there is no request yet.
RunReport collect_report(EngineBridge& bridge);
// Writes each view as PNG, SVG and PDF. Returns the names of the files that were written. GUI
// thread. Throws Error(kFailed) with path and reason. notes: as in run_pictures().
std::vector<std::string> write_pictures(const std::vector<View*>& views, const FilePath& folder,
                                        double scale, std::vector<std::string>& notes);
// The first part of write_pictures(): the file names, each with the job that writes the file, as
// prepare_png() in view.h. The second part is run_pictures().
std::vector<std::pair<std::string, ExportJob>> prepare_pictures(const std::vector<View*>& views,
                                                                const FilePath& folder,
                                                                double scale);
// The file formats of the pictures.
inline constexpr const char* kPictureFormats[] = {"png", "svg", "pdf"};
// The file name and the job of one picture. format: one of kPictureFormats.
std::pair<std::string, ExportJob> prepare_picture(View& view, const char* format,
                                                  const FilePath& folder, double scale);
// The file names and jobs of the tables of these views, next to their pictures.
std::vector<std::pair<std::string, ExportJob>> prepare_tables(const std::vector<View*>& views,
                                                              const FilePath& folder);
// Runs these jobs and returns the names of the files that were written. A picture that would be too
// large is left out, because the report is worth more than that file; a note says so. Throws
// Error(kFailed).
std::vector<std::string> run_pictures(const std::vector<std::pair<std::string, ExportJob>>& jobs,
                                      std::vector<std::string>& notes);
// The PNG files among `files`, which index.html shows.
std::vector<std::string> index_pictures(const std::vector<std::string>& files);
// Writes the tables, the traces, manifest.json and index.html. Returns the names of all files of
// the report. Any thread. Throws Error as write_report() does.
std::vector<std::string> write_numbers(const RunReport& report, const FilePath& folder);

// What a page of the run shows first. Such a page is the run as one HTML file for a browser
// (engine/session/page/run_page.h).
struct PageStart {
  std::string view;                           // one of page_views()
  int64_t request = -1, layer = 0, head = 0;  // request -1: the first
  int64_t step = 0;                           // 0: the last
};
// As prepare_png() in view.h. GUI thread; throws what collect_report() throws. The job returns why
// the page was not written; empty: it was.
ExportJob prepare_page(EngineBridge& bridge, const PageStart& start, const FilePath& file);

}  // namespace attn::gui
