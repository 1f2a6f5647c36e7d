// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/headless/headless.h"

#include <QApplication>
#include <QBuffer>
#include <QCursor>
#include <QImageWriter>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "engine/core/program/stop_signal.h"
#include "engine/session/report/report.h"
#include "engine/session/report/report_folder.h"
#include "engine/session/scenario/prompts/own_prompts.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "gui/app/headless/array_files.h"
#include "gui/app/headless/figure_file.h"
#include "gui/app/headless/headless_checks.h"
#include "gui/app/report/fullest_step.h"
#include "gui/app/report/report_figures.h"
#include "gui/app/report/run_report.h"
#include "gui/app/view_registry.h"
#include "gui/app/window/main_window.h"
#include "gui/models/explore/combination.h"
#include "gui/models/explore/inside.h"
#include "gui/theme/theme.h"
#include "gui/widgets/tables/further_tables.h"

namespace attn::gui {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

template <class Requests>
size_t request_of(const CommandLine& line, const Requests& requests) {
  if (line.request.empty()) return 0;
  for (size_t i = 0; i < requests.size(); ++i)
    if (requests[i].name == line.request) return i;
  const auto number = whole_number(line.request);
  if (number && *number >= 0 && *number < std::ssize(requests)) return static_cast<size_t>(*number);
  std::string names;
  for (size_t i = 0; i < std::min<size_t>(requests.size(), 8); ++i)
    names += (i > 0 ? ", `" : ", or `") + requests[i].name + "`";
  throw_bad_input({.what = "the run has no such request",
                   .where = "--request",
                   .found = "`" + line.request + "`",
                   .allowed = "0 to " + std::to_string(std::ssize(requests) - 1) + names,
                   .advice = ""});
}

// give_prompt() gives the request whose prompt --prompt replaces another name. So a name in
// --request is replaced by the number of the request.
CommandLine with_number(CommandLine line) {
  if (!line.prompt.empty() && !line.request.empty())
    line.request = std::to_string(request_of(line, open_scenario(line.scenario).requests));
  return line;
}

// An error about the number of new tokens names the option.
void give_own_prompt(Scenario& scenario, const CommandLine& line) {
  const size_t request = request_of(line, scenario.requests);
  if (line.max_tokens) scenario.requests[request].max_tokens = *line.max_tokens;
  try {
    give_prompt(scenario, request, "--prompt", line.prompt);
  } catch (const Error& error) {
    ErrorParts parts = error.parts();
    if (!line.max_tokens || !parts.where.ends_with(".max_tokens")) throw;
    parts.where = "--max-tokens";
    throw Error(error.code(), std::move(parts));
  }
}

Scenario scenario_of(const CommandLine& line) {
  Scenario scenario = open_scenario(line.scenario);
  if (!line.backend.empty()) scenario.engine.backend = line.backend;
  if (line.clock) scenario.engine.clock = *line.clock;
  if (line.layer) scenario.view.layer = *line.layer;
  if (line.head) scenario.view.head = *line.head;
  if (!line.colormap.empty()) scenario.view.color_map = line.colormap;
  if (!line.prompt.empty()) give_own_prompt(scenario, line);
  return scenario;
}

HeadId shown_first(const EngineSnapshot& snapshot, const CommandLine& line) {
  if (!snapshot.scenario) return {};
  const ScenarioView& view = snapshot.scenario->view;
  return {line.layer ? *line.layer : view.layer, line.head ? *line.head : view.head};
}

std::vector<std::filesystem::path> files_read(const CommandLine& line) {
  std::vector<std::filesystem::path> files{line.scenario};
  if (!is_session_file(line.scenario)) files = input_files(open_scenario(line.scenario));
  if (has_texts_file(line)) files.emplace_back(line.texts);
  return files;
}

// Waits up to 16 ms for the end of the run and handles events; false: the run has ended. After a
// stop signal the run is cancelled.
bool wait_a_tick(EngineBridge& bridge) {
  if (stop_signal() != 0) bridge.cancel();
  const bool ended = bridge.runner().wait_finished(milliseconds(16));
  bridge.tick();
  QApplication::processEvents();
  return !ended;
}

// Throws the error of a failed run. The snapshot has only its text, so the engine is made again: an
// error there is thrown with its code, else the text as kFailed. An error about a layer or head
// given by --layer or --head names the option.
void throw_if_failed(const EngineBridge& bridge, const CommandLine& line) {
  const auto& snapshot = bridge.snapshot();
  if (!snapshot || snapshot->phase != EnginePhase::kFailed) return;
  try {
    if (snapshot->scenario) Engine(*snapshot->scenario, {});
  } catch (const Error& error) {
    ErrorParts parts = error.parts();
    if (line.layer && parts.where.ends_with("$.view.layer"))
      parts.where = "--layer";
    else if (line.head && parts.where.ends_with("$.view.head"))
      parts.where = "--head";
    else
      throw;
    throw Error(error.code(), std::move(parts));
  }
  throw Error(
      ErrorCode::kFailed,
      {.what = snapshot->phase_detail, .where = "", .found = "", .allowed = "", .advice = ""});
}

// Throws if the engine ignored the request of --prompt. If it ignores a request with the scenario's
// own prompt, that is a result and not an error.
void throw_if_ignored(const EngineBridge& bridge, const CommandLine& line) {
  const auto& snapshot = bridge.snapshot();
  if (line.prompt.empty() || !snapshot || snapshot->requests.empty()) return;
  const RequestView& request = snapshot->requests[request_of(line, snapshot->requests)];
  if (request.state != RequestState::kFinishedIgnored) return;
  throw_bad_input({.what = "the prompt cannot run",
                   .where = "--prompt",
                   .found = request.ignored_reason,
                   .allowed = "",
                   .advice = ""});
}

bool stands(EngineBridge& bridge) {
  return bridge.gate_state() == RunGate::State::kPaused && bridge.runner().gate().held() > 0;
}

// Waits until the run, started paused, is held before its first unit of work; then sets the pace to
// full speed. The run stays paused. False: the run has ended already.
bool reach_full_speed(EngineBridge& bridge) {
  while (!stands(bridge) || !bridge.snapshot() || bridge.snapshot()->source.num_heads == 0)
    if (!wait_a_tick(bridge)) return false;
  bridge.set_pace(0);
  return true;
}

// Computes steps until --tokens tokens are generated or the run has ended.
void generate(EngineBridge& bridge, const CommandLine& line) {
  const bool stands_at_begin = reach_full_speed(bridge);
  if (bridge.snapshot())
    check_heads(line, bridge.snapshot().get(), shown_first(*bridge.snapshot(), line));
  if (!stands_at_begin) return;
  while (bridge.snapshot()->generated_tokens < line.tokens) {
    bridge.step(Granularity::kStep);
    do {
      if (!wait_a_tick(bridge)) return;
    } while (!stands(bridge));
  }
}

// After each step, on the engine thread, keeps in `fullest` the snapshot if more blocks are in use
// than after all steps before. `fullest` may be read when the run has ended.
void watch_blocks(EngineRunner& runner, std::shared_ptr<FullestStep> fullest) {
  runner.with_engine([&runner, fullest](Engine* engine) {
    if (!engine) return;
    const std::vector<StepRecord>& steps = engine->steps();
    if (!steps.empty() && steps.back().used_blocks > fullest->used) {
      fullest->used = steps.back().used_blocks;
      fullest->snapshot =
          std::make_shared<const EngineSnapshot>(engine->snapshot(EnginePhase::kRunning));
    }
    // has_work() stays true after a cancelled run.
    if (engine->has_work() && !runner.gate().cancelled()) watch_blocks(runner, fullest);
  });
}

void make_run(EngineBridge& bridge, const CommandLine& line, std::shared_ptr<FullestStep> fullest) {
  if (is_session_file(line.scenario)) {
    bridge.show(std::make_shared<const Session>(load_session(line.scenario)));
    bridge.runner().wait_finished(std::chrono::hours(1));
    bridge.catch_up();
    check_heads(line, bridge.snapshot().get(), shown_first(*bridge.snapshot(), line));
    *fullest = fullest_step(*bridge.snapshot());
    return;
  }
  bridge.start(scenario_of(line), true);
  const bool stands_at_begin = reach_full_speed(bridge);
  if (bridge.snapshot())
    check_heads(line, bridge.snapshot().get(), shown_first(*bridge.snapshot(), line));
  if (stands_at_begin) {
    watch_blocks(bridge.runner(), fullest);
    bridge.run();
    while (wait_a_tick(bridge)) {
    }
  }
  bridge.catch_up();
  if (!fullest->snapshot && bridge.snapshot()) *fullest = fullest_step(*bridge.snapshot());
}

void save_run(EngineBridge& bridge, const std::string& file) {
  std::exception_ptr trouble;
  bridge.runner().save(file, "{}", {}, {}, [&trouble](std::exception_ptr what) { trouble = what; });
  bridge.runner().wait_finished(std::chrono::hours(1));
  if (trouble) std::rethrow_exception(trouble);
  print_out("session in {}\n", file);
}

const AttentionRecord* shown_record(const EngineBridge& bridge, const Selection& selection) {
  if (!bridge.snapshot()) return nullptr;
  const RequestView* shown = request_by_id(*bridge.snapshot(), selection.shown_request());
  return shown ? shown->at(selection.shown_layer()).attention.get() : nullptr;
}

bool go_to_step(TimeCursor& cursor, const CommandLine& line) {
  if (!line.step) return false;
  check_step(*line.step, cursor.range().first, cursor.range().last);
  cursor.go_to(static_cast<uint32_t>(*line.step));
  return true;
}

void print_notes(const EngineBridge& bridge) {
  std::set<std::string> told;
  const auto print = [&told](const std::string& note) {
    if (told.insert(note).second) print_error("attention-workbench: note: {}\n", note);
  };
  for (const std::string& message : bridge.messages()) print(message);
  if (!bridge.snapshot()) return;
  for (const RequestView& request : bridge.snapshot()->requests)
    if (request.has_news()) print(request.name + ": " + request.ignored_reason);
}

std::vector<std::string> write_own_tables(const std::vector<View*>& views, const FilePath& folder) {
  std::vector<std::string> names;
  const auto write = [&](const QString& stem, const QByteArray& table) {
    if (table.isEmpty()) return;
    const QString name = stem + QStringLiteral(".csv");
    write_file_atomically(folder.file(name).path(),
                          std::string_view(table.constData(), static_cast<size_t>(table.size())));
    names.push_back(name.toStdString());
  };
  for (View* view : views) {
    if (!view->has_own_table()) continue;
    write(view->table_name(), prepare_table(*view)());
    for (const FurtherTable& table : further_tables_of(*view)) write(table.name, table.table());
  }
  return names;
}

PageSetup page_of(const CommandLine& line) {
  PageSetup page{.fits = {}, .width_mm = line.width_mm, .dpi = line.dpi};
  if (line.size) page.fits = QSize(line.size->first, line.size->second);
  return page;
}

void show_chosen(const EngineBridge& bridge, Selection& selection, const CommandLine& line) {
  const std::vector<RequestView>& requests = bridge.snapshot()->requests;
  if (requests.empty()) return;
  selection.show(requests[request_of(line, requests)].id,
                 line.layer.value_or(static_cast<int>(selection.shown_layer())),
                 line.head.value_or(static_cast<int>(selection.shown_head())));
}

std::vector<const ViewEntry*> asked_views(const CommandLine& line) {
  std::vector<const ViewEntry*> asked;
  if (line.export_folder.empty() && line.figure_file.empty()) return asked;
  for (const std::string& name : run_view_names()) {
    const ViewEntry* entry = find_view(name);
    if (line.views.empty() ? entry->in_every_run
                           : std::ranges::find(line.views, name) != line.views.end())
      asked.push_back(entry);
  }
  std::stable_partition(asked.begin(), asked.end(),
                        [](const ViewEntry* entry) { return !entry->job; });
  return asked;
}

struct Refusals {
  std::vector<std::string> sentences;         // for example "lens is left out: …"
  ErrorCode code = ErrorCode::kNotSupported;  // of the first refusal
};

// Removes the views that refuse the run from `views`. A view with a job stays, because its pictures
// show why the job was refused. asked: the entries of `views`.
Refusals leave_out_refused(const std::vector<const ViewEntry*>& asked, std::vector<View*>& views) {
  Refusals refusals;
  std::vector<View*> kept;
  for (size_t i = 0; i < views.size(); ++i) {
    try {
      if (!asked[i]->job) views[i]->throw_if_refused();
      kept.push_back(views[i]);
    } catch (const Error& error) {
      if (refusals.sentences.empty()) refusals.code = error.code();
      refusals.sentences.push_back(asked[i]->name + " is left out: " + error.what());
    }
  }
  views = std::move(kept);
  return refusals;
}

}  // namespace

