// SPDX-License-Identifier: GPL-3.0-or-later
// A session file: a run with everything that the views show of it, so that it can be looked at
// later without being computed again. It has the scenario, the state at the end and after every
// step that the history still has, all recorded events, and for every sequence the queries, keys,
// values and log-sum-exps from which attention weights are recomputed to the same bits; and the
// notes that a person wrote. Neither model nor tensors are needed to open it, only to run its
// scenario again. The format: docs/formats.md. Any thread that owns the run.
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
// Whether the file's name has the ending of a session file. Opening and inspecting go by it, too.
bool is_session_file(const std::filesystem::path& file);

// The parts of a run that are saved. The run must stand still until save_session() returns.
struct SessionInputs {
  std::shared_ptr<const EngineSnapshot> snapshot;
  const Recorder* recorder = nullptr;       // must be drained
  const RowStateLog* row_states = nullptr;  // null: nobody watched a head
  std::string view = "{}";                  // a JSON object: the state of the window
  std::vector<StepNote> notes = {};         // of steps that have ended, ascending in their steps
};

// A session that was read from a file.
struct Session {
  std::filesystem::path file;
  std::shared_ptr<const EngineSnapshot> snapshot;  // its `run` is 0
  std::shared_ptr<Recorder> recorder;              // the recorded events and messages
  std::vector<RowStateEvent> row_states;
  std::string view;             // a JSON object: the state of the window
  std::vector<StepNote> notes;  // ascending in their steps
};

// done: [0, 1]. When it returns false, Error(kCancelled) is thrown.
using SessionProgress = std::function<bool(double done)>;

// Writes `file` as a whole (whole_file.h): a reader finds the old one or the new one. Two runs of a
// scenario on the virtual clock give the same bytes if `view`, `row_states` and `notes` are the
// same, too. Throws Error(kFailed) with the path where the disk or the system refuses,
// Error(kBadInput) when there is no run yet, and for a view or notes that could not be read again.
void save_session(const std::filesystem::path& file, const SessionInputs& inputs,
                  const SessionProgress& progress = {});
// Throws Error(kBadInput) for a file that is damaged, contradicts itself or needs more memory than
// is allowed (with the byte where a value is wrong); Error(kFailed) where an allocation fails or
// the system refuses to read the file.
Session load_session(const std::filesystem::path& file, const SessionProgress& progress = {});

// One row of a file's table of chunks, for display.
struct SessionChunk {
  std::string name;
  uint64_t offset = 0, bytes = 0;
};
// The table of chunks of a file.
std::vector<SessionChunk> session_chunks(const std::filesystem::path& file);

}  // namespace attn
