// SPDX-License-Identifier: GPL-3.0-or-later
// A session file: a run with everything that the views show of it, so that it can be looked at
// another day without being computed again - its scenario, the state at its end and after every
// step, all events, and of every sequence the queries, keys and log-sum-exps from which attention
// weights are recomputed, to the same bits. Neither model nor tensors are needed to open it; to run
// its scenario again they are. The format: docs/formats.md. Any thread that owns the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/snapshot.h"
#include "engine/trace/recorder.h"
#include "engine/trace/row_state_log.h"

namespace attn {

inline constexpr std::string_view kSessionSuffix = "attn-session";
// By its name: what open and inspect go by.
bool is_session_file(const std::filesystem::path& file);

// What is saved. The run stands still until it is.
struct SessionInputs {
  std::shared_ptr<const EngineSnapshot> snapshot;
  const Recorder* recorder = nullptr;       // drained
  const RowStateLog* row_states = nullptr;  // null: nobody looked at them
  std::string view = "{}";                  // a JSON object: how the window showed it
};

// What is read.
struct Session {
  std::filesystem::path file;
  std::shared_ptr<const EngineSnapshot> snapshot;  // run: 0
  std::shared_ptr<Recorder> recorder;              // all events and messages
  std::vector<RowStateEvent> row_states;
  std::string view;  // a JSON object
};

// done: [0, 1]. False: cancel, Error(kCancelled).
using SessionProgress = std::function<bool(double done)>;

// Writes to a temporary file beside `file`, which then takes its place: a reader finds the old file
// or the new one, whole. Of a run on the virtual clock two files are the same bytes. Throws
// Error(kFailed) with the path where the disk or the system refuses, Error(kBadInput) before there
// is a run.
void save_session(const std::filesystem::path& file, const SessionInputs& inputs,
                  const SessionProgress& progress = {});
// Throws Error(kBadInput) that names the byte for everything that save_session() would not have
// written.
Session load_session(const std::filesystem::path& file, const SessionProgress& progress = {});

// What a file says of itself in its table of chunks; for people.
struct SessionChunk {
  std::string name;
  uint64_t offset = 0, bytes = 0;
};
std::vector<SessionChunk> session_chunks(const std::filesystem::path& file);

}  // namespace attn
