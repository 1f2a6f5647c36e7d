// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/report/run_report.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/whole_file.h"
#include "engine/session/page/run_page.h"
#include "gui/widgets/tables/further_tables.h"

namespace attn::gui {
namespace {

std::vector<TraceEvent> events_of(const RunReport& report) {
  std::vector<TraceEvent> events;
  report.recorder->read(0, events);
  events.resize(std::min<size_t>(events.size(), report.recorded));
  std::stable_sort(events.begin(), events.end(), [](const TraceEvent& x, const TraceEvent& y) {
    return x.begin_ns != y.begin_ns ? x.begin_ns < y.begin_ns : x.lane < y.lane;
  });
  return events;
}

}  // namespace

RunReport collect_report(EngineBridge& bridge) {
  bridge.catch_up();
  if (!bridge.snapshot() || bridge.snapshot()->requests.empty())
    throw Error(ErrorCode::kFailed, {.what = "there is no run to report yet",
                                     .where = "export",
                                     .found = "no request",
                                     .allowed = "a run with one request or more",
                                     .advice = "Start the run first."});
  RunReport report;
  report.snapshot = bridge.snapshot();
  report.recorder = bridge.runner().recorder();
  report.messages = report.recorder->messages();
  if (const auto session = bridge.session()) report.notes = session->notes;
  report.counts = report.recorder->counts();
  report.recorded = report.counts.recorded;
  // Events that are still in the ring buffers are not counted.
  report.counts.pushed = report.counts.recorded + report.counts.dropped;
  return report;
}

std::vector<std::pair<std::string, ExportJob>> prepare_pictures(const std::vector<View*>& views,
                                                                const FilePath& folder,
                                                                double scale) {
  std::vector<std::pair<std::string, ExportJob>> jobs;
  for (View* view : views)
    for (const char* format : kPictureFormats)
      jobs.push_back(prepare_picture(*view, format, folder, scale));
  return jobs;
}

std::pair<std::string, ExportJob> prepare_picture(View& view, const char* format,
                                                  const FilePath& folder, double scale) {
  const QString name = QStringLiteral("%1.%2").arg(view.export_name(), QLatin1String(format));
  const FilePath file = folder.file(name);
  const std::string_view which = format;
  return {name.toStdString(), which == "png"   ? prepare_png(view, file, scale)
                              : which == "svg" ? prepare_svg(view, file)
                                               : prepare_pdf(view, file)};
}

std::vector<std::pair<std::string, ExportJob>> prepare_tables(const std::vector<View*>& views,
                                                              const FilePath& folder) {
  std::vector<std::pair<std::string, ExportJob>> jobs;
  for (View* view : views) {
    const QString name = view->table_name() + QStringLiteral(".csv");
    jobs.emplace_back(name.toStdString(), prepare_csv(*view, folder.file(name)));
    for (const FurtherTable& table : further_tables_of(*view)) {
      const QString further = table.name + QStringLiteral(".csv");
      jobs.emplace_back(further.toStdString(), prepare_further_table(table, folder.file(further)));
    }
  }
  return jobs;
}

std::vector<std::string> run_pictures(const std::vector<std::pair<std::string, ExportJob>>& jobs,
                                      std::vector<std::string>& notes) {
  std::vector<std::string> names;
  for (const auto& [name, job] : jobs) {
    QString trouble;
    try {
      trouble = job();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kBadInput) throw;
      notes.push_back(name + " was not written: " + error.what());
      continue;
    }
    if (!trouble.isEmpty())
      throw Error(
          ErrorCode::kFailed,
          {.what = trouble.toStdString(), .where = "", .found = "", .allowed = "", .advice = ""});
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> index_pictures(const std::vector<std::string>& files) {
  std::vector<std::string> pictures;
  for (const std::string& file : files)
    if (std::filesystem::path(file).extension() == ".png") pictures.push_back(file);
  return pictures;
}

std::vector<std::string> write_pictures(const std::vector<View*>& views, const FilePath& folder,
                                        double scale, std::vector<std::string>& notes) {
  return run_pictures(prepare_pictures(views, folder, scale), notes);
}

ExportJob prepare_page(EngineBridge& bridge, const PageStart& start, const FilePath& file) {
  return [report = collect_report(bridge), start, file]() -> QString {
    try {
      const std::vector<TraceEvent> events = events_of(report);
      write_file_atomically(file.path(), run_page_html({.snapshot = report.snapshot.get(),
                                                        .events = &events,
                                                        .view = start.view,
                                                        .request = start.request,
                                                        .layer = start.layer,
                                                        .head = start.head,
                                                        .step = start.step}));
      return {};
    } catch (const std::exception& error) {
      return QString::fromUtf8(message_of(error));
    }
  };
}

std::vector<std::string> write_numbers(const RunReport& report, const FilePath& folder) {
  ReportInputs inputs;
  inputs.snapshot = report.snapshot.get();
  inputs.block_table = report.block_table.get();
  inputs.events = events_of(report);
  inputs.messages = report.messages;
  inputs.notes = report.notes;
  inputs.counts = report.counts;
  inputs.pictures = report.pictures;
  inputs.layer = report.layer;
  inputs.head = report.head;
  return write_report(folder.path(), std::move(inputs));
}

}  // namespace attn::gui
