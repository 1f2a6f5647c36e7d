// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "engine/attention/backend.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/session/compare/compare.h"
#include "engine/session/session_file/session_file.h"
#include "gui/app/view_registry.h"
#include "gui/app/window/window_layouts.h"
#include "gui/views/attention/heads/head_grid_scene.h"
#include "gui/views/attention/heatmap_combine.h"
#include "gui/views/attention/row_cut.h"

namespace attn::gui {
namespace {

// Every option and the modes that know it.
enum ModeBits : unsigned { kInWindow = 1, kInRun = 2, kInScreenshot = 4, kInAll = 7 };
const std::map<std::string, unsigned> kOptions = {{"--export", kInRun},
                                                  {"--session", kInRun},
                                                  {"--views", kInRun},
                                                  {"--scale", kInRun | kInScreenshot},
                                                  {"--clock", kInRun | kInScreenshot},
                                                  {"--backends", kInRun | kInScreenshot},
                                                  {"--heads", kInRun | kInScreenshot},
                                                  {"--rank", kInRun | kInScreenshot},
                                                  {"--filter", kInRun | kInScreenshot},
                                                  {"--combine", kInRun | kInScreenshot},
                                                  {"--keep", kInRun | kInScreenshot},
                                                  {"--tokens", kInScreenshot},
                                                  {"--select", kInScreenshot},
                                                  {"--step", kInRun | kInScreenshot},
                                                  {"--show", kInScreenshot},
                                                  {"--screenshot", kInScreenshot},
                                                  {"--theme", kInAll},
                                                  {"--size", kInAll},
                                                  {"--text", kInAll},
                                                  {"--layout", kInWindow | kInScreenshot},
                                                  {"--no-settings", kInAll},
                                                  {"--help", kInAll},
                                                  {"--version", kInAll}};

struct ModeName {
  CommandLine::Mode mode;
  unsigned bit;
  const char* name;
};
constexpr ModeName kModes[] = {
    {CommandLine::Mode::kWindow, kInWindow, "the window"},
    {CommandLine::Mode::kRun, kInRun, "`run SCENARIO --export DIR`"},
    {CommandLine::Mode::kScreenshot, kInScreenshot, "`--screenshot FILE.png`"}};

std::string number_word(size_t number) {
  constexpr const char* kWords[] = {"zero", "one", "two",   "three", "four",
                                    "five", "six", "seven", "eight", "nine"};
  return number < std::size(kWords) ? kWords[number] : std::to_string(number);
}

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  for (const auto& [name, modes] : kOptions) names.push_back(name);
  return names;
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "1280x720", "12,3": two whole numbers in [least, most].
std::pair<int, int> pair_of(const std::string& option, const std::string& text, char between,
                            int64_t least, int64_t most) {
  const size_t cut = text.find(between);
  if (cut != std::string::npos) {
    const auto a = number<int>(std::string_view(text).substr(0, cut));
    const auto b = number<int>(std::string_view(text).substr(cut + 1));
    if (a && b && *a >= least && *a <= most && *b >= least && *b <= most) return {*a, *b};
  }
  throw_bad_input({.what = "the value of an option is not right",
                   .where = option,
                   .found = "`" + text + "`",
                   .allowed = fmt::format("two whole numbers from {} to {} with `{}` between them",
                                          least, most, between),
                   .advice = ""});
}

template <class T>
T number_of(const std::string& option, const std::string& text, T least, T most) {
  const auto value = number<T>(text);
  if (value && *value >= least && *value <= most) return *value;
  throw_bad_input({.what = "the value of an option is not right",
                   .where = option,
                   .found = "`" + text + "`",
                   .allowed = fmt::format("{} to {}", least, most),
                   .advice = ""});
}

std::string word_of(const std::string& option, const std::string& text,
                    const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), text) != words.end()) return text;
  const std::string near = nearest_match(text, words);
  throw_bad_input({.what = "the value of an option is not known",
                   .where = option,
                   .found = "`" + text + "`",
                   .allowed = fmt::format("{}", fmt::join(words, ", ")),
                   .advice = near.empty() ? "" : "Did you mean `" + near + "`?"});
}

// known: what each word must be one of; empty: anything.
std::vector<std::string> list_of(const std::string& option, const std::string& text,
                                 const std::vector<std::string>& known) {
  std::vector<std::string> words;
  size_t from = 0;
  while (from <= text.size()) {
    const size_t comma = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, comma - from);
    words.push_back(known.empty() ? word : word_of(option, word, known));
    from = comma + 1;
  }
  return words;
}

// The format goes by the name, and there is one: anything else would hold what it does not say.
std::string png_name(const std::string& option, const std::string& text) {
  std::string end = std::filesystem::path(text).extension().string();
  std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
  if (end == ".png") return text;
  throw_bad_input({.what = "the picture has another format than PNG",
                   .where = option,
                   .found = "`" + text + "`",
                   .allowed = "a file name that ends in .png",
                   .advice = ""});
}

