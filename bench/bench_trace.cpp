// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of observing a prefill: with a recorder, and with a recorder and a gate, against the
// same prefill with neither.
#include <string>
#include <utility>

#include "bench/attention_bench.h"

namespace attn::bench {
namespace {

enum class Looking { kTrace, kStep };

void look(benchmark::State& state, Looking looking, int threads) {
  Call call;
  set_lengths(call, 1, 2048, 0);
  call.head_size = 64;
  call.threads = threads;
  AttentionBench bench(call);
  Recorder recorder(threads);
  RunClock clock(ClockKind::kReal, recorder.num_lanes());
  RunGate gate;
  const auto looked_at = [&] {
    bench.run(&recorder, &clock, looking == Looking::kStep ? &gate : nullptr);
    recorder.clear();
  };
  measure_against(
      state, [&] { bench.run(); }, looked_at, threads);
}

}  // namespace

void register_trace(int threads) {
  for (const auto& [looking, name] :
       {std::pair{Looking::kTrace, "trace"}, std::pair{Looking::kStep, "step"}})
    for (const int t : thread_counts(threads))
      add_row(std::string("looking/") + name + "/f32/S2048/H8/KV8/D64/T" + std::to_string(t),
              [looking = looking, t](benchmark::State& state) { look(state, looking, t); });
}

}  // namespace attn::bench
