// SPDX-License-Identifier: GPL-3.0-or-later
// attn-bench, the program that `attn bench` starts.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "backends/register_all.h"
#include "bench/attention_bench.h"
#include "bench/measure/options.h"
#include "bench/measure/peer.h"
#include "bench/measure/row_reporter.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/core/print_error.h"

namespace attn {
namespace {

constexpr const char* kHelp =
    R"(Usage: attn bench [--filter REGEX] [--threads N] [--json FILE] [--min-time SECONDS]
                  [--peer-python PYTHON [--peer-timeout SECONDS] [--peer-script FILE]] [--list]

Measures kernels and engine beside this machine's limits, in one run. Counters: achieved_gflops or
achieved_gbps, limit (same unit, measured in this run), limit_ratio, threads. With --peer-python, a
Python that has torch or onnxruntime, also their attention on the same shapes: rows peer_..., and
ratio_to_peer (time of the fastest one over ours) in ours. A peer that takes longer than --peer-timeout
(300) and --min-time together for a row is stopped; this row and the later ones of the peers say so.
--peer-script: the script that asks them, where it is not peers/attention_peer.py beside the program.
--list prints the names of the rows.

)";

struct BenchOptions {
  int threads = ThreadPool::hardware_workers();
  bench::RowFilter filter;
  std::string peer_python, peer_script;
  double peer_timeout_s = 300;
  std::string json;
  bool help = false, list = false;
};

double number_of(const std::string& option, const std::string& text, double least, double most) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(number >= least && number <= most))
    throw_bad_input({"the value of an option is out of range", option, text,
                     fmt::format("{} to {}", least, most), ""});
  return number;
}

BenchOptions parse(const std::vector<std::string>& words) {
  BenchOptions options;
  bench::OptionValues values(words);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    if (option == "--help" || option == "-h") {
      options.help = true;
    } else if (option == "--list") {
      options.list = true;
    } else if (option == "--filter") {
      options.filter = bench::RowFilter(values.take(i));
    } else if (option == "--json") {
      options.json = values.take(i);
    } else if (option == "--min-time") {
      bench::min_time_s() = number_of(option, values.take(i), 0, 3600);
    } else if (option == "--threads") {
      options.threads = static_cast<int>(number_of(option, values.take(i), 1, kMostWorkers));
    } else if (option == "--peer-python") {
      options.peer_python = values.take(i);
    } else if (option == "--peer-script") {
      options.peer_script = values.take(i);
    } else if (option == "--peer-timeout") {
      options.peer_timeout_s = number_of(option, values.take(i), 1, 3600);
    } else {
      throw_bad_input(
          {"unknown option", "attn bench", "`" + option + "`",
           "--filter, --threads, --json, --min-time, --peer-python, --peer-timeout, --peer-script, "
           "--list",
           ""});
    }
  }
  return options;
}

// Stops the script of the peers however the program ends.
struct PeersForNow {
  ~PeersForNow() { bench::stop_peers(); }
};

int bench_main(const std::vector<std::string>& words) {
  const BenchOptions options = parse(words);
  if (options.help) {
    fmt::print("{}{}", kHelp, bench::kFilterHelp);
    return 0;
  }
  register_all_backends();
  const PeersForNow peers;
  if (!options.peer_python.empty()) {
    bench::start_peers(options.peer_python, options.peer_script, options.peer_timeout_s);
  }
  bench::register_flash_prefill(options.threads);
  bench::register_paged_decode(options.threads);
  bench::register_cache_ops(options.threads);
  bench::register_linear(options.threads);
  bench::register_weight_recompute();
  bench::register_trace(options.threads);
  bench::register_engine(options.threads);
  bench::register_tokenizer();
  bench::run_rows("attn bench", options.filter, options.json, options.list);
  return 0;
}

}  // namespace
}  // namespace attn

int main(int argc, char** argv) {
  try {
    return attn::bench_main({argv + 1, argv + argc});
  } catch (const attn::Error& error) {
    attn::print_error("attn: {}\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    attn::print_error("attn: {}\n", error.what());
    return 1;
  }
}
