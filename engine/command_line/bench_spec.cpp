// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/command_line/bench_spec.h"

namespace attn {

const CommandSpec& bench_spec() {
  static const CommandSpec spec = {
      "attn bench",
      "Measures kernels and engine beside this machine's limits, in one run.",
      {},
      {{"--filter", "REGEX", kBenchFilterHelp},
       {"--threads", "N", "workers; default: one for each hardware thread"},
       {"--json", "FILE", "write the rows into this file, too"},
       {"--min-time", "SECONDS", "for each row; 0 to 3600"},
       {"--peer-python", "PYTHON",
        "a Python that has torch or onnxruntime; their attention is measured, too, on some of the "
        "shapes"},
       {"--peer-timeout", "SECONDS",
        "if a peer takes longer for a row than this and --min-time together, all peers are "
        "stopped;\ntheir rows from there on say so; default 300"},
       {"--peer-script", "FILE",
        "the script that asks them; default: peers/attention_peer.py beside the program"},
       {"--list", "", "print the names of the rows"}},
      "Counters of most rows: achieved_gflops or achieved_gbps, limit (same unit, measured in this "
      "run), limit_ratio,\n"
      "threads. The last line says so if the machine had other work (--json: busy_machine in the "
      "context).\nWith --peer-python also rows peer_..., and in our rows of the same work "
      "ratio_to_peer\n(time of the fastest peer over ours)."};
  return spec;
}

}  // namespace attn
