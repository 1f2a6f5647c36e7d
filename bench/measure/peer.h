// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a Python script (bench/peers/attention_peer.py) how fast other libraries, the peers, are on
// the same shapes. Without --peer-python there are no peers. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/dtype.h"

namespace attn::bench {

struct PeerCase {
  bool is_prefill = true;
  std::vector<int64_t> query_lens, context_lens;  // [S]
  int64_t num_heads = 0, num_kv_heads = 0, head_size = 0;
  DType dtype = DType::kF32;
  int threads = 1;
};

// The executable file of a name: a path, or a name to look for in PATH. Throws Error(kBadInput) if
// there is none.
std::string find_program(const std::string& name);

// Starts the script and prints the libraries that it found. script: a path; empty:
// peers/attention_peer.py in the program's folder. timeout_s: longest wait for its start and, with
// --min-time added, for each answer. Throws Error(kBadInput) if the Python or the script is missing
// or fails.
void start_peers(const std::string& python, const std::string& script, double timeout_s);
void stop_peers();
// Names of the libraries that were found: "torch", "onnxruntime".
const std::vector<std::string>& peer_names();

struct PeerAnswer {
  std::optional<double> seconds;  // median time of a run of the case
  std::string trouble;            // why there is no time
};
// Asks the script once per peer and case; later calls return the first answer.
const PeerAnswer& ask_peer(const std::string& peer, const PeerCase& peer_case);

}  // namespace attn::bench
