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
  std::optional<int> lesson_step;           // from 1; nullopt: where it was left
  bool settings = true;                     // true: the window reads and writes its settings
  // Options of `run`. --screenshot has scale, backend and clock, too.
  std::string export_folder;
  bool force = false;              // true: the report may be written beside other files there
  std::string session_file;        // the run is saved here; empty: nowhere
  std::vector<std::string> views;  // views to draw; empty: those that `run` draws by default
  double scale = 2;                // pixels of a PNG file per 1/96 inch, [1, 4]
  std::string backend;             // name of the backend; empty: that of the scenario
  std::optional<ClockKind> clock;
  // Options of --screenshot. `run` has these, too, except for picture, tokens, cell and show.
  std::string picture;
  int tokens = 24;                          // tokens generated before the picture is taken
  std::optional<std::pair<int, int>> cell;  // query and key of the cell to select
  std::optional<int> step;                  // step that views show; nullopt: see help_text()
  std::string show;                         // name of the one tab to show; empty: the whole window
  std::vector<std::string> backends;        // backends to compare; empty: the view chooses them
  std::string metrics;                      // of kMetricsWords: what metrics shows; empty: the run
  std::string compare;                      // of kCompareWords: what is compared; empty: backends
  std::vector<int> heads;  // heads whose lines are drawn; empty: that of the scenario
  std::string filter;      // which events are shown, as typed in Events; empty: all
  std::string rank;        // word of kRankWords: arrangement of the heads; empty: by layer
  std::string texts;       // word or file of the texts for the heads' scores; empty: the request's
  std::string combine;     // heads that the heatmap combines; empty: it shows one head
  std::string knock_out;   // heads that the knock-out switches off; empty: none
  std::string keep;        // which cells the heatmap shows; empty: all
  std::string quantity;    // what cells, lines and thumbnails of heads show; empty: weights
  // Options of `run`: what its pictures show and how large they are. --screenshot has positions,
  // pair and position, too.
  std::string request;       // number or name of the request that views show; empty: the first
  std::optional<int> layer;  // layer that views show; nullopt: that of the scenario, or `all`
  std::optional<int> head;   // head that views show; nullopt: that of the scenario, or `all`
  std::string prompt;        // replaces the prompt of the request; empty: the scenario's is used
  std::string corrupted;     // the corrupted prompt of the view patching; empty: the view's own
  std::string colormap;      // name of one of kColorMaps; empty: that of the scenario
  FigureLook figure;         // parts of the heatmap's picture; `title` is for other views, too
  std::string figure_file;   // --figure: the one file to write; empty: --export names a folder
  bool qkv = false;          // true: queries, keys and values are written, too
  // First and last position that the logit lens shows; nullopt: the last ones.
  std::optional<std::pair<int64_t, int64_t>> positions;
  std::string pair;                 // two tokens that attribution compares; empty: likeliest
  std::optional<int> position;      // where attribution compares them; nullopt: the newest
  std::optional<double> width_mm;   // of every picture
  std::optional<int> dpi;           // of PNG files
  std::vector<std::string> arrays;  // of kArrayFormats
  // Options of `handout`: `lesson` names the lesson, `language` its language.
  std::string handout;   // the PDF file
  bool teacher = false;  // true: the copy with the answers
  // bench-views
  std::vector<std::string> bench_words;  // words after bench-views; the benchmark checks them
};

// Throws Error(kBadInput) naming --select unless the cell lies within the `rows` queries and the
// `keys` keys of the request that is shown.
void check_cell(const std::pair<int, int>& cell, int64_t rows, int64_t keys);

// Throws Error(kBadInput) naming --step unless the step is one of those that the run's history has,
// first to last.
void check_step(int step, uint32_t first, uint32_t last);

// The ending of a file name in small letters, without the point: the kind of a figure.
std::string figure_kind(const std::string& file);

// The backends must have been registered before. Throws Error(kBadInput) naming the argument.
CommandLine parse_command_line(const std::vector<std::string>& arguments);
std::string help_text();

}  // namespace attn::gui
