// SPDX-License-Identifier: GPL-3.0-or-later
// Other libraries on the same shapes in the same seconds: bench/peers/attention_peer.py, run by the
// Python that --peer-python names, answers one case per line. Without it there are no peers. Engine
// thread.
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

// Starts the script. Prints which libraries it found, with their versions; throws Error when it
// cannot be run.
void start_peers(const std::string& python);
void stop_peers();
// "torch", "onnxruntime": what was found; empty before start_peers().
const std::vector<std::string>& peer_names();
// Median seconds of one call; asked once per case. nullopt: the peer does not run it.
std::optional<double> peer_seconds(const std::string& peer, const PeerCase& peer_case);

}  // namespace attn::bench
