// SPDX-License-Identifier: GPL-3.0-or-later
// Measures other libraries (peers) on the same shapes. bench/peers/attention_peer.py, run by the
// Python that --peer-python names, answers one case per line. Without that option there are no
// peers. Engine thread.
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

// The program file of a name, found as a shell finds it. Throws Error(kBadInput), with
// --peer-python and the path, where it does not exist or cannot be executed.
std::string find_program(const std::string& name);

// Starts the script and prints which libraries it found, with their versions. script: empty for
// peers/attention_peer.py in the program's folder. timeout_s: the longest time to start and, in
// addition to --min-time, for every answer; after it the script is stopped. Throws Error(kBadInput)
// with the path where the script is missing or the Python does not run it.
void start_peers(const std::string& python, const std::string& script, double timeout_s);
void stop_peers();
// Libraries that were found: "torch", "onnxruntime"; empty before start_peers().
const std::vector<std::string>& peer_names();

struct PeerAnswer {
  std::optional<double> seconds;  // median time of one call
  std::string trouble;            // why there is no time: a sentence for the row
};
// Asks the script once per case; later calls return the first answer.
const PeerAnswer& ask_peer(const std::string& peer, const PeerCase& peer_case);

}  // namespace attn::bench
