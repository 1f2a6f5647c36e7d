// SPDX-License-Identifier: GPL-3.0-or-later
// attn-bench, the program that `attn bench` starts.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>

#include "backends/register_all.h"
#include "bench/attention_bench.h"
#include "bench/measure/peer.h"
#include "bench/measure/row_filter.h"
#include "bench/measure/row_reporter.h"
#include "engine/command_line/bench_spec.h"
#include "engine/command_line/options.h"
#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/limits.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"

namespace attn {
namespace {

struct PeersForNow {
  ~PeersForNow() { bench::stop_peers(); }
};

int bench_main(const std::vector<std::string>& words) {
  const Options options(bench_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(bench_spec()));
    return 0;
  }
  const bench::RowFilter filter =
      options.has("--filter") ? bench::RowFilter(*options.text("--filter")) : bench::RowFilter();
  const auto threads = static_cast<int>(
      options.integer("--threads", ThreadPool::hardware_workers(), 1, kMostWorkers));
  const double peer_timeout_s = options.number("--peer-timeout", 300, 1, 3600);
  bench::min_time_s() = options.number("--min-time", bench::min_time_s(), 0, 3600);
  if (const auto json = options.text("--json"))
    for (const char* input : {"--peer-script", "--peer-python"})
      if (const auto file = options.text(input)) refuse_same_file("--json", *json, input, *file);
  register_all_backends();
  const PeersForNow peers;
  if (const auto python = options.text("--peer-python"))
    bench::start_peers(*python, options.text("--peer-script").value_or(""), peer_timeout_s);
  bench::register_flash_prefill(threads);
  bench::register_math_prefill(threads);
  bench::register_memory_efficient_prefill(threads);
  bench::register_prefix_prefill(threads);
  bench::register_pallas_flash(threads);
  bench::register_pallas_multi_query(threads);
  bench::register_paged_decode(threads);
  bench::register_pallas_paged_decode(threads);
  bench::register_original_steps(threads);
  bench::register_cache_ops(threads);
  bench::register_pallas_cache(threads);
  bench::register_move_rows();
  bench::register_quantise();
  bench::register_dot_tiles();
  bench::register_matrix_tiles();
  bench::register_matrix_pack();
  bench::register_linear(threads);
  bench::register_panel_product();
  bench::register_calls(threads);
  bench::register_weight_recompute();
  bench::register_trace(threads);
  bench::register_engine(threads);
  bench::register_explore(threads);
  bench::register_tokenizer();
  bench::run_rows("attn bench", filter, options.text("--json").value_or(""), options.has("--list"));
  return 0;
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  attn::prepare_standard_streams();
  int code = 1;
  try {
    code = attn::bench_main({argv + 1, argv + argc});
  } catch (const attn::Error& error) {
    attn::print_error("attn: {}\n", error.what());
    code = error.exit_code();
  } catch (const std::exception& error) {
    attn::print_error("attn: {}\n", error.what());
  }
  return attn::finish_standard_output("attn", code);
}
