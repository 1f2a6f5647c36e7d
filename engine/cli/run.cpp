// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/attention/backend.h"
#include "engine/cli/backend_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/run_until_stopped.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/limits.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "engine/session/page/run_page.h"
#include "engine/session/report/report.h"
#include "engine/session/report/report_folder.h"
#include "engine/session/run/engine.h"
#include "engine/session/scenario/attention_rule.h"
#include "engine/session/scenario/prompts/own_prompts.h"
#include "engine/session/scenario/tensor_scenario.h"
#include "engine/session/session_file/session_file.h"

namespace attn::cli {
namespace {

CommandSpec run_spec() {
  CommandSpec spec{
      "attn run",
      "Runs a scenario to its end, prints a summary and, with --export, writes its report.",
      {{"SCENARIO",
        "a file, or the name of a shipped scenario or a bundled model, for example first-look; of "
        "a session file\n(.attn-session) nothing is computed: summary and report are those of the "
        "saved "
        "run"}},
      {{"--export", "DIR",
        "write the report into this folder (created if needed); an older report of the same "
        "scenario there is replaced"},
       {"--force", "",
        "write into the folder even if it holds other files or another report. Files with the name "
        "of a file of the new report are replaced, other files stay; another report is deleted"},
       {"--session", "FILE.attn-session", "save the run as a file that the window can open later"},
       {"--page", "FILE.html",
        "write the run as one HTML file, which shows heatmap, lines, blocks and timeline in a "
        "browser, without a network"},
       {"--prompt", "TEXT", "the prompt of the first request, in place of the scenario's"},
       {"--backend", "NAME",
        "the attention backend, in place of the scenario's: a name that `attn backends` lists"},
       {"--clock", "real|virtual",
        "virtual: times are modelled, and a repeated run writes the same bytes"},
       {"--threads", "N", "worker threads; default: as the scenario says"}},
      "Pictures need the desktop program: attention-workbench run SCENARIO --export DIR."};
  add_backend_options(spec, "default: as the scenario says");
  return spec;
}

// Is called before the run, so that a bad place is not first noticed at the end of a long run.
void check_session_place(const std::filesystem::path& file) {
  if (!is_session_file(file))
    throw_bad_input({"the name of a session file has the wrong ending", "--session", file.string(),
                     fmt::format("a name that ends in .{}", kSessionSuffix), ""});
  check_output_place("--session", file);
}

void print_summary(const EngineSnapshot& shot, const Recorder& recorder, const std::string& name) {
  const TraceCounts counts = recorder.counts();
  const Scenario& scenario = *shot.scenario;
  const uint64_t end_ns = shot.steps->empty() ? 0 : shot.steps->back().end_ns;
  print_out("{}: {}, {}, tokens generated: {}, {:.3f} ms{}, {}, {} dropped\n",
            scenario.title.empty() ? name : scenario.title,
            counted(shot.requests.size(), "request", "requests"),
            counted(shot.steps->size(), "step", "steps"), generated_text(shot),
            1e-6 * static_cast<double>(end_ns), shot.modelled_time ? " (modelled)" : "",
            counted(counts.recorded, "event", "events"), counts.dropped);
  if (!std::ranges::all_of(shot.rules->list(), &WeightRule::is_plain))
    print_out("attention: {}\n", attention_text(scenario.attention, shot.source));
  for (const RequestView& request : shot.requests)
    for (const Intervention& what : request.interventions)
      print_out("changed: {}: {}\n", request.name, text_of(what));
  for (const std::string& message : recorder.messages()) print_out("note: {}\n", message);
  for (const RequestView& request : shot.requests)
    if (request.state == RequestState::kFinishedIgnored)
      print_error("attn: {} was ignored, nothing of it was computed: {}\n", request.name,
                  request.ignored_reason);
    else if (request.has_news())
      print_out("note: {}: {}\n", request.name, request.ignored_reason);
}

void write_whole_report(const Options& options,
                        const std::vector<std::filesystem::path>& files_read,
                        const EngineSnapshot& shot, const Recorder& recorder,
                        const std::vector<StepNote>& notes = {}) {
  const std::string folder = options.required_text("--export");
  ReportInputs inputs;
  inputs.snapshot = &shot;
  inputs.events = recorder.sorted();
  inputs.messages = recorder.messages();
  inputs.notes = notes;
  inputs.counts = recorder.counts();
  size_t count = 0;
  ReportFolder("--export", folder, options.has("--force"), files_read)
      .fill([&](const std::filesystem::path& work) {
        count = write_report(work, std::move(inputs)).size();
      });
  print_out("{} in {}\n", counted(count, "file", "files"), folder);
}

void write_page(const Options& options, const EngineSnapshot& shot, const Recorder& recorder) {
  const std::string file = options.required_text("--page");
  const std::vector<TraceEvent> events = recorder.sorted();
  const ScenarioView& view = shot.scenario->view;
  write_file_atomically(file, run_page_html({.snapshot = &shot,
                                             .events = &events,
                                             .view = page_views().front(),
                                             .request = -1,
                                             .layer = view.layer,
                                             .head = view.head,
                                             .step = 0}));
  print_out("page in {}\n", file);
}

void check_page(const Options& options, const std::vector<std::filesystem::path>& files_read) {
  const auto page = options.text("--page");
  if (!page) return;
  if (const auto folder = options.text("--export"))
    refuse_inside_report("--page", *page, "--export", *folder);
  if (const auto session = options.text("--session"))
    refuse_same_file("--page", *page, "the session", *session);
  refuse_inputs("--page", *page, files_read);
  if (const std::string ending = std::filesystem::path(*page).extension().string();
      ending != ".html" && ending != ".htm")
    throw_bad_input({"the name of an HTML page has the wrong ending", "--page", *page,
                     "a name that ends in .html or .htm", ""});
  check_output_place("--page", *page);
}

void check_export(const Options& options, const std::vector<std::filesystem::path>& files_read,
                  const std::string& title) {
  if (const auto folder = options.text("--export")) {
    if (!options.has("--force")) refuse_other_report("--export", *folder, title, {});
    check_report_folder("--export", *folder, options.has("--force"), files_read);
  } else if (options.has("--force")) {
    throw_bad_input({"this option needs another one", "--force", "no --export", "--export DIR",
                     "See `attn run --help`."});
  }
}

// Prints the summary of a session file; writes report and page if asked. Nothing is computed.
int report_session(const Options& options) {
  std::vector<std::string> of_runs{"--session", "--prompt", "--backend", "--clock", "--threads"};
  for (const OptionSpec& own : backend_option_specs(OptionValues::kThatRun))
    of_runs.push_back(own.name);
  for (const std::string& option : of_runs)
    if (options.has(option))
      throw_bad_input({"this option needs a new run, but of a session file nothing is computed",
                       option, options.required_text("SCENARIO"), "a scenario",
                       "Run the scenario again."});
  const std::vector<std::filesystem::path> read = {options.required_text("SCENARIO")};
  const Session session = load_session(read[0]);
  check_export(options, read, session.snapshot->scenario->title);
  check_page(options, read);
  print_summary(*session.snapshot, *session.recorder, options.required_text("SCENARIO"));
  if (options.has("--export"))
    write_whole_report(options, read, *session.snapshot, *session.recorder, session.notes);
  if (options.has("--page")) write_page(options, *session.snapshot, *session.recorder);
  return 0;
}

}  // namespace

int command_run(const Words& words) {
  const Options options(run_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(run_spec()));
    return 0;
  }
  if (is_session_file(options.required_text("SCENARIO"))) return report_session(options);
  Scenario scenario = open_scenario(options.required_text("SCENARIO"));
  const auto prompt = options.text("--prompt");
  if (prompt) give_prompt(scenario, 0, "--prompt", *prompt);
  if (const auto backend = options.text("--backend"))
    scenario.engine.backend = backend_named(*backend).name();
  change_backend_options(options, scenario.engine.backend_options);
  note_other_devices(options, backend_named(scenario.engine.backend));
  if (options.has("--clock"))
    scenario.engine.clock = options.choice("--clock", "", {"real", "virtual"}) == "virtual"
                                ? ClockKind::kVirtual
                                : ClockKind::kReal;
  const std::vector<std::filesystem::path> read = input_files(scenario);
  check_export(options, read, scenario.title);
  check_page(options, read);
  const auto session = options.text("--session");
  if (session) {
    if (const auto folder = options.text("--export"))
      refuse_inside_report("--session", *session, "--export", *folder);
    refuse_inputs("--session", *session, read);
    check_session_place(*session);
  }
  scenario.engine.threads = options.integer("--threads", scenario.engine.threads, 1, kMostWorkers);

