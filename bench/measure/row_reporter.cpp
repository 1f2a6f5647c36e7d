// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/row_reporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/measure/measure.h"

namespace attn::bench {

void run_rows(const std::string& program, const RowFilter& filter, const std::string& json,
              bool list) {
  const std::vector<std::string> names = take_rows(filter);
  if (list) {
    fmt::print("{}\n", fmt::join(names, "\n"));
    return;
  }
  std::vector<std::string> args{program};
  if (!json.empty()) args.push_back("--benchmark_out=" + json);
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  TableRows table(benchmark::ConsoleReporter::OO_None);
  JsonRows file;
  benchmark::RunSpecifiedBenchmarks(&table, json.empty() ? nullptr : &file);
  benchmark::Shutdown();
}

}  // namespace attn::bench
