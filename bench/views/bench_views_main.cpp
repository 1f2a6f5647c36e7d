// SPDX-License-Identifier: GPL-3.0-or-later
// attention-workbench-bench, the program that `attention-workbench bench-views` starts.
#include <fmt/format.h>

#include <QApplication>
#include <cstdio>

#include "backends/register_all.h"
#include "bench/measure/options.h"
#include "bench/measure/row_reporter.h"
#include "bench/views/view_bench.h"
#include "engine/core/error.h"
#include "engine/core/print_error.h"
#include "gui/app/one_heap.h"
#include "gui/app/program.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr const char* kHelp =
    R"(Usage: attention-workbench bench-views [--filter REGEX] [--json FILE] [--list]

Measures frames of the views, by software rendering on the offscreen platform, and what a window
costs the engine. Counters: frame_p50_ms, frame_p99_ms. --list prints the names of the rows.

)";

int bench_views_main(const std::vector<std::string>& words) {
  bench::RowFilter filter;
  std::string json;
  bool list = false;
  bench::OptionValues values(words);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    if (option == "--help" || option == "-h") {
      fmt::print("{}{}", kHelp, bench::kFilterHelp);
      return 0;
    }
    if (option == "--list") {
      list = true;
    } else if (option == "--filter") {
      filter = bench::RowFilter(values.take(i));
    } else if (option == "--json") {
      json = values.take(i);
    } else {
      throw_bad_input({"unknown option", "attention-workbench bench-views", "`" + option + "`",
                       "--filter, --json, --list", ""});
    }
  }
  register_heatmap_views();
  register_timeline_views();
  register_block_views();
  register_head_views();
  register_live_views();
  register_metrics_views();
  register_event_views();
  register_window_views();
  bench::run_rows("attention-workbench", filter, json, list);
  return 0;
}

// Starts Qt as the desktop program does, but without a window on the screen.
int start(int argc, char** argv) {
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  leave_out_platform_notes();
  QApplication app(argc, argv);
  name_program(app);
  Theme::instance().set_mode(ThemeMode::kSystem);
  Theme::instance().install(app);
  return bench_views_main({argv + 1, argv + argc});
}

}  // namespace
}  // namespace attn::gui

int main(int argc, char** argv) {
  attn::gui::use_one_heap();
  try {
    attn::register_all_backends();
    return attn::gui::start(argc, argv);
  } catch (const attn::Error& error) {
    attn::print_error("attention-workbench: {}\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    attn::print_error("attention-workbench: {}\n", error.what());
    return 1;
  }
}
