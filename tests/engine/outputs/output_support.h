// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for the tests of outputs: a small run on the virtual clock, the export of its report, and
// the message of the error that a function throws.
#pragma once

#include "engine/session/report/report.h"
#include "engine/session/report/report_folder.h"
#include "tests/engine/outputs/write_faults.h"
#include "tests/engine/session/session_file/session_file_support.h"

namespace attn::test {

inline SavedRun run_of(int64_t tokens) {
  Scenario scenario = tiny_scenario();
  for (ScenarioRequest& request : scenario.requests) request.max_tokens = tokens;
  return SavedRun(scenario);
}

inline void export_report(const std::filesystem::path& folder, const SavedRun& run,
                          bool keep_others = false) {
  ReportInputs inputs;
  inputs.snapshot = run.snapshot.get();
  inputs.events = run.recorder->sorted();
  inputs.messages = run.recorder->messages();
  inputs.counts = run.recorder->counts();
  ReportFolder("--export", folder, keep_others).fill([&](const std::filesystem::path& work) {
    write_report(work, inputs);
  });
}

inline std::string message_of(const std::function<void()>& write) {
  try {
    write();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace attn::test
