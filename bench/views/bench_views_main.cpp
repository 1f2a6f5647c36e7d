// SPDX-License-Identifier: GPL-3.0-or-later
// `attention-workbench bench-views [--filter REGEX] [--json FILE] [--list]`
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/row_reporter.h"
#include "bench/views/view_bench.h"
#include "engine/core/error.h"
#include "gui/app/headless.h"

namespace attn::gui {
namespace {

constexpr const char* kHelp =
    R"(Usage: attention-workbench bench-views [--filter REGEX] [--json FILE] [--list]

Measures frames of the views, by software rendering on the offscreen platform, and what a window
costs the engine. Counters: frame_p50_ms, frame_p99_ms. --list prints the names of the rows.
)";

}  // namespace

int bench_views_main(const std::vector<std::string>& words) {
  std::vector<std::string> args{"attention-workbench"};
  std::string filter;
  bool list = false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--help" || words[i] == "-h") {
      fmt::print("{}", kHelp);
      return 0;
    }
    if (words[i] == "--list") {
      list = true;
      continue;
    }
    if (words[i] != "--filter" && words[i] != "--json")
      throw_bad_input({"unknown option", "attention-workbench bench-views", "`" + words[i] + "`",
                       "--filter, --json, --list", ""});
    if (i + 1 >= words.size())
      throw_bad_input({"option needs a value", words[i], "nothing", "", ""});
    if (words[i] == "--filter") filter = words[i + 1];
    if (words[i] == "--json") args.push_back("--benchmark_out=" + words[i + 1]);
    ++i;
  }
  register_heatmap_views();
  register_timeline_views();
  register_block_views();
  register_live_views();
  const std::vector<std::string> names = bench::take_rows(filter);
  if (names.empty())
    throw_bad_input({"no benchmark matches", "--filter", "`" + filter + "`", "",
                     "attention-workbench bench-views --list prints all names"});
  if (list) {
    fmt::print("{}\n", fmt::join(names, "\n"));
    return 0;
  }
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  bench::TableRows table(benchmark::ConsoleReporter::OO_None);
  bench::JsonRows file;
  benchmark::RunSpecifiedBenchmarks(&table, args.size() > 1 ? &file : nullptr);
  benchmark::Shutdown();
  return 0;
}

}  // namespace attn::gui
