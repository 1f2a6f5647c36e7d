// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/cli/commands.h"
#include "engine/cli/options.h"
#include "engine/session/attention_rule.h"
#include "engine/session/engine.h"
#include "engine/session/report.h"
#include "engine/session/tensor_scenario.h"

namespace attn::cli {
namespace {

CommandSpec spec() {
  return {
      "run",
      "Runs a scenario to its end and writes its report.",
      {"SCENARIO"},
      {{"--export", "DIR", "write the report into this folder (made if needed)"},
       {"--clock", "real|virtual", "virtual: times are modelled and two runs write the same bytes"},
       {"--threads", "N", "workers; default: as the scenario says"}},
      "SCENARIO is a file or the name of a shipped scenario, for example first-look.\n"
      "Pictures need the desktop program: attention-workbench run SCENARIO --export DIR."};
}

}  // namespace

int command_run(const Words& words) {
  const Options options(spec(), words);
  if (options.help()) {
    fmt::print("{}", help_text(spec()));
    return 0;
  }
  Scenario scenario = open_scenario(options.positional(0));
  if (options.has("--clock"))
    scenario.engine.clock = options.choice("--clock", "", {"real", "virtual"}) == "virtual"
                                ? ClockKind::kVirtual
                                : ClockKind::kReal;
  if (const auto folder = options.text("--export")) check_folder_is_writable(*folder);
  scenario.engine.threads = options.integer("--threads", scenario.engine.threads, 1, 254);

  Recorder recorder(num_workers(scenario));
  EngineOptions engine_options;
  engine_options.recorder = &recorder;
  engine_options.keep_attention = options.has("--export");
  Engine engine(scenario, engine_options);
  engine.run_to_end();

  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  recorder.drain();
  const TraceCounts counts = recorder.counts();
  const uint64_t end_ns = shot.steps->empty() ? 0 : shot.steps->back().end_ns;
  fmt::print("{}: {} requests, {} steps, {} tokens generated, {:.3f} ms{}, {} events, {} dropped\n",
             scenario.title.empty() ? options.positional(0) : scenario.title, shot.requests.size(),
             shot.steps->size(), shot.generated_tokens, 1e-6 * static_cast<double>(end_ns),
             shot.modelled_time ? " (modelled)" : "", counts.recorded, counts.dropped);
  if (!shot.rule->is_plain()) fmt::print("attention: {}\n", attention_text(scenario.attention));
  for (const std::string& message : recorder.messages()) fmt::print("note: {}\n", message);
  for (const RequestView& request : shot.requests)
    if (request.has_news()) fmt::print("note: {}: {}\n", request.name, request.ignored_reason);
  if (const auto folder = options.text("--export")) {
    ReportInputs inputs;
    inputs.snapshot = &shot;
    inputs.events = recorder.sorted();
    inputs.messages = recorder.messages();
    inputs.counts = counts;
    const auto files = write_report(*folder, inputs);
    fmt::print("{} files in {}\n", files.size(), *folder);
  }
  return 0;
}

}  // namespace attn::cli