void resize_window(MainWindow& window, const CommandLine& line) {
  if (!line.size) return;
  window.resize(line.size->first, line.size->second);
  // fold() changes the minimum size.
  window.layouts().fold();
  const QSize least = window.minimumSizeHint().expandedTo(window.minimumSize());
  if (line.size->first >= least.width() && line.size->second >= least.height()) return;
  throw_bad_input(
      {.what = "the window does not fit into this size",
       .where = "--size",
       .found = std::to_string(line.size->first) + "x" + std::to_string(line.size->second),
       .allowed =
           std::to_string(least.width()) + "x" + std::to_string(least.height()) + " to 8192x8192",
       .advice = "Larger text (--text) needs a larger window."});
}

void check_outputs(const CommandLine& line, const std::vector<std::filesystem::path>& read) {
  if (!line.export_folder.empty())
    check_report_folder("--export", line.export_folder, line.force, read);
  if (!line.figure_file.empty()) {
    refuse_inputs("--figure", line.figure_file, read);
    make_folder_of("--figure", line.figure_file);
    check_output_place("--figure", line.figure_file);
  }
  if (line.session_file.empty()) return;
  if (!line.export_folder.empty())
    refuse_inside_report("--session", line.session_file, "--export", line.export_folder);
  refuse_inputs("--session", line.session_file, read);
  make_folder_of("--session", line.session_file);
  check_output_place("--session", line.session_file);
}

