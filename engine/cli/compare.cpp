// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/compare/compare.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "engine/attention/backend.h"
#include "engine/cli/commands.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/limits.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "engine/session/report/report.h"
#include "engine/session/scenario/prompts/own_prompts.h"
#include "engine/session/scenario/tensor_scenario.h"

namespace attn::cli {
namespace {

CommandSpec compare_spec() {
  return {
      "attn compare",
      "Runs the same work through two to four backends, and prints how much their results differ.",
      {{"SCENARIO", "a file, or the name of a shipped scenario or a bundled model"}},
      {{"--backends", "A,B,...",
        "two to four names; see `attn backends`. unified/fast: the backend unified with the value "
        "fast of an option, here exactness, in place of the scenario's value"},
       {"--against-reference", "",
        "compare with `reference`; without this option: with the first backend that can run"},
       {"--prompt", "TEXT", "the prompt of the first request, in place of the scenario's"},
       {"--layer", "N", "compare this layer only; default all"},
       {"--steps", "N", "stop after this many engine steps; default: to the end"},
       {"--csv", "FILE",
        "write the numbers as CSV, with units and the places of the largest differences"},
       {"--repeat", "N",
        "measure the times in N runs, 1 to 1000; default: 5, or fewer where they take longer than "
        "10 s"},
       {"--clock", "real|virtual", "virtual: times are modelled"},
       {"--threads", "N", "worker threads; default: as the scenario says"}},
      "At every attention call each backend gets the same queries, keys and values, and keeps its "
      "own cache.\nThe exit code is 3 when none of the backends can run the scenario."};
}

std::string bytes_text(int64_t bytes) {
  if (bytes >= 1 << 20) return fmt::format("{:.2f} MiB", static_cast<double>(bytes) / (1 << 20));
  return fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
}

std::string time_text(uint64_t ns) {
  return fmt::format("{:.3f} ms", 1e-6 * static_cast<double>(ns));
}

class Table {
 public:
  void row(std::string name, std::vector<std::string> cells) {
    rows_.push_back({std::move(name), std::move(cells)});
  }
  void print() const {
    std::vector<size_t> width;
    for (const auto& [name, cells] : rows_) {
      width.resize(std::max(width.size(), cells.size() + 1));
      width[0] = std::max(width[0], name.size());
      for (size_t i = 0; i < cells.size(); ++i)
        width[i + 1] = std::max(width[i + 1], cells[i].size());
    }
    for (const auto& [name, cells] : rows_) {
      print_out("{:<{}}", name, width[0]);
      for (size_t i = 0; i < cells.size(); ++i) print_out("  {:>{}}", cells[i], width[i + 1]);
      print_out("\n");
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> rows_;
};

template <class Fn>
void add_row(Table& table, const CompareResult& result, const std::string& name, Fn&& cell) {
  std::vector<std::string> cells;
  for (const CompareColumn& column : result.columns)
    cells.push_back(column.ran() ? cell(column) : "-");
  table.row(name, std::move(cells));
}

std::vector<KernelId> kernels_of(const CompareResult& result) {
  std::vector<KernelId> kernels;
  for (const CompareColumn& column : result.columns)
    for (const KernelCost& cost : column.kernels)
      if (std::find(kernels.begin(), kernels.end(), cost.kernel) == kernels.end())
        kernels.push_back(cost.kernel);
  return kernels;
}

void print_table(const CompareResult& result) {
  Table table;
  std::vector<std::string> heads;
  for (const CompareColumn& column : result.columns)
    heads.push_back(column.display_name + (column.is_baseline ? " *" : ""));
  table.row("", heads);
  const auto difference = [&](const char* name, auto&& value) {
    add_row(table, result, name, [&](const CompareColumn& column) {
      return column.is_baseline ? std::string("0") : fmt::format("{:.3e}", value(column));
    });
  };
  difference("output, max |difference|", [](const auto& column) { return column.out.max_abs; });
  difference("output, max relative to its row",
             [](const auto& column) { return column.out.max_rel; });
  difference("log-sum-exp, max |difference|",
             [](const auto& column) { return column.lse.max_abs; });
  add_row(table, result, "weights, max |difference|", [](const CompareColumn& column) {
    if (column.is_baseline) return std::string("0");
    return column.weights.why.empty() ? fmt::format("{:.3e}", column.weights.max_abs) : "-";
  });
  add_row(table, result, "outputs with other bits", [](const CompareColumn& column) {
    return fmt::format("{} of {}", column.out.unequal, column.out.compared);
  });
  add_row(table, result, "outputs outside the tolerance", [](const CompareColumn& column) {
    return fmt::format("{} of {}", column.out.outside, column.out.compared);
  });
  const std::string modelled = result.modelled_time ? " (modelled)" : "";
  add_row(table, result, "attention time" + modelled,
          [](const CompareColumn& column) { return time_text(column.total.ns); });
  if (result.repetitions > 1)
    add_row(table, result, "  least to most", [](const CompareColumn& column) {
      return fmt::format("{:.3f} to {}", 1e-6 * static_cast<double>(column.total.least_ns),
                         time_text(column.total.most_ns));
    });
  for (const KernelId kernel : kernels_of(result))
    add_row(table, result, fmt::format("  {}", name_of(kernel)), [&](const CompareColumn& column) {
      for (const KernelCost& cost : column.kernels)
        if (cost.kernel == kernel) return time_text(cost.time.ns);
      return std::string("-");
    });
  add_row(table, result, "  outside kernels",
          [](const CompareColumn& column) { return time_text(column.outside_kernels.ns); });
  for (const std::string& device : modelled_devices(result))
    add_row(table, result, device + ", modelled", [&](const CompareColumn& column) {
      return column.modelled_device == device && column.modelled_device_ns > 0
                 ? fmt::format("{:.3f} us", 1e-3 * column.modelled_device_ns)
                 : std::string("-");
    });
  add_row(table, result, "KV cache",
          [](const CompareColumn& column) { return bytes_text(column.cache_bytes); });
  add_row(table, result, "workspace",
          [](const CompareColumn& column) { return bytes_text(column.workspace_bytes); });
  add_row(table, result, "tiles",
          [](const CompareColumn& column) { return fmt::format("{}", column.tiles); });
  add_row(table, result, "pairs visited / needed", [&](const CompareColumn& column) {
    return fmt::format("{:.2f}", column.pairs / std::max(1.0, result.needed_pairs));
  });
  add_row(table, result, "padding rows",
          [](const CompareColumn& column) { return fmt::format("{}", column.padding_rows); });
  table.print();
}

void print_sentences(const CompareResult& result) {
  for (const std::string& sentence : result.notes) print_out("note: {}\n", sentence);
  for (const CompareColumn& column : result.columns) {
    if (!column.is_baseline && column.out.max_abs > 0)
      print_out("{}: largest difference of the output at step {}, {}: {} instead of {}\n",
                column.display_name, column.out.abs_at.step, place_text(result, column.out.abs_at),
                format_float(column.out.abs_at.value), format_float(column.out.abs_at.baseline));
    if (column.weights.at.layer >= 0)
      print_out("{}: largest difference of the weights at {}, key {}: {} instead of {}\n",
                column.display_name, place_text(result, column.weights.at), column.weights.key,
                format_float(column.weights.at.value), format_float(column.weights.at.baseline));
    if (!column.weights.why.empty())
      print_out("{}: weights were not compared. {}\n", column.display_name, column.weights.why);
    for (const std::string& sentence : column.warnings)
      print_out("{}: note: {}\n", column.display_name, sentence);
    if (column.refusals.empty()) continue;
    if (column.refused_at > 0)
      print_out("{}: cannot go on from step {}:\n", column.display_name, column.refused_at);
    else
      print_out("{}: cannot run this:\n", column.display_name);
    for (const std::string& sentence : column.refusals) print_out("  - {}\n", sentence);
  }
  if (!result.ended_early.empty()) print_out("{}\n", result.ended_early);
}

}  // namespace

int command_compare(const Words& words) {
  const Options options(compare_spec(), words);
  if (options.help()) {
    print_out("{}", help_text(compare_spec()));
    return 0;
  }
  CompareSpec compare;
  compare.scenario = open_scenario(options.required_text("SCENARIO"));
  if (const auto csv = options.text("--csv")) {
    check_output_place("--csv", *csv);
    refuse_inputs("--csv", *csv, input_files(compare.scenario));
  }
  const auto prompt = options.text("--prompt");
  if (prompt) give_prompt(compare.scenario, 0, "--prompt", *prompt);
  compare.backends = comma_list(options.required_text("--backends"));
  compare.against_reference = options.has("--against-reference");
  compare.layer = options.integer("--layer", -1, 0, kMostLayers - 1);
  compare.max_steps = options.integer("--steps", 0, 1, 1 << 20);
  compare.repetitions = options.integer("--repeat", kRepetitions, 1, 1000);
  if (options.has("--repeat")) compare.repeat_within_s = std::numeric_limits<double>::infinity();
  if (options.has("--clock"))
    compare.scenario.engine.clock = options.choice("--clock", "", {"real", "virtual"}) == "virtual"
                                        ? ClockKind::kVirtual
                                        : ClockKind::kReal;
  compare.scenario.engine.threads =
      options.integer("--threads", compare.scenario.engine.threads, 1, kMostWorkers);

  const bool terminal = isatty(STDERR_FILENO) != 0;
  int shown = -1;
  const CompareResult result =
      run_compare(compare, nullptr, [&](double fraction, const std::string& what) {
        const int percent = static_cast<int>(100 * fraction);
        if (!terminal || percent == shown) return;
        shown = percent;
        print_error("\r{:3d}% {:<44}", percent, what);
      });
  if (terminal) print_error("\r{:50}\r", "");
  if (prompt && !result.requests.empty() && !result.requests[0].ignored_reason.empty())
    throw_bad_input(
        {"the prompt cannot run", "--prompt", result.requests[0].ignored_reason, "", ""});

  print_out("{}: {}, {}, {}, {}, {}; cache {} in blocks of {}\n",
            result.title.empty() ? options.required_text("SCENARIO") : result.title, result.source,
            counted(result.steps, "step", "steps"), counted(result.tokens, "token", "tokens"),
            result.layer < 0 ? counted(result.shape.num_layers, "layer", "layers")
                             : fmt::format("layer {}", result.layer),
            result.attention, result.dtype, result.block_size);
  print_table(result);
  if (!result.baseline.empty())
    print_out("All are compared with {}{}. Tolerance: {:g} + {:g} x |value|.\n", result.baseline,
              compare.against_reference ? "" : " *", result.tolerance_abs, result.tolerance_rel);
  if (!result.baseline.empty()) print_out("{}\n", times_text(result));
  print_sentences(result);
  if (const auto csv = options.text("--csv")) {
    write_file_atomically(*csv, compare_csv(result));
    print_out("wrote {}\n", *csv);
  }
  return result.baseline.empty() ? 3 : 0;
}

}  // namespace attn::cli
