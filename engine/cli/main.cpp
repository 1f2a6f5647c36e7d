// SPDX-License-Identifier: GPL-3.0-or-later
// main() of `attn`, the engine on the command line without Qt: the list of its subcommands and its
// help.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "backends/register_all.h"
#include "engine/cli/commands.h"
#include "engine/command_line/bench_spec.h"
#include "engine/core/bench_program.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"

namespace attn::cli {
namespace {

struct Entry {
  const char* name;
  const char* summary;
  int (*run)(const Words&);
};

// Starts another program, so `attn` does not link a benchmark library. The help does not need it.
int command_bench(const Words& words) {
  if (Options(bench_spec(), words).help()) {
    print_out("{}", help_text(bench_spec()));
    return 0;
  }
  run_bench_program("attn-bench", words, "attn bench");
}

constexpr Entry kCommands[] = {
    {"op", "one attention call from a safetensors file", command_op},
    {"generate", "text from a model folder or a GGUF file", command_generate},
    {"run", "a scenario, with its report", command_run},
    {"compare", "a scenario through two to four backends", command_compare},
    {"explore", "what each part of a model contributes, and what if it did not", command_explore},
    {"backends", "what each backend supports, and why it refuses a configuration",
     command_backends},
    {"lesson", "lessons: check, new, collect, gift, handout, html, list, quantities",
     command_lesson},
    {"inspect", "what a file contains, and whether a model can run", command_inspect},
    {"models", "the models on this machine, and whether they can run", command_models},
    {"convert", "a model as a GGUF file or as a folder", command_convert},
    {"bench", "measure the kernels on this machine (needs `./workbench build --all`)",
     command_bench},
};

void print_help() {
  print_out(
      "Attention Workbench {} on the command line.\n\nUsage: attn COMMAND [options]\n\nCommands:\n",
      ATTN_VERSION);
  for (const Entry& entry : kCommands) print_out("  {:<9} {}\n", entry.name, entry.summary);
  print_out(
      "\n`attn COMMAND --help` explains a command. `attn --version` prints the version.\n"
      "Exit codes: 0 fine, 1 failed, 2 bad input, 3 not supported, by this backend or at all, 128 "
      "+ N stopped "
      "by signal N.\n");
}

int dispatch(const Words& words) {
  const auto refuse_more = [&] {
    if (words.size() > 1)
      throw_bad_input({"too many arguments", "attn " + words[0], fmt::format("`{}`", words[1]),
                       words[0] + " alone", "`attn COMMAND --help` explains a command"});
  };
  if (words.size() == 2 && words[0] == "help") return dispatch({words[1], "--help"});
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    refuse_more();
    print_help();
    return words.empty() ? 2 : 0;
  }
  if (words[0] == "--version") {
    refuse_more();
    print_out("attn {}\n", ATTN_VERSION);
    return 0;
  }
  std::vector<std::string> names;
  for (const Entry& entry : kCommands) {
    if (words[0] == entry.name) return entry.run({words.begin() + 1, words.end()});
    names.emplace_back(entry.name);
  }
  const std::string near = nearest_match(words[0], names);
  throw_bad_input({"no such command", "attn", fmt::format("`{}`", words[0]),
                   fmt::format("{}", fmt::join(names, ", ")),
                   near.empty() ? "See `attn --help`." : fmt::format("Did you mean `{}`?", near)});
}

}  // namespace
}  // namespace attn::cli

int main(int argc, char** argv) {
  attn::prepare_standard_streams();
  int code = 1;
  try {
    attn::register_all_backends();
    code = attn::cli::dispatch({argv + 1, argv + argc});
  } catch (const attn::Error& error) {
    std::fflush(stdout);
    attn::print_error("attn: {}\n", error.what());
    code = error.exit_code();
  } catch (const std::exception& error) {
    std::fflush(stdout);
    attn::print_error_line("attn", attn::message_of(error));
  }
  return attn::finish_standard_output("attn", code);
}