// It is known by its name when it is opened.
std::string session_name(const std::string& option, const std::string& text) {
  if (is_session_file(text)) return text;
  throw_bad_input({.what = "a session file is known by its name",
                   .where = option,
                   .found = "`" + text + "`",
                   .allowed = fmt::format("a file name that ends in .{}", kSessionSuffix),
                   .advice = ""});
}

// Names as the registry has them, each once.
std::vector<std::string> backends_of(const std::string& option, const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& word : list_of(option, text, {})) {
    try {
      names.emplace_back(backend_named(word).name());
    } catch (const Error& error) {
      ErrorParts parts = error.parts();
      parts.where = option;
      throw_bad_input(std::move(parts));
    }
    if (std::count(names.begin(), names.end(), names.back()) > 1)
      throw_bad_input({.what = "a backend is named twice",
                       .where = option,
                       .found = "`" + word + "`",
                       .allowed = "each backend once",
                       .advice = ""});
  }
  if (names.size() < kMinCompared || names.size() > kMaxCompared)
    throw_bad_input(
        {.what = "this number of backends cannot be compared",
         .where = option,
         .found = "`" + text + "`",
         .allowed = fmt::format("{} to {} names with `,` between them", kMinCompared, kMaxCompared),
         .advice = ""});
  return names;
}

std::vector<int> heads_of(const std::string& option, const std::string& text) {
  std::vector<int> heads;
  for (const std::string& word : list_of(option, text, {}))
    heads.push_back(number_of<int>(option, word, 0, 1023));
  return heads;
}

// The text, if `read` knows it.
template <class Read>
std::string checked(const std::string& option, const std::string& text, Read read,
                    const char* allowed) {
  if (read(text)) return text;
  throw_bad_input({.what = "the value of an option is not known",
                   .where = option,
                   .found = "`" + text + "`",
                   .allowed = allowed,
                   .advice = ""});
}

void take_option(CommandLine& line, const std::string& option, const std::string& value) {
  if (option == "--export") line.export_folder = value;
  if (option == "--session") line.session_file = session_name(option, value);
  if (option == "--views") line.views = list_of(option, value, run_view_names());
  if (option == "--show") line.show = word_of(option, value, tab_names());
  if (option == "--backends") line.backends = backends_of(option, value);
  if (option == "--filter") line.filter = value;
  if (option == "--heads") line.heads = heads_of(option, value);
  if (option == "--rank")
    line.rank = word_of(option, value, {kRankWords.begin(), kRankWords.end()});
  if (option == "--combine")
    line.combine = checked(option, value, combination_from_word,
                           "head, layer-mean, mean, minus:LAYER,HEAD, minus-layer:LAYER");
  if (option == "--keep")
    line.keep = checked(option, value, keep_from_word,
                        "1% to 99% of each row, or the least size of a cell, above 0 up to 1");
  if (option == "--scale") line.scale = number_of<double>(option, value, 1, 4);
  if (option == "--clock")
    line.clock = word_of(option, value, {"real", "virtual"}) == "real" ? ClockKind::kReal
                                                                       : ClockKind::kVirtual;
  if (option == "--theme") line.theme = word_of(option, value, {"light", "dark", "system"});
  if (option == "--size") line.size = pair_of(option, value, 'x', 320, 8192);
  if (option == "--text") line.text_percent = number_of<int>(option, value, 100, 200);
  if (option == "--layout")
    line.layout = word_of(option, value, {kLayoutWords.begin(), kLayoutWords.end()});
  if (option == "--tokens") line.tokens = number_of<int>(option, value, 0, kMostTokens);
  if (option == "--select") line.cell = pair_of(option, value, ',', 0, kMostPositions - 1);
  if (option == "--step") line.step = number_of<int>(option, value, 1, 2147483647);
  if (option == "--screenshot") {
    line.picture = png_name(option, value);
    if (line.mode == CommandLine::Mode::kWindow) line.mode = CommandLine::Mode::kScreenshot;
  }
}