  Recorder recorder(num_workers(scenario));
  RowStateLog row_states;
  EngineOptions engine_options;
  engine_options.recorder = &recorder;
  const bool page = options.has("--page");
  engine_options.keep_attention = session || page || options.has("--export");
  engine_options.will_report = options.has("--export");
  if (session || page) engine_options.history_bytes = kHistoryBytes;
  if (session) {
    engine_options.row_states = &row_states;
    row_states.watch(0, static_cast<int>(scenario.view.layer),
                     static_cast<int>(scenario.view.head));
  }
  Engine engine(scenario, engine_options);
  run_until_stopped(engine);

  const auto shot = std::make_shared<const EngineSnapshot>(
      engine.snapshot(engine.has_work() ? EnginePhase::kCancelled : EnginePhase::kFinished));
  // An ignored request with the scenario's own prompt is a result and not an error.
  if (prompt && !shot->requests.empty() &&
      shot->requests[0].state == RequestState::kFinishedIgnored)
    throw_bad_input(
        {"the prompt cannot run", "--prompt", shot->requests[0].ignored_reason, "", ""});
  recorder.drain();
  print_summary(*shot, recorder, options.required_text("SCENARIO"));
  if (options.has("--export")) write_whole_report(options, read, *shot, recorder);
  if (session) {
    save_session(*session, {shot, &recorder, &row_states, "{}"});
    print_out("session in {}\n", *session);
  }
  if (page) write_page(options, *shot, recorder);  // last, because it refuses some runs
  engine.require_effect();
  return exit_code_of_run(engine, session && options.has("--export")
                                      ? "the report and the session hold"
                                  : session                 ? "the session holds"
                                  : options.has("--export") ? "the report holds"
                                                            : "");
}

}  // namespace attn::cli
