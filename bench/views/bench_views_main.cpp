// SPDX-License-Identifier: GPL-3.0-or-later
// attention-workbench-bench, the program that `attention-workbench bench-views` starts.
#include <fmt/format.h>

#include <QApplication>
#include <cstdio>

#include "backends/register_all.h"
#include "bench/measure/row_filter.h"
#include "bench/measure/row_reporter.h"
#include "bench/views/view_bench.h"
#include "engine/command_line/bench_spec.h"
#include "engine/command_line/options.h"
#include "engine/core/error.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "gui/app/one_heap.h"
#include "gui/app/program.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

const CommandSpec kSpec = {"attention-workbench bench-views",
                           "Measures frames of the views, by software rendering on the offscreen "
                           "platform, and what a window\n"
                           "costs the engine.",
                           {},
                           {{"--filter", "REGEX", kBenchFilterHelp},
                            {"--json", "FILE", "write the rows into this file, too"},
                            {"--list", "", "print the names of the rows"}},
                           "Counters of frames: frame_p50_ms, frame_p99_ms."};

int bench_views_main(const std::vector<std::string>& words) {
  const Options options(kSpec, words);
  if (options.help()) {
    print_out("{}", help_text(kSpec));
    return 0;
  }
  const bench::RowFilter filter =
      options.has("--filter") ? bench::RowFilter(*options.text("--filter")) : bench::RowFilter();
  add_rows_of_views();
  add_rows_of_live_window();
  add_rows_of_window();
  register_cell_reduce();
  register_draw_curves();
  bench::run_rows("attention-workbench", filter, options.text("--json").value_or(""),
                  options.has("--list"));
  return 0;
}

// Runs the rows under Qt, on the offscreen platform unless QT_QPA_PLATFORM is set.
int start(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  leave_out_platform_notes();
  QApplication app(argc, argv);
  name_program(app);
  use_one_number_format();
  Theme::instance().set_mode(ThemeMode::kSystem);
  Theme::instance().install(app);
  return bench_views_main({argv + 1, argv + argc});
}

}  // namespace
}  // namespace attn::gui

int main(int argc, char** argv) {
  attn::gui::use_one_heap();
  attn::prepare_standard_streams();
  int code = 1;
  try {
    attn::register_all_backends();
    code = attn::gui::start(argc, argv);
  } catch (const attn::Error& error) {
    attn::print_error("attention-workbench: {}\n", error.what());
    code = error.exit_code();
  } catch (const std::exception& error) {
    attn::print_error("attention-workbench: {}\n", error.what());
  }
  return attn::finish_standard_output("attention-workbench", code);
}
