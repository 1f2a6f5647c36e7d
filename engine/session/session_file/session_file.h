// SPDX-License-Identifier: GPL-3.0-or-later
// A session file: a run, saved so that it can be looked at without being computed again. It has the
// scenario, the states of the steps that the history has, the recorded events, the notes, and for
// each computed sequence the queries, keys, values and log-sum-exps. Neither model nor tensors are
// needed to open it. The format: docs/formats.md. Any thread that owns the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/notes/step_notes.h"
#include "engine/session/run/snapshot.h"
#include "engine/trace/recorder.h"
#include "engine/trace/row_state_log.h"

namespace attn {

inline constexpr std::string_view kSessionSuffix = "attn-session";
bool is_session_file(const std::filesystem::path& file);

// The parts of a run that are saved. The run must stand still meanwhile.
struct SessionInputs {
  std::shared_ptr<const EngineSnapshot> snapshot;
  const Recorder* recorder = nullptr;       // must be drained
  const RowStateLog* row_states = nullptr;  // null: nobody watched a head
  std::string view = "{}";                  // JSON: state of the window
  std::vector<StepNote> notes = {};         // ascending in their steps
};

struct Session {
  std::filesystem::path file;
  std::shared_ptr<const EngineSnapshot> snapshot;  // from a file: its `run` is 0
  std::shared_ptr<Recorder> recorder;              // the recorded events and messages
  std::vector<RowStateEvent> row_states;
  std::string view;             // JSON: state of the window
  std::vector<StepNote> notes;  // ascending in their steps
};

// done: [0, 1]. When it returns false, Error(kCancelled) is thrown.
using SessionProgress = std::function<bool(double done)>;

// Writes `file` as a whole (whole_file.h). Two runs of a scenario on the virtual clock, neither
// slowed nor paused and with the same number of workers, give the same bytes if `view`,
// `row_states` and `notes` are the same. Throws Error(kFailed) with the path where the disk or the
// system refuses, and Error(kBadInput) if there is no run yet or the file could not be read again.
void save_session(const std::filesystem::path& file, const SessionInputs& inputs,
                  const SessionProgress& progress = {});
// Throws Error(kBadInput) for a file that is damaged, contradicts itself or needs more memory than
// is allowed; Error(kFailed) if an allocation fails or the file cannot be read.
Session load_session(const std::filesystem::path& file, const SessionProgress& progress = {});

struct SessionChunk {
  std::string name;
  uint64_t offset = 0, bytes = 0;
};
std::vector<SessionChunk> session_chunks(const std::filesystem::path& file);

}  // namespace attn
