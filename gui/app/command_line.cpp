// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>

#include "engine/attention/backend.h"
#include "engine/command_line/options.h"
#include "engine/core/error.h"
#include "engine/core/limits.h"
#include "engine/explore/texts/head_texts.h"
#include "engine/lesson/format/parse_lesson.h"
#include "engine/session/compare/compare.h"
#include "engine/session/session_file/session_file.h"
#include "gui/app/command_line_values.h"
#include "gui/app/language.h"
#include "gui/app/view_registry.h"
#include "gui/app/window/window_layouts.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {
namespace {

enum ModeBits : unsigned { kInWindow = 1, kInRun = 2, kInScreenshot = 4, kInAll = 7 };

struct ModeName {
  CommandLine::Mode mode;
  unsigned bit;
  const char* name;
};

constexpr ModeName kModes[] = {
    {CommandLine::Mode::kWindow, kInWindow, "the window"},
    {CommandLine::Mode::kRun, kInRun, "`run SCENARIO --export DIR`"},
    {CommandLine::Mode::kScreenshot, kInScreenshot, "`--screenshot FILE.png`"}};

// An option and the modes that take it. An option with another meaning in another mode has an entry
// for each.
struct ModeOption {
  unsigned modes;
  OptionSpec spec;
  // Advice in the error that none of the asked views uses the option (ViewEntry::options).
  const char* advice = "";
};

std::vector<std::string> color_map_words() {
  std::vector<std::string> names;
  for (const ColorMapId map : kColorMaps) names.push_back(name_of(map).toStdString());
  return names;
}

constexpr const char* kBackendOfRun = "The scenario names the backend of the run.";

// The names of the views that have arrays.
std::vector<std::string> views_with_arrays() {
  std::vector<std::string> names;
  for (const ViewEntry& entry : view_registry())
    if (entry.exports.arrays) names.push_back(entry.name);
  return names;
}

// The names of the views whose pictures are not laid out anew for another width.
std::vector<std::string> views_of_one_layout() {
  std::vector<std::string> names;
  for (const ViewEntry& entry : view_registry())
    if (!entry.make.follows_width) names.push_back(entry.name);
  return names;
}

std::vector<ModeOption> mode_options() {
  const auto words = [](const auto& names, const char* between) {
    return fmt::format("{}", fmt::join(names, between));
  };
  const std::string layouts = words(kLayoutWords, "|"), languages = words(language_words(), "|"),
                    ranks = words(kRankWords, "|"), views = words(run_view_names(), ","),
                    colormaps = words(color_map_words(), "|"),
                    arrays = words(views_with_arrays(), ", ");
  const unsigned pictures = kInRun | kInScreenshot, window = kInWindow | kInScreenshot;
  return {
      {kInScreenshot, {"--screenshot", "FILE.png", "file for the picture of the window"}},
      {kInScreenshot,
       {"--tokens", "N",
        "take the picture once N tokens are generated, or at the end of the run; 24 by default"}},
      {kInScreenshot,
       {"--select", "QUERY,KEY", "the cell of the heatmap that is selected, counted from 0"}},
      {kInScreenshot,
       {"--show", words(tab_names(), "|"),
        "the tab that fills the window; for compare the comparison is run first"}},
      {kInRun,
       {"--export", "DIR",
        "folder for the files; made if needed. An older report of the same scenario in it is\n"
        "replaced, if the new report has all its pictures and arrays. A saved session is not run\n"
        "again, except for compare"}},
      {kInRun,
       {"--force", "",
        "write into the folder even if it holds other files or another report. Files with the "
        "name\n"
        "of a file of the new report are replaced, other files stay; another report is deleted"}},
      {kInRun,
       {"--figure", "FILE",
        fmt::format(
            "in place of --export: write one view (--views; by default {}) as this one file, "
            "which\n"
            "is replaced if it exists. The ending chooses the format: .png, .svg, .pdf or .csv; "
            "of\n"
            "the {} also .npy or .safetensors",
            view_registry().front().name, arrays)}},
      {kInRun,
       {"--session", fmt::format("FILE.{}", kSessionSuffix),
        "save the run as a file that the window can open later"}},
      {kInRun,
       {"--views", "A,B,...",
        fmt::format("which views to draw as PNG, SVG and PDF:\n{};\n"
                    "by default the first {}. compare runs the scenario again,\nthrough several "
                    "backends, or with and without a cache",
                    views, count_in_every_run())}},
      {pictures,
       {"--backends", "A,B,...",
        "two to four backends for the view compare, with the names that `attn backends` lists"},
       kBackendOfRun},
      {pictures,
       {"--compare", words(kCompareWords, "|"),
        "what the view compare compares: several backends, or the run with a KV cache and without "
        "one"},
       kBackendOfRun},
      {pictures,
       {"--metrics", words(kMetricsWords, "|"),
        "what the view metrics shows: the run, or its kernels beside the limits of this machine.\n"
        "These limits are measured after the run, which takes about two seconds"}},
      {pictures, {"--heads", "A,B,...", "the heads that the view lines draws, numbered from 0"}},
      {pictures,
       {"--rank", ranks,
        "the score by which the view heads sorts its heads. points: the heads are points in a "
        "plane\n"
        "with the scores previous and induction as its axes"}},
      {pictures,
       {"--texts", fmt::format("{}|FILE", kShippedTexts),
        "the view heads computes its scores over these texts instead of over the request: the\n"
        "shipped texts, or those of a file with one text on each line"}},
      {pictures,
       {"--filter", "TEXT", "the filter of the view events, such as \"kind:request step:3..9\""}},
      {pictures,
       {"--combine", "WHAT",
        "what the heatmap shows: head, layer-mean, mean (of all heads and layers), minus:L,H (the\n"
        "head minus head H of layer L) or minus-layer:L (the layer's mean minus that of layer L)"}},
      {pictures,
       {"--keep", "1%..99%|SIZE",
        "the cells that the heatmap keeps, while it draws the others faint: in each row the "
        "largest\nthat add up to this part of the row, or all cells of at least SIZE. The view "
        "lines draws only\nthese; with --quantity its SIZE is a share of the largest possible "
        "number"}},
      {pictures,
       {"--no-first-token", "", "the view lines leaves out the lines to the first token"}},
      {pictures,
       {"--quantity", "WORD",
        "the number that the heatmap shows of one head: weight, score (before the softmax), exp\n"
        "(exp(score - max of the row)), written_value (weight * |v|) or written_output\n"
        "(weight * |W_O v|); the views lines and heads know only weight and the written ones"}},
      {pictures,
       {"--knock-out", "L.H,...",
        "the heads that the view knock_out switches off (L4H2 is 4.2). A head with =mean behind "
        "it\n"
        "is set to its mean over the prompt instead; with =sink only its learned sink is removed"}},
      {kInRun, {"--request", "N|NAME", "the request that views show; by default the first"}},
      {kInRun,
       {"--layer", "N|all",
        fmt::format(
            "the layer that views show; by default that of the scenario or saved session. all: "
            "the\n"
            "array of the {} (--arrays) has all layers, and with --head all its picture, too",
            arrays)}},
      {kInRun,
       {"--head", "N|all",
        "the head that views show. all: the heatmap shows all heads of the layer side by side "
        "(with\n"
        "--layer all, of all layers), and its array has all of them"}},
      {kInRun,
       {"--prompt", "TEXT",
        "the prompt of the request that views show (--request), in place of the scenario's; for "
        "the\nview patching it is the clean prompt"}},
      {kInRun,
       {"--max-tokens", "N",
        "most new tokens of the request of --prompt, in place of the scenario's"}},
      {kInRun,
       {"--corrupted", "TEXT",
        "the corrupted prompt of the view patching; it has as many tokens as the clean one"}},
      {kInRun, {"--colormap", colormaps, "colours of weights; by default those of the scenario"}},
      {pictures,
       {"--positions", "A..B",
        "the positions that the views lens and lines show, both ends included"}},
      {pictures,
       {"--pair", "A,B",
        "the two tokens that the view attribution (who) compares, each as its id or its text\n"
        "(\" dog, cat\"); by default the two likeliest"}},
      {pictures,
       {"--position", "N",
        "the position after which the view attribution compares the two tokens; by default the "
        "last"}},
      {kInRun,
       {"--title", "TEXT",
        "the title of pictures in place of the automatic one, in the views that know --no-title"}},
      {kInRun,
       {"--no-title", "",
        "draw pictures without their titles; some views, such as the heatmap, can do this"}},
      {kInRun, {"--no-legend", "", "draw the heatmap without colour bar and legend"}},
      {kInRun, {"--no-sums", "", "draw the heatmap without the sums of rows and columns"}},
      {kInRun,
       {"--arrays", "npy,safetensors",
        "also write the numbers of the heatmap, as heatmap.npy or heatmap.safetensors"}},
      {kInRun,
       {"--qkv", "",
        "also write qkv.safetensors: queries, keys and values of the request in all layers that\n"
        "read the same tokens as the shown layer. The program can open this file as tensors"}},
      {kInRun,
       {"--width", "MM",
        fmt::format(
            "width of every picture, 20 to 1000 mm. Most pictures are laid out anew for it; "
            "those of\n{} are drawn smaller or larger",
            words(views_of_one_layout(), ", "))}},
      {kInRun,
       {"--dpi", "72..1200",
        "pixels per inch of PNG files, in place of --scale; 192 by default (--scale 2)"}},
      {pictures, {"--scale", "1..4", "pixels of a PNG file per 1/96 inch; 2 by default"}},
      {kInRun,
       {"--step", "N",
        "views show the run as it was after its step N; by default its end, and the view blocks\n"
        "the step with the most blocks in use"}},
      {kInScreenshot, {"--step", "N", "the window shows the run as it was after its step N"}},
      {pictures,
       {"--backend", "NAME",
        "the attention backend, in place of the scenario's: a name that `attn backends` lists"}},
      {pictures,
       {"--clock", "real|virtual",
        "virtual: times come from a cost model, and a repeated run gives the same bytes"}},
      {window, {"--theme", "light|dark|system", "colours; system: those of the desktop"}},
      {kInRun, {"--theme", "light|dark", "colours of the pictures; light by default"}},
      {window,
       {"--size", "WxH",
        "size of the window in pixels: at least 320x320 and what its content needs, at most\n"
        "8192x8192"}},
      {kInRun,
       {"--size", "WxH",
        "each picture is made as large as fits into this size, in pixels of 1/96 inch, 320x320\n"
        "to 8192x8192. By default each picture is as large as its view needs"}},
      {kInAll, {"--text", "100..200", "size of all text, percent"}},
      {window,
       {"--lesson", "NAME|N|FILE.md",
        "open a lesson: the name or number of one that is installed, or a file"}},
      {window,
       {"--lesson-step", "N",
        "the step of the lesson that is shown, from 1; tasks of the steps before it are skipped"}},
      {window,
       {"--language", languages,
        "language of the program's words and of its lessons; by default the one chosen in the "
        "menu\nView, else that of the desktop. With --screenshot English is the default"}},
      {window, {"--layout", layouts, "arrangement of the panels; teach also has large text"}},
      {kInAll,
       {"--no-settings", "", "neither read nor keep the state of the window and the recent files"}},
      {kInAll, {"--version", "", "print the version"}}};
}

CommandSpec command_of(unsigned modes, std::string name, std::string summary,
                       PositionalSpec scenario) {
  CommandSpec command{std::move(name), std::move(summary), {std::move(scenario)}, {}, ""};
  for (const ModeOption& option : mode_options())
    if ((option.modes & modes) != 0 &&
        std::ranges::find(command.options, option.spec.name, &OptionSpec::name) ==
            command.options.end())
      command.options.push_back(option.spec);
  return command;
}

// The value of the option. ViewOption::fits of the first view that has one for this option checks
// it.
std::string checked_by_view(const Options& options, const char* option) {
  for (const ViewEntry& entry : view_registry())
    for (const ViewOption& of : entry.options)
      if (of.fits && std::string_view(of.name) == option)
        return checked(options, option, of.fits, "the value of an option is not valid", of.allowed);
  return options.text(option).value_or("");
}

// The name of the view if `word` is its ViewEntry::other_name; otherwise `word`.
std::string view_named(const std::string& word) {
  for (const ViewEntry& entry : view_registry())
    if (!word.empty() && word == entry.other_name) return entry.name;
  return word;
}

std::vector<std::string> with_other_names(std::vector<std::string> names) {
  for (size_t i = 0, count = names.size(); i < count; ++i)
    if (const ViewEntry* entry = find_view(names[i]); !entry->other_name.empty())
      names.push_back(entry->other_name);
  return names;
}

// The names of the views that use the option with the given value.
std::vector<std::string> users_of(const Options& options, const std::string& option) {
  std::vector<std::string> names;
  for (const ViewEntry& entry : view_registry())
    for (const ViewOption& of : entry.options)
      if (option == of.name && (!of.uses || of.uses(options.text(option).value_or(""))))
        names.push_back(entry.name);
  return names;
}

void take_values(CommandLine& line, const Options& options) {
  const auto words = [](const auto& list) {
    return std::vector<std::string>(list.begin(), list.end());
  };
  line.export_folder = options.text("--export").value_or("");
  line.force = options.has("--force");
  line.session_file = checked(options, "--session", is_session_file,
                              "the name of a session file has the wrong ending",
                              fmt::format("a file name that ends in .{}", kSessionSuffix));
  line.picture =
      checked(options, "--screenshot", ends_in_png,
              "the name of a PNG picture has the wrong ending", "a file name that ends in .png");
  line.combine = checked_by_view(options, "--combine");
  line.knock_out = checked_by_view(options, "--knock-out");
  line.keep = checked_by_view(options, "--keep");
  line.no_first_token = options.has("--no-first-token");
  line.quantity = checked_by_view(options, "--quantity");
  line.views = options.choices("--views", with_other_names(run_view_names()));
  std::ranges::transform(line.views, line.views.begin(), view_named);
  line.show = view_named(options.choice("--show", "", with_other_names(tab_names())));
  line.figure_file =
      checked(options, "--figure", is_figure_file, "a figure of this kind cannot be written",
              "a file name that ends in .png, .svg, .pdf, .csv, .npy or "
              ".safetensors");
  if (!line.figure_file.empty() && line.views.empty()) line.views = {view_registry().front().name};
  line.qkv = options.has("--qkv");
  line.positions = positions_of(options);
  line.pair = options.text("--pair").value_or("");
  line.position = whole(options, "--position", 0, kMostPositions - 1);
  line.filter = options.text("--filter").value_or("");
  line.compare = options.choice("--compare", "", words(kCompareWords));
  line.metrics = options.choice("--metrics", "", words(kMetricsWords));
  line.rank = options.choice("--rank", "", words(kRankWords));
  line.texts = options.text("--texts").value_or("");
  line.layout = options.choice("--layout", "", words(kLayoutWords));
  line.language = options.choice("--language", "", language_words());
  line.lesson = options.text("--lesson").value_or("");
  line.lesson_step = whole(options, "--lesson-step", 1, static_cast<int64_t>(lesson::kMostSteps));
  std::vector<std::string> themes = {"light", "dark"};
  if (line.mode != CommandLine::Mode::kRun) themes.emplace_back("system");
  line.theme = options.choice("--theme", "", themes);
  line.scale = options.number("--scale", line.scale, 1, 4);
  if (options.has("--clock"))
    line.clock = options.choice("--clock", "", {"real", "virtual"}) == "real" ? ClockKind::kReal
                                                                              : ClockKind::kVirtual;
  if (const auto name = options.text("--backend")) line.backend = backend_named(*name).name();
  if (const auto text = options.text("--backends")) line.backends = backends_of(*text);
  if (const auto text = options.text("--heads")) line.heads = heads_of(*text);
  line.size = pair_of(options, "--size", 'x', 320, 8192);
  line.cell = pair_of(options, "--select", ',', 0, kMostPositions - 1);
  line.text_percent = whole(options, "--text", 100, 200);
  line.step = whole(options, "--step", 1, std::numeric_limits<int>::max());
  line.tokens = whole(options, "--tokens", 0, kMostTokens).value_or(line.tokens);
  line.settings = !options.has("--no-settings");
  line.request = options.text("--request").value_or("");
  line.prompt = options.text("--prompt").value_or("");
  line.max_tokens = whole(options, "--max-tokens", 1, kMostTokens);
  line.corrupted = options.text("--corrupted").value_or("");
  line.colormap = options.choice("--colormap", "", color_map_words());
  line.figure.all_layers = options.text("--layer") == "all";
  line.layer = number_or_all(options, "--layer", "layer");
  line.figure.all_heads = options.text("--head") == "all";
  line.head = number_or_all(options, "--head", "head");
  line.figure.title = !options.has("--no-title");
  line.figure.own_title = title_of(options);
  line.figure.legend = !options.has("--no-legend");
  line.figure.sums = !options.has("--no-sums");
  line.arrays = options.choices("--arrays", words(kArrayFormats));
  if (options.has("--width"))
    line.width_mm = options.number("--width", 0, kLeastFigureMm, kMostFigureMm);
  line.dpi = whole(options, "--dpi", 72, 1200);
}

std::vector<std::string> names_of_asked(const CommandLine& line) {
  std::vector<std::string> views = line.views;
  if (!line.show.empty()) views.push_back(line.show);
  // Without --views, --figure and --show the asked views are those that `run` draws into its
  // folder; without `run`, the first view.
  if (views.empty())
    for (const ViewEntry& entry : view_registry())
      if (line.mode == CommandLine::Mode::kRun ? entry.in_every_run
                                               : &entry == &view_registry().front())
        views.push_back(entry.name);
  return views;
}

void check_use(const CommandLine& line, const Options& options) {
  const ModeName& mode = *std::ranges::find(kModes, line.mode, &ModeName::mode);
  std::map<std::string, unsigned> known;
  for (const ModeOption& option : mode_options()) known[option.spec.name] |= option.modes;
  for (const auto& [option, modes] : known) {
    if (!options.has(option) || (modes & mode.bit) != 0) continue;
    std::vector<std::string_view> names;
    for (const ModeName& other : kModes)
      if ((modes & other.bit) != 0) names.emplace_back(other.name);
    throw_bad_input({"this option belongs to another mode", option,
                     fmt::format("in the mode {}", mode.name),
                     fmt::format("with {}", fmt::join(names, " or ")), "See --help."});
  }
  const std::vector<std::string> views = names_of_asked(line);
  for (const ModeOption& option : mode_options()) {
    if (!options.has(option.spec.name)) continue;
    const std::vector<std::string> users = users_of(options, option.spec.name);
    if (users.empty() || std::ranges::find_first_of(views, users) != views.end()) continue;
    const std::string names =
        fmt::format("{}{}", users.size() > 1 ? "one of " : "", fmt::join(users, ", "));
    throw_bad_input(
        {"no view that is asked for knows this option", option.spec.name,
         fmt::format("the view{} `{}`", views.size() > 1 ? "s" : "", fmt::join(views, "`, `")),
         fmt::format("`run` with --views {}", names) +
             ((option.modes & kInScreenshot) != 0
                  ? fmt::format(", or --screenshot with --show {}", names)
                  : ""),
         option.advice});
  }
}

void check_both(const Options& options, const char* option, const char* other, const char* why) {
  if (options.has(option) && options.has(other))
    throw_bad_input({"these two options exclude each other", option,
                     fmt::format("{} and {}", option, other), "one of them", why});
}

// Refuses `all` where a view or file shows one layer or one head.
void check_all(const CommandLine& line) {
  const FigureLook& figure = line.figure;
  if (!figure.all_layers && !figure.all_heads) return;
  const char* const option = figure.all_layers ? "--layer" : "--head";
  const std::string kind = figure_kind(line.figure_file);
  if (kind == "csv")
    throw_bad_input({"a table has the numbers of one head in one layer", option,
                     "`all` with `" + line.figure_file + "`",
                     "--layer N --head N, or an array of all: a file .npy or .safetensors", ""});
  const bool array = !line.arrays.empty() || kind == "npy" || kind == "safetensors";
  if (figure.all_layers && !figure.all_heads && !array)
    throw_bad_input({"a picture of all layers shows all heads", option, "`all` without --head all",
                     "--layer all --head all, or for the array of one head --layer all --arrays "
                     "npy,safetensors",
                     ""});
  const std::vector<std::string> with_arrays = views_with_arrays();
  if (!line.views.empty() &&
      std::ranges::find_first_of(line.views, with_arrays) == line.views.end())
    throw_bad_input({"this option is for a view that is not asked for", option,
                     fmt::format("`all` without the view `{}`", fmt::join(with_arrays, "` or `")),
                     fmt::format("--views {}", fmt::join(with_arrays, " or ")), ""});
}

// Refuses what does not fit --figure.
void check_figure(const CommandLine& line, const Options& options) {
  if (line.figure_file.empty()) return;
  check_both(options, "--figure", "--export", "One file, or a folder with the whole run.");
  check_both(options, "--figure", "--arrays", "The ending of the file chooses npy or safetensors.");
  if (line.views.size() > 1)
    throw_bad_input({"one file shows one view", "--views",
                     fmt::format("{} views", line.views.size()), "one view with --figure", ""});
  const std::string kind = figure_kind(line.figure_file);
  if ((kind == "npy" || kind == "safetensors") && !find_view(line.views.front())->exports.arrays)
    throw_bad_input(
        {"this view has no array", "--figure",
         "`" + line.figure_file + "` of " + line.views.front(),
         fmt::format("the view {}, or another ending", fmt::join(views_with_arrays(), " or ")),
         ""});
  const auto is_for = [&](const char* option, std::initializer_list<std::string_view> kinds,
                          const char* allowed) {
    if (options.has(option) && std::ranges::find(kinds, kind) == kinds.end())
      throw_bad_input({"this option has no effect on a file of this kind", option,
                       "`" + line.figure_file + "`", allowed, ""});
  };
  for (const char* option : {"--dpi", "--scale"}) is_for(option, {"png"}, "a file .png");
  for (const char* option :
       {"--width", "--size", "--text", "--title", "--no-title", "--no-legend", "--no-sums"})
    is_for(option, {"png", "svg", "pdf"}, "a picture: a file .png, .svg or .pdf");
}

// Throws what the asked views refuse (ViewEntry::check).
void check_choices(const CommandLine& line) {
  for (const std::string& name : names_of_asked(line))
    if (const ViewEntry* entry = find_view(name); entry->check) entry->check(choices_of(line));
}

void check_run(const CommandLine& line, const Options& options) {
  if (line.compare == kCompareWords[1])
    check_both(options, "--compare", "--backends",
               "With and without a cache the backend is that of the scenario.");
  if (line.lesson_step && line.lesson.empty())
    throw_bad_input({"this option needs another one", "--lesson-step", "no --lesson",
                     "--lesson NAME", "See --help."});
  if (!line.lesson.empty())
    for (const char* option :
         {"SCENARIO", "--tokens", "--select", "--step", "--show", "--backend", "--clock"})
      check_both(options, "--lesson", option, "The lesson says what is run.");
  check_choices(line);
  if (line.mode != CommandLine::Mode::kRun) return;
  const bool have_scenario = options.has("SCENARIO");
  check_both(options, "--width", "--size", "Both say how large a picture is.");
  check_both(options, "--title", "--no-title", "A title, or none.");
  check_both(options, "--dpi", "--scale", "Both say how many pixels a PNG file has.");
  if (line.figure.all_heads)
    for (const char* option : {"--combine", "--keep", "--quantity"})
      if (options.has(option))
        throw_bad_input(
            {"this option is for one head", option, "with --head all", "with --head N", ""});
  check_all(line);
  if (line.figure.all_layers)
    for (const char* option : {"--combine", "--keep", "--quantity"})
      if (options.has(option))
        throw_bad_input(
            {"this option is for one layer", option, "with --layer all", "with --layer N", ""});
  check_figure(line, options);
  if (line.max_tokens && line.prompt.empty())
    throw_bad_input({"this option needs another one", "--max-tokens", "no --prompt",
                     "--prompt TEXT", "See --help."});
  if (line.qkv && line.export_folder.empty())
    throw_bad_input(
        {"this option needs another one", "--qkv", "no --export", "--export DIR", "See --help."});
  if (line.export_folder.empty() && line.session_file.empty() && line.figure_file.empty())
    throw_bad_input({"`run` needs a folder for its files", "--export", "nothing",
                     "a folder; it is made if needed. Or a file for --figure or --session",
                     "For example: `attention-workbench run first-look --export out`"});
  if (line.force && line.export_folder.empty())
    throw_bad_input(
        {"this option needs another one", "--force", "no --export", "--export DIR", "See --help."});
  if (!have_scenario)
    throw_bad_input({"`run` needs a scenario", "run", "nothing", "a shipped name or a file",
                     "For example: `attention-workbench run first-look --export out`"});
}

// A session file has its run already, so options of a new run are refused.
void check_new_run(const CommandLine& line, const Options& options) {
  if (!is_session_file(line.scenario)) return;
  for (const char* option : {"--session", "--backend", "--clock", "--prompt", "--tokens"})
    if (options.has(option))
      throw_bad_input({"this option needs a new run, but a session file is not run again", option,
                       "`" + line.scenario + "`", "a scenario", "Run the scenario again."});
}

CommandSpec handout_command() {
  return {"attention-workbench handout",
          "Writes a lesson as PDF for print, with boxes for the answers.",
          {{"LESSON", "the name or number of an installed lesson, or a file", true}},
          {{"--out", "FILE.pdf", "the file"},
           {"--teacher", "", "the teacher's copy, with the answers, hints and explanations"},
           {"--language", fmt::format("{}", fmt::join(language_words(), "|")),
            "the language; en by default"}},
          ""};
}

CommandLine parse_handout(CommandLine line, const std::vector<std::string>& words) {
  const Options options(handout_command(), words);
  if (options.help()) {
    line.mode = CommandLine::Mode::kHelp;
    return line;
  }
  line.lesson = options.required_text("LESSON");
  options.required_text("--out");
  line.handout = checked(options, "--out", ends_in_pdf, "the name of a PDF has the wrong ending",
                         "a file name that ends in .pdf");
  line.teacher = options.has("--teacher");
  line.language = options.choice("--language", "en", language_words());
  return line;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  std::vector<std::string> words = arguments;
  if (!words.empty() && (words[0] == "run" || words[0] == "bench-views")) {
    line.mode = words[0] == "run" ? CommandLine::Mode::kRun : CommandLine::Mode::kBenchViews;
    words.erase(words.begin());
  }
  if (!words.empty() && words[0] == "handout") {
    line.mode = CommandLine::Mode::kHandout;
    return parse_handout(std::move(line), {words.begin() + 1, words.end()});
  }
  if (line.mode == CommandLine::Mode::kBenchViews) {
    line.bench_words = words;
    return line;
  }
  const Options options(command_of(kInAll, "", "", {"SCENARIO", "", false}), words);
  if (options.help() || options.has("--version")) {
    line.mode = options.help() ? CommandLine::Mode::kHelp : CommandLine::Mode::kVersion;
    return line;
  }
  if (options.has("--screenshot") && line.mode == CommandLine::Mode::kWindow)
    line.mode = CommandLine::Mode::kScreenshot;
  line.scenario = options.text("SCENARIO").value_or(line.scenario);
  take_values(line, options);
  check_use(line, options);
  check_run(line, options);
  check_new_run(line, options);
  return line;
}

std::string help_text() {
  const std::string name = "attention-workbench";
  const PositionalSpec scenario = {
      "SCENARIO",
      "name of a shipped scenario or a bundled model, or a file: a scenario, a model "
      "(its folder or GGUF file), tensors\nor a saved session "
      "(.attn-session), which is shown and not run",
      false};
  PositionalSpec needed = scenario;
  needed.required = true;
  return fmt::format(
      R"(attention-workbench: shows attention over a paged KV cache while it is computed.

{}
{}
{}
{}
{} bench-views --help explains how to measure the views on this machine.
An option is refused in a mode that does not list it. Notes and warnings of a run are on stderr.
Exit codes: 0 fine, 1 failed, 2 bad input, 3 not supported (also when no backend can run a comparison;
the files are written all the same), 128 + N stopped by signal N. `attn` is the same engine on the command line, without Qt.
)",
      help_text(command_of(kInWindow, name, "Opens the window.", scenario)),
      help_text(command_of(
          kInRun, name + " run",
          "Runs a scenario to its end without a window, and writes pictures and numbers.", needed)),
      help_text(command_of(kInScreenshot, name + " --screenshot FILE.png",
                           "Runs the scenario, lays out the window and saves its picture.",
                           scenario)),
      help_text(handout_command()), name);
}

}  // namespace attn::gui
