// SPDX-License-Identifier: GPL-3.0-or-later
// `attn bench [--filter REGEX] [--threads N] [--json FILE] [--min-time SECONDS]`
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>

#include "backends/register_all.h"
#include "bench/attention_bench.h"
#include "bench/peer.h"
#include "bench/row_reporter.h"
#include "engine/cli/commands.h"
#include "engine/core/error.h"

namespace attn {
namespace {

constexpr const char* kHelp =
    R"(Usage: attn bench [--filter REGEX] [--threads N] [--json FILE] [--min-time SECONDS] [--peer-python PYTHON] [--list]

Measures kernels and engine beside this machine's limits, in one run. Counters: achieved_gflops or
achieved_gbps, limit (same unit, measured in this run), limit_ratio, threads. With --peer-python, a
Python that has torch or onnxruntime, also their attention on the same shapes: rows peer_..., and
ratio_to_peer (time of the fastest one over ours) in ours. --list prints the names of the rows.
)";

struct BenchOptions {
  std::vector<std::string> args{"attn bench"};
  int threads = ThreadPool::hardware_workers();
  std::string filter, peer_python;
  bool has_file = false, help = false, list = false;
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
  for (size_t i = 0; i < words.size(); ++i) {
    const auto value = [&]() -> const std::string& {
      if (i + 1 >= words.size())
        throw_bad_input({"option needs a value", words[i], "nothing", "", "See attn bench --help"});
      return words[++i];
    };
    if (words[i] == "--help" || words[i] == "-h") {
      options.help = true;
    } else if (words[i] == "--list") {
      options.list = true;
    } else if (words[i] == "--filter") {
      options.filter = value();
    } else if (words[i] == "--json") {
      options.args.push_back("--benchmark_out=" + value());
      options.has_file = true;
    } else if (words[i] == "--min-time") {
      bench::min_time_s() = number_of("--min-time", value(), 0, 3600);
    } else if (words[i] == "--threads") {
      options.threads = static_cast<int>(number_of("--threads", value(), 1, 254));
    } else if (words[i] == "--peer-python") {
      options.peer_python = value();
    } else {
      throw_bad_input({"unknown option", "attn bench", "`" + words[i] + "`",
                       "--filter, --threads, --json, --min-time, --peer-python, --list", ""});
    }
  }
  return options;
}

}  // namespace

int bench_main(const std::vector<std::string>& words) {
  BenchOptions options = parse(words);
  if (options.help) {
    fmt::print("{}", kHelp);
    return 0;
  }
  register_all_backends();
  if (!options.peer_python.empty()) bench::start_peers(options.peer_python);
  bench::register_flash_prefill(options.threads);
  bench::register_paged_decode(options.threads);
  bench::register_cache_ops(options.threads);
  bench::register_linear(options.threads);
  bench::register_weight_recompute();
  bench::register_trace(options.threads);
  bench::register_engine(options.threads);
  const std::vector<std::string> names = bench::take_rows(options.filter);
  if (names.empty())
    throw_bad_input({"no benchmark matches", "--filter", "`" + options.filter + "`", "",
                     "attn bench --list prints all names"});
  if (options.list) {
    fmt::print("{}\n", fmt::join(names, "\n"));
    bench::stop_peers();
    return 0;
  }
  std::vector<char*> argv;
  for (std::string& arg : options.args) argv.push_back(arg.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  bench::TableRows table(benchmark::ConsoleReporter::OO_None);
  bench::JsonRows file;
  benchmark::RunSpecifiedBenchmarks(&table, options.has_file ? &file : nullptr);
  benchmark::Shutdown();
  bench::stop_peers();
  return 0;
}

}  // namespace attn