void refuse_other_report(const CommandLine& line, const std::string& title,
                         const std::vector<View*>& views) {
  if (line.export_folder.empty() || line.force) return;
  std::set<std::string> figures = report_figures(views);
  for (const View* view : views)
    for (const std::string& format : line.arrays)
      figures.insert(view->export_name().toStdString() + "." + format);
  if (line.qkv) figures.insert(kQkvFile);
  attn::refuse_other_report("--export", line.export_folder, title, figures);
}

int tell_stop(const EngineBridge& bridge) {
  if (stop_signal() == 0) return 0;
  const auto& snapshot = bridge.snapshot();
  const size_t steps = snapshot && snapshot->steps ? snapshot->steps->size() : 0;
  print_error("attention-workbench: stopped by {} after {}; what was computed is written\n",
              stop_signal_name(), attn::counted(steps, "step", "steps"));
  return stop_exit_code();
}

int run_and_export(const CommandLine& given) {
  check_texts(given);
  const CommandLine line = with_number(given);
  const std::vector<std::filesystem::path> read = files_read(line);
  check_outputs(line, read);
  EngineBridge bridge;
  Selection selection;
  follow_runs(bridge, selection);
  TimeCursor cursor(bridge);
  const Notes notes(bridge);  // has the notes of a saved session
  Inside inside(bridge, selection, &cursor);
  const ViewContext context{&bridge, &selection, &cursor, &notes, &inside};
  const std::vector<const ViewEntry*> asked = asked_views(line);
  std::vector<std::unique_ptr<View>> owned;
  std::vector<View*> views;
  for (const ViewEntry* entry : asked) {
    owned.emplace_back(entry->make(context, nullptr));
    views.push_back(owned.back().get());
  }

  const bool saved = is_session_file(line.scenario);
  if (!saved) refuse_other_report(line, scenario_of(line).title, views);
  const auto fullest = std::make_shared<FullestStep>();
  catch_stop_signals();
  make_run(bridge, line, fullest);
  if (saved) refuse_other_report(line, bridge.snapshot()->scenario->title, views);
  throw_if_ignored(bridge, line);
  print_notes(bridge);
  throw_if_failed(bridge, line);
  if (stop_signal() != 0 && (!bridge.snapshot() || bridge.snapshot()->requests.empty())) {
    print_error("attention-workbench: stopped by {} before the run began; nothing is written\n",
                stop_signal_name());
    return stop_exit_code();
  }
  if (!line.session_file.empty()) save_run(bridge, line.session_file);
  if (views.empty()) return tell_stop(bridge);
  if (saved) show_saved_choices(saved_view(*bridge.session()), bridge, selection, cursor, views);
  if (!line.request.empty() || line.layer || line.head) show_chosen(bridge, selection, line);
  if (!line.knock_out.empty()) inside.what_if().set(*knock_out_from_word(line.knock_out));
  const bool past = go_to_step(cursor, line) || !cursor.is_live();
  const uint32_t last = bridge.snapshot()->step;
  for (size_t i = 0; i < views.size(); ++i) {
    View& view = *views[i];
    view.set_figure(line.figure);
    view.choose(choices_of(line));
    // A job runs the scenario again, so it is not begun after a stop signal.
    if (asked[i]->job && stop_signal() != 0) {
      views.resize(i);
      break;
    }
    if (asked[i]->job) view.do_job("--views " + asked[i]->name);
    view.resize(view.export_size());
    view.set_page(page_of(line));
    if (past)
      view.show_moment(nullptr,
                       QObject::tr("after step %1 of %2").arg(cursor.snapshot()->step).arg(last));
    else if (fullest->snapshot)
      view.show_moment(fullest->snapshot, caption_of(*fullest, last));
  }
  if (!line.figure_file.empty()) {
    if (views.empty()) {
      print_error("attention-workbench: stopped by {} before the figure; nothing is written\n",
                  stop_signal_name());
      return stop_exit_code();
    }
    // throw_if_refused() comes first: otherwise the file would only say why there is no figure.
    if (stop_signal() == 0) views.front()->throw_if_refused();
    write_figure(*views.front(), line);
    return tell_stop(bridge);
  }
  RunReport report = collect_report(bridge);
  report.block_table = past ? cursor.snapshot() : fullest->snapshot;
  report.layer = selection.shown_layer();
  report.head = selection.shown_head();
  Refusals refusals;
  if (stop_signal() == 0) refusals = leave_out_refused(asked, views);
  report.messages.insert(report.messages.end(), refusals.sentences.begin(),
                         refusals.sentences.end());
  // For the page only: whoever gave --filter knows it.
  for (const View* view : views)
    if (const auto lacks = view->left_out_of_table()) report.messages.push_back(lacks->note);
  std::set<std::string> files;
  std::optional<Error> no_qkv;
  const size_t told = report.messages.size();
  ReportFolder place("--export", line.export_folder, line.force, read);
  place.fill([&](const std::filesystem::path& folder) {
    const std::vector<std::string> drawn =
        write_pictures(views, folder, line.scale, report.messages);
    for (size_t i = told; i < report.messages.size(); ++i)
      print_error("attention-workbench: note: {}\n", report.messages[i]);
    const std::vector<std::string> tables = write_own_tables(views, folder);
    for (std::string& name : write_arrays(views, line.arrays, folder))
      files.insert(std::move(name));
    report.pictures = index_pictures(drawn);
    if (line.qkv) no_qkv = write_qkv(bridge, selection, folder);
    if (line.qkv && !no_qkv) {
      report.pictures.emplace_back(kQkvFile);  // the manifest names it, too
      files.insert(kQkvFile);
    }
    report.pictures.insert(report.pictures.end(), tables.begin(), tables.end());
    files.insert(drawn.begin(), drawn.end());
    for (std::string& name : write_numbers(report, folder)) files.insert(std::move(name));
  });
  print_out("wrote {} files to {}: open index.html\n", files.size(), place.place().string());
  const int stopped = tell_stop(bridge);
  if (stopped != 0) return stopped;
  if (no_qkv && refusals.sentences.empty()) throw Error(*no_qkv);
  if (no_qkv) refusals.sentences.emplace_back(no_qkv->what());
  if (!refusals.sentences.empty()) throw Error::several(refusals.code, refusals.sentences);
  for (const View* view : views) view->throw_if_refused();
  return 0;
}

