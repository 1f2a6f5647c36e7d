// SPDX-License-Identifier: GPL-3.0-or-later
// CommandLine: what the program was asked to do; it is parsed before QApplication is made. Also
// checks of two options, and the text of --help. Unless a member says otherwise, an empty string or
// list, or nullopt, means that the option was not given or is empty. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/clock.h"
#include "gui/widgets/figure/figure_look.h"
#include "gui/widgets/view_choices.h"

namespace attn::gui {

inline constexpr std::array<const char*, 2> kArrayFormats{"npy", "safetensors"};

struct CommandLine {
  enum class Mode { kWindow, kRun, kScreenshot, kHandout, kBenchViews, kHelp, kVersion };
  Mode mode = Mode::kWindow;
  std::string scenario = "first-look";      // name of a shipped scenario or model, or a path
  std::string theme;                        // "light", "dark", "system"
  std::optional<std::pair<int, int>> size;  // logical pixels
  std::optional<int> text_percent;          // [100, 200]
  std::string layout;                       // word of kLayoutWords
  std::string language;                     // word of language_words()
  std::string lesson;                       // name or number of a lesson, or a file
  std::optional<int> lesson_step;           // number of the step in the lesson, from 1
  bool settings = true;                     // true: the window reads and writes the settings
  // Options of `run`; some are also options of --screenshot.
  std::string export_folder;
  bool force = false;        // true: export_folder may hold other files or another report
  std::string session_file;  // file in which the run is saved
  std::vector<std::string> views;
  double scale = 2;  // pixels of a PNG file per 1/96 inch, [1, 4]
  std::string backend;
  std::optional<ClockKind> clock;
  // Options of --screenshot; some are also options of `run`.
  std::string picture;
  int tokens = 24;  // the picture is taken at this number of generated tokens, or at the end
  std::optional<std::pair<int, int>> cell;  // (query, key) of the selected cell
  std::optional<int> step;                  // views show the run as it was after this step
  std::string show;                         // name of the view whose tab is shown
  std::vector<std::string> backends;        // backends to compare
  std::string metrics;                      // word of kMetricsWords
  std::string compare;                      // word of kCompareWords
  std::vector<int> heads;                   // heads of the view lines
  std::string filter;                       // filter of the view events
  std::string rank;                         // word of kRankWords
  std::string texts;                        // kShippedTexts or a file
  std::string combine;                      // see combination_from_word()
  std::string knock_out;                    // see knock_out_from_word()
  std::string keep;                         // see keep_from_word()
  std::string quantity;                     // see quantity_from_word()
  bool no_first_token = false;              // the view lines has no lines to the first token
  // Further options of `run`; some are also options of --screenshot.
  std::string request;            // number or name of the request that views show
  std::optional<int> layer;       // nullopt: not given, or `all`
  std::optional<int> head;        // nullopt: not given, or `all`
  std::string prompt;             // replaces the prompt of the shown request
  std::optional<int> max_tokens;  // replaces the number of its new tokens; only with a prompt
  std::string corrupted;          // corrupted prompt of the view patching
  std::string colormap;           // name of one of kColorMaps
  FigureLook figure;  // parts of the heatmap's picture; some other views use `title`, too
  std::string figure_file;
  bool qkv = false;  // also write queries, keys and values
  // First and last position that the view lens shows.
  std::optional<std::pair<int64_t, int64_t>> positions;
  std::string pair;                 // the two tokens that the view attribution compares
  std::optional<int> position;      // position after which it compares these tokens
  std::optional<double> width_mm;   // width of every picture, mm
  std::optional<int> dpi;           // pixels per inch of PNG files
  std::vector<std::string> arrays;  // formats of arrays to write, of kArrayFormats
  // Options of `handout`, which also uses `lesson` and `language`.
  std::string handout;   // the PDF file
  bool teacher = false;  // true: the copy with the answers
  // Arguments after `bench-views`.
  std::vector<std::string> bench_words;
};

// Throws Error(kBadInput) naming --select unless cell = (query, key) lies within `rows` queries and
// `keys` keys.
void check_cell(const std::pair<int, int>& cell, int64_t rows, int64_t keys);

// Throws Error(kBadInput) naming --step unless the step lies in [first, last].
void check_step(int step, uint32_t first, uint32_t last);

// What the views are asked to show.
ViewChoices choices_of(const CommandLine& line);

// The ending of a file name in small letters, without the dot.
std::string figure_kind(const std::string& file);

// Parses the arguments of the program. The backends must have been registered before. Throws
// Error(kBadInput) for arguments that are not valid.
CommandLine parse_command_line(const std::vector<std::string>& arguments);
std::string help_text();

}  // namespace attn::gui
