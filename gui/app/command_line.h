// SPDX-License-Identifier: GPL-3.0-or-later
// CommandLine: what the program was asked to do, parsed before QApplication is made. Any thread.
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

// What the view metrics shows: words of --metrics.
inline constexpr std::array<const char*, 2> kMetricsWords{"run", "machine"};

struct CommandLine {
  enum class Mode { kWindow, kRun, kScreenshot, kHandout, kBenchViews, kHelp, kVersion };
  Mode mode = Mode::kWindow;
  std::string scenario = "first-look";      // shipped name or file
  std::string theme;                        // "light", "dark", "system"; empty: not given
  std::optional<std::pair<int, int>> size;  // logical pixels
  std::optional<int> text_percent;          // [100, 200]
  std::string layout;                       // word of kLayoutWords; empty: not given
  std::string language;                     // word of language_words(); empty: not given
  std::string lesson;                       // name, number or file of a lesson; empty: none
  std::optional<int> lesson_step;           // from 1; nullopt: not given
  bool settings = true;                     // true: the window reads and writes its settings
  // Options of `run`; some are also options of --screenshot.
  std::string export_folder;
  bool force = false;              // true: the folder may hold other files or another report
  std::string session_file;        // the run is saved here; empty: nowhere
  std::vector<std::string> views;  // views to draw; empty: not given
  double scale = 2;                // pixels of a PNG file per 1/96 inch, [1, 4]
  std::string backend;             // name of the backend; empty: that of the scenario
  std::optional<ClockKind> clock;
  // Options of --screenshot; `run` has many of them, too.
  std::string picture;
  int tokens = 24;                          // tokens generated before the picture is taken
  std::optional<std::pair<int, int>> cell;  // query and key of the cell to select
  std::optional<int> step;  // the views show the run as it was after this step; nullopt: not given
  std::string show;         // name of the one tab to show; empty: the whole window
  std::vector<std::string> backends;  // backends to compare; empty: the view chooses them
  std::string metrics;                // word of kMetricsWords; empty: not given
  std::string compare;                // word of kCompareWords; empty: not given
  std::vector<int> heads;             // heads whose lines are drawn; empty: not given
  std::string filter;                 // filter of the view events; empty: all events
  std::string rank;       // word of kRankWords: arrangement of the heads; empty: not given
  std::string texts;      // word or file of the texts for the heads' scores; empty: not given
  std::string combine;    // combination of heads for the heatmap; empty: not given
  std::string knock_out;  // heads that the view knock_out changes; empty: none
  std::string keep;       // cells that the heatmap keeps; empty: all
  std::string quantity;   // what heatmap, lines and heads show; empty: not given
  // Options of `run` for its pictures; some are also options of --screenshot.
  std::string request;       // number or name of the request that views show; empty: the first
  std::optional<int> layer;  // layer that views show; nullopt: not given, or `all`
  std::optional<int> head;   // head that views show; nullopt: not given, or `all`
  std::string prompt;        // replaces the prompt of the request; empty: not given
  std::string corrupted;     // the corrupted prompt of the view patching; empty: not given
  std::string colormap;      // name of one of kColorMaps; empty: that of the scenario
  FigureLook figure;         // parts of the heatmap's picture; other views use `title`, too
  std::string figure_file;   // the file of --figure; empty: not given
  bool qkv = false;          // true: also write queries, keys and values
  // First and last position that the logit lens shows; nullopt: not given.
  std::optional<std::pair<int64_t, int64_t>> positions;
  std::string pair;                 // two tokens that attribution compares; empty: not given
  std::optional<int> position;      // position after which attribution compares them; nullopt: not
                                    // given
  std::optional<double> width_mm;   // of every picture
  std::optional<int> dpi;           // of PNG files
  std::vector<std::string> arrays;  // of kArrayFormats
  // Options of `handout`, which also uses `lesson` and `language`.
  std::string handout;   // the PDF file
  bool teacher = false;  // true: the copy with the answers
  // bench-views
  std::vector<std::string> bench_words;
};

// Throws Error(kBadInput) naming --select unless cell = (query, key) lies within `rows` queries and
// `keys` keys.
void check_cell(const std::pair<int, int>& cell, int64_t rows, int64_t keys);

// Throws Error(kBadInput) naming --step unless the step lies in [first, last].
void check_step(int step, uint32_t first, uint32_t last);

// The ending of a file name in small letters, without the point.
std::string figure_kind(const std::string& file);

// The backends must have been registered before. Throws Error(kBadInput).
CommandLine parse_command_line(const std::vector<std::string>& arguments);
std::string help_text();

}  // namespace attn::gui