void show_alone(MainWindow& window, const CommandLine& line) {
  View& view = *window.view(line.show);
  window.set_wide(true);
  window.show_attention(&view);
  if (find_view(line.show)->job) view.do_job("--show " + line.show);
}

void show_saved(MainWindow& window, const std::string& file) {
  bool opened = false;
  QObject::connect(&window.session(), &WindowSession::opened, &window,
                   [&opened](const QString&, bool done) { opened = done; });
  window.session().open(QString::fromStdString(file));
  while (window.session().is_busy()) QApplication::processEvents(QEventLoop::AllEvents, 20);
  if (!opened)
    throw Error(ErrorCode::kBadInput, {.what = window.message_bar()->text().toStdString(),
                                       .where = "",
                                       .found = "",
                                       .allowed = "",
                                       .advice = ""});
}

void open_lesson(MainWindow& window, const CommandLine& line) {
  window.lessons().open(
      QString::fromStdString(line.lesson),
      line.lesson_step ? std::optional(static_cast<size_t>(*line.lesson_step - 1)) : std::nullopt);
}

void take_screenshot(const CommandLine& given) {
  check_texts(given);
  const CommandLine line = with_number(given);
  refuse_inputs("--screenshot", line.picture, files_read(line));
  make_folder_of("--screenshot", line.picture);
  check_output_place("--screenshot", line.picture);
  EngineBridge bridge;
  Selection selection;
  RunControl control(bridge);
  follow_runs(bridge, selection);
  check_lesson(line);
  const bool saved = is_session_file(line.scenario);
  const Scenario scenario = saved ? Scenario{} : scenario_of(line);
  if (!saved) {
    QString problem;
    const auto told = QObject::connect(&control, &RunControl::message, &control,
                                       [&](MessageKind, const QString& text) { problem = text; });
    if (!control.open(QString::fromStdString(line.scenario)))
      throw Error(ErrorCode::kFailed, {"the scenario cannot be shown in a window", line.scenario,
                                       problem.toStdString(), "", ""});
    QObject::disconnect(told);
    control.edit(scenario);
  }
  MainWindow window(bridge, control, selection, false);
  const QString layout = QString::fromStdString(line.layout.empty() ? "explore" : line.layout);
  window.layouts().apply(layout);
  resize_window(window, line);
  QCursor::setPos(line.size ? line.size->first + 100 : 2000, 0);  // no button is under the pointer
  window.show();
  QApplication::processEvents();
  window.layouts().apply(layout);  // again, at the size that the window has now
  if (saved) {
    show_saved(window, line.scenario);
    check_heads(line, bridge.snapshot().get(), {selection.shown_layer(), selection.shown_head()});
  } else if (!line.lesson.empty()) {
    std::vector<std::string> reasons;
    const QObject meanwhile;
    QObject::connect(&window.lessons(), &WindowLessons::failed, &meanwhile,
                     [&reasons](const QStringList& told) {
                       for (const QString& reason : told) reasons.push_back(reason.toStdString());
                     });
    open_lesson(window, line);
    while (window.lessons().is_busy()) QApplication::processEvents(QEventLoop::AllEvents, 20);
    if (!reasons.empty()) throw Error::several(ErrorCode::kBadInput, std::move(reasons));
  } else {
    control.start(true);
    generate(bridge, line);
    bridge.catch_up();  // a short run can end before the bridge has read its snapshot
  }
  print_notes(bridge);
  throw_if_failed(bridge, line);
  // The picture shows the pace of the scenario, not the full speed of the run.
  if (!saved && line.lesson.empty()) bridge.set_pace(scenario.view.pace_tiles_per_s);
  if (line.cell) {
    const AttentionRecord* record = shown_record(bridge, selection);
    check_cell(*line.cell, record ? record->num_rows() : 0,
               record ? record->num_keys(selection.shown_layer()) : 0);
    selection.select({.kind = SelectionKind::kCell,
                      .request = selection.shown_request(),
                      .layer = selection.shown_layer(),
                      .head = selection.shown_head(),
                      .query = line.cell->first,
                      .key = line.cell->second});
  }
  go_to_step(window.cursor(), line);
  View& first = *window.view(line.show.empty() ? view_registry().front().name : line.show);
  if (!line.knock_out.empty()) window.inside().what_if().set(*knock_out_from_word(line.knock_out));
  first.choose(choices_of(line));
  if (!line.show.empty()) show_alone(window, line);
  // Waits 400 ms for the views and the status line, and up to 30 s for views that compute in the
  // background.
  const auto begin = std::chrono::steady_clock::now();
  const auto is_behind = [views = window.views()] {
    return std::ranges::any_of(
        views, [](const View* view) { return view->isVisible() && view->is_behind(); });
  };
  for (auto spent = begin - begin;
       spent < milliseconds(400) || (is_behind() && spent < seconds(30));
       spent = std::chrono::steady_clock::now() - begin) {
    bridge.tick();
    QApplication::processEvents(QEventLoop::AllEvents, 20);
  }
  QImage picture(window.size() * line.scale, QImage::Format_RGB32);
  picture.setDevicePixelRatio(line.scale);
  window.render(&picture);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!QImageWriter(&buffer, "png").write(picture))
    throw Error(ErrorCode::kFailed, {.what = "the picture could not be made",
                                     .where = line.picture,
                                     .found = "",
                                     .allowed = "",
                                     .advice = ""});
  write_file_atomically(line.picture, std::string_view(buffer.data().constData(),
                                                       static_cast<size_t>(buffer.size())));
  print_out("wrote {}, {} x {}\n", line.picture, picture.width(), picture.height());
  first.throw_if_refused();
}

}  // namespace attn::gui
