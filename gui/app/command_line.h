// SPDX-License-Identifier: GPL-3.0-or-later
// CommandLine: what the program was asked to do, checked before Qt starts. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/clock.h"
#include "gui/widgets/figure/figure_look.h"

namespace attn::gui {

inline constexpr std::array<const char*, 2> kArrayFormats{"npy", "safetensors"};

struct CommandLine {
  enum class Mode { kWindow, kRun, kScreenshot, kBenchViews, kHelp, kVersion };
  Mode mode = Mode::kWindow;
  std::string scenario = "first-look";      // shipped name or file
  std::string theme;                        // "light", "dark", "system"; empty: as kept
  std::optional<std::pair<int, int>> size;  // logical pixels
  std::optional<int> text_percent;          // [100, 200]
  std::string layout;                       // of kLayoutWords; empty: as kept, or explore
  bool settings = true;                     // window state is read and kept
  // run
  std::string export_folder;
  std::string session_file;        // the run is saved here; empty: nowhere
  std::vector<std::string> views;  // empty: heatmap, blocks, timeline, metrics
  double scale = 2;                // of PNG, [1, 4]
  std::optional<ClockKind> clock;
  // --screenshot
  std::string picture;
  int tokens = 24;                          // generated before the picture is taken
  std::optional<std::pair<int, int>> cell;  // query, key to select
  std::optional<int> step;                  // of the past, that views show; also in run
  std::string show;                         // one of the attention views alone; empty: all
  std::vector<std::string> backends;        // of the comparison; empty: the first ones
  std::vector<int> heads;                   // whose lines are drawn; empty: that of the scenario
  std::string filter;                       // of the events, as in the line of the view
  std::string rank;                         // of kRankWords; empty: heads by layer
  std::string combine;                      // what the heatmap shows; empty: one head
  std::string keep;                         // which of its cells; empty: all
  // run: figures
  std::string request;              // that views show: its number, or its name; empty: the first
  std::optional<int> layer;         // that views show; nullopt: that of the scenario
  std::optional<int> head;          // the same
  std::string prompt;               // in place of that of the request; empty: that of the scenario
  std::string colormap;             // of kColorMaps; empty: that of the scenario
  FigureLook figure;                // of the heatmap
  std::optional<double> width_mm;   // of every picture
  std::optional<int> dpi;           // of PNG files
  std::vector<std::string> arrays;  // of kArrayFormats
  // bench-views
  std::vector<std::string> bench_words;  // what stands after it; checked when it starts
};

// Throws Error(kBadInput) naming --select: the cell must lie among the `rows` queries and the
// `keys` of the request that is shown.
void check_cell(const std::pair<int, int>& cell, int64_t rows, int64_t keys);

// The same for --step: one of the steps that the run's history has, first to last.
void check_step(int step, uint32_t first, uint32_t last);

// Backends must be registered. Throws Error(kBadInput) naming the argument.
CommandLine parse_command_line(const std::vector<std::string>& arguments);
std::string help_text();

}  // namespace attn::gui