// An option of another mode would do nothing: that is told, with the modes that it belongs to.
void check_modes(const CommandLine& line, const std::set<std::string>& given) {
  const ModeName& mode = *std::ranges::find(kModes, line.mode, &ModeName::mode);
  for (const std::string& option : given) {
    const unsigned known = kOptions.at(option);
    if (known & mode.bit) continue;
    std::vector<std::string_view> modes;
    for (const ModeName& other : kModes)
      if (known & other.bit) modes.emplace_back(other.name);
    throw_bad_input({.what = "this option belongs to another mode",
                     .where = option,
                     .found = fmt::format("in the mode {}", mode.name),
                     .allowed = fmt::format("with {}", fmt::join(modes, " or ")),
                     .advice = "See --help."});
  }
  const auto shows = [&](std::string_view view) {
    return line.show == view || std::ranges::find(line.views, view) != line.views.end();
  };
  const auto needs = [&](const char* option, bool is_given, const std::string& view) {
    if (!is_given || shows(view)) return;
    throw_bad_input(
        {.what = "the view that this option is for is not asked for",
         .where = option,
         .found = "no view `" + view + "`",
         .allowed = "`run` with --views " + view + ", or --screenshot with --show " + view,
         .advice = ""});
  };
  needs("--heads", !line.heads.empty(), "lines");
  needs("--rank", !line.rank.empty(), "heads");
  needs("--filter", !line.filter.empty(), "events");
  // The heatmap is there unless other views are asked for.
  if (!line.views.empty() || !line.show.empty()) {
    needs("--combine", !line.combine.empty(), "heatmap");
    needs("--keep", !line.keep.empty(), "heatmap");
  }
  const bool compares = shows("compare");
  if (!line.backends.empty() && !compares)
    throw_bad_input({.what = "there is no comparison for these backends",
                     .where = "--backends",
                     .found = "no view `compare`",
                     .allowed = "`run` with --views compare, or --screenshot with --show compare",
                     .advice = "The backend of a run stands in its scenario."});
  if (line.mode == CommandLine::Mode::kRun && line.theme == "system")
    throw_bad_input({.what = "the value of an option is not known",
                     .where = "--theme",
                     .found = "`system` in the mode `run`",
                     .allowed = "light, dark",
                     .advice = "Pictures of a run do not depend on the desktop."});
}

void check_run(const CommandLine& line, bool have_scenario) {
  if (line.mode != CommandLine::Mode::kRun) return;
  if (line.export_folder.empty() && line.session_file.empty())
    throw_bad_input({.what = "`run` needs a folder for its files",
                     .where = "--export",
                     .found = "nothing",
                     .allowed = "a folder; it is made if needed. Or a file for --session",
                     .advice = "For example: attention-workbench run first-look --export out"});
  if (!have_scenario)
    throw_bad_input({.what = "`run` needs a scenario",
                     .where = "run",
                     .found = "nothing",
                     .allowed = "a shipped name or a file",
                     .advice = "For example: attention-workbench run first-look --export out"});
  if (!is_session_file(line.scenario)) return;
  const auto refuse = [&](bool given, const char* option) {
    if (given)
      throw_bad_input({.what = "this option is for a run, and a session has been run",
                       .where = option,
                       .found = "`" + line.scenario + "`",
                       .allowed = "a scenario",
                       .advice = "Run the scenario anew."});
  };
  refuse(!line.session_file.empty(), "--session");
  refuse(line.clock.has_value(), "--clock");
}

}  // namespace

void check_cell(const std::pair<int, int>& cell, int64_t rows, int64_t keys) {
  if (cell.first < rows && cell.second < keys) return;
  throw_bad_input(
      {.what = "the cell lies beyond the run",
       .where = "--select",
       .found = fmt::format("`{},{}`", cell.first, cell.second),
       .allowed = rows <= 0 ? std::string("nothing: no token has been computed")
                  : rows == keys
                      ? fmt::format("query and key from 0 to {}", rows - 1)
                      : fmt::format("query from 0 to {}, key from 0 to {}", rows - 1, keys - 1),
       .advice = cell.second < keys || rows == keys ? "--tokens N computes more of them."
                                                    : "The encoder has no more keys."});
}

void check_step(int step, uint32_t first, uint32_t last) {
  const auto wanted = static_cast<uint32_t>(step);
  if (first <= wanted && wanted <= last) return;
  throw_bad_input({.what = "the run has no such step to show",
                   .where = "--step",
                   .found = fmt::format("{}", step),
                   .allowed = last >= first ? fmt::format("{} to {}", first, last)
                                            : "nothing: no step has ended",
                   .advice = ""});
}

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  bool have_scenario = false;
  std::set<std::string> given;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string option = arguments[i];
    if (i == 0 && option == "run") {
      line.mode = CommandLine::Mode::kRun;
      continue;
    }
    if (i == 0 && option == "bench-views") {
      line.mode = CommandLine::Mode::kBenchViews;
      line.bench_words.assign(arguments.begin() + 1, arguments.end());
      return line;
    }
    if (option.rfind("-", 0) != 0) {
      if (have_scenario)
        throw_bad_input({.what = "there is one argument too many",
                         .where = "`" + option + "`",
                         .found = "a second scenario",
                         .allowed = "one scenario",
                         .advice = "See --help."});
      line.scenario = option;
      have_scenario = true;
      continue;
    }
    if (option == "--help" || option == "-h") {
      line.mode = CommandLine::Mode::kHelp;
      return line;
    }
    if (option == "--version") {
      line.mode = CommandLine::Mode::kVersion;
      return line;
    }
    if (option == "--no-settings") {
      line.settings = false;
      continue;
    }
    std::optional<std::string> value;
    if (const size_t equals = option.find('='); equals != std::string::npos) {
      value = option.substr(equals + 1);
      option.resize(equals);
    }
    if (!kOptions.contains(option)) {
      const std::string near = nearest_match(option, option_names());
      throw_bad_input({.what = "this option is not known",
                       .where = "`" + option + "`",
                       .found = "",
                       .allowed = fmt::format("{}", fmt::join(option_names(), ", ")),
                       .advice = near.empty() ? "See --help." : "Did you mean `" + near + "`?"});
    }
    if (!given.insert(option).second)
      throw_bad_input({.what = "an option is given twice",
                       .where = option,
                       .found = "",
                       .allowed = "once",
                       .advice = ""});
    if (!value && i + 1 < arguments.size()) value = arguments[++i];
    if (!value || value->empty())
      throw_bad_input({.what = "an option has no value",
                       .where = option,
                       .found = value ? "an empty text" : "nothing",
                       .allowed = "a value",
                       .advice = "See --help."});
    take_option(line, option, *value);
  }
  check_modes(line, given);
  check_run(line, have_scenario);
  return line;
}

std::string help_text() {
  return fmt::format(
      R"(attention-workbench: watch attention happen over a paged KV cache.

  attention-workbench [SCENARIO]                open the window; SCENARIO: a shipped name or a file, or a saved
                                                session (.attn-session), which is shown and not run
  attention-workbench run SCENARIO --export DIR run to the end without a window, write pictures and numbers
  attention-workbench --screenshot FILE.png     run, lay out the window and save its picture
  attention-workbench bench-views [--filter REGEX] [--json FILE]   measure the views on this machine

Window
  --theme light|dark|system   colours; system: those of the desktop
  --size WxH                  size of the window, pixels: 320x320, or as much as it needs, to 8192x8192
  --text 100..200             size of all text, percent
  --layout explore|teach|systems   where the panels lie; teach also has large type
  --no-settings               neither read nor keep the state of the window and the recent files
run
  --export DIR                folder for the files; made if needed. Of a saved session as SCENARIO nothing
                              is computed
  --session FILE.attn-session save the run, to be opened in the window another day
  --views {run_views}   which views to draw as PNG,
                              SVG and PDF; by default the first {run_count}. compare runs the scenario again through
                              several backends
  --backends A,B,...          two to four backends for compare, names as `attn backends` lists them
  --heads A,B,...             heads whose lines are drawn in lines, numbers from 0
  --rank SCORE                rank the heads by entropy, distance, first, previous or induction
  --filter TEXT               events that the table shows, such as "kind:request step:3..9"
  --combine WHAT              the heatmap shows head, layer-mean, mean (of all heads and layers), minus:L,H
                              (the head less head H of layer L) or minus-layer:L (less that layer's mean)
  --keep 1%..99%|SIZE         its cells: the largest that make this part of each row, or all from SIZE on
  --scale 1..4                pixels per point in PNG files; 2 by default
  --step N                    views show the run as it was after its step N; by default its end, and
                              blocks the step that used most of them
  --clock real|virtual        virtual: times come from a cost model and two runs give the same bytes
  --theme light|dark          colours of the pictures; light by default
  --size WxH                  size of every picture in points, 320x320 to 8192x8192; what a view shows is made
                              to fit. By default each picture is as large as its view needs
  --text 100..200             size of all text, percent
--screenshot FILE.png [SCENARIO]
  --tokens N                  generated tokens before the picture is taken; 24 by default
  --select QUERY,KEY          the cell that is selected
  --step N                    the window shows the run as it was after its step N
  --show {tabs}   this view alone; compare runs the comparison first
  --backends A,B,...          two to four backends for --show compare
  --heads, --rank, --filter   as for run, with --show lines, heads or events
  --combine, --keep           as for run
  --theme light|dark|system   colours of the window
  --size, --text, --layout    as for the window
  --scale, --clock            as for run

  --help, --version

An option in a mode that does not list it is refused. Notes and warnings of a run are on stderr.
Exit codes: 0 fine, 1 failed, 2 bad input, 3 not supported (also when no backend can run a comparison;
its files are written). The command line twin without Qt is `attn`.
)",
      fmt::arg("run_views", fmt::join(run_view_names(), ",")),
      fmt::arg("run_count", number_word(count_in_every_run())),
      fmt::arg("tabs", fmt::join(tab_names(), "|")));
}

}  // namespace attn::gui
