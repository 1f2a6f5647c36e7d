// SPDX-License-Identifier: GPL-3.0-or-later
// `attn lesson`: lessons on the command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "engine/cli/commands.h"
#include "engine/command_line/options.h"
#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/output_file.h"
#include "engine/core/files/paths.h"
#include "engine/core/files/whole_file.h"
#include "engine/core/print_error.h"
#include "engine/core/program/standard_streams.h"
#include "engine/lesson/results/handout.h"
#include "engine/lesson/results/lesson_page.h"
#include "engine/lesson/results/result.h"
#include "engine/lesson/results/sheets.h"
#include "engine/lesson/results/shipped_words.h"
#include "engine/lesson/run/answer_key.h"

namespace attn::cli {
namespace {

namespace fs = std::filesystem;

const OptionSpec kLanguage{"--language", "en|de", "the language of shipped lessons; en by default"};
std::string language_of(const Options& options) {
  return options.choice("--language", "en", {"en", "de"});
}
constexpr const char* kLessonHelp =
    "a lesson's file, or the number or name of a shipped lesson, for example 6";

CommandSpec check_spec() {
  return {"attn lesson check",
          "Reads lessons, runs the scenario of every step, and prints the answers.",
          {{"FILE", "files, numbers or names of lessons", true, true}},
          {{"--quiet", "", "print no answers, only what is wrong"}, kLanguage},
          "All mistakes of a file are told at once, with line, what was found and what is allowed. "
          "The exit\ncode is 0 when every lesson is fine, 2 when one has mistakes, 1 when a run "
          "failed."};
}
CommandSpec new_spec() {
  return {"attn lesson new",
          "Writes a lesson to begin from, which passes `attn lesson check`.",
          {{"NAME", "the name of the lesson: lower-case letters, digits and hyphens"}},
          {{"--title", "TEXT", "its title; default: the name"},
           {"--language", "en|de", "the language of what it says; en by default"},
           {"--out", "FILE", "where to; default: NAME.md in the current folder"}},
          "docs/lessons.md describes what stands in a lesson. An existing file is not replaced."};
}
CommandSpec collect_spec() {
  return {"attn lesson collect",
          "Makes the table of a class from the results of its learners.",
          {{"FOLDER", "folders with the CSV files of the learners, or such files", true, true}},
          {{"--csv", "FILE", "write the table as CSV, too"}, kLanguage},
          "For each task: how many answers were right, and the most frequent wrong answers. Files "
          "that cannot\nbe read are named and left out. The CSV has the titles and questions of "
          "shipped lessons, too."};
}
CommandSpec gift_spec() {
  return {
      "attn lesson gift",
      "Writes the questions of a lesson for Moodle, in its format GIFT.",
      {{"FILE", kLessonHelp}},
      {{"--out", "FILE", "where to; default: stdout"}, kLanguage},
      "Questions that need a click or a change of the scenario are left out; a note says which."};
}
CommandSpec handout_spec() {
  return {"attn lesson handout",
          "Writes a lesson as an HTML page to print, with boxes for the answers. Where a text "
          "tells the "
          "answer to an\nearlier question, another sheet begins.",
          {{"FILE", kLessonHelp}},
          {{"--key", "", "the teacher's copy, with the answers, hints and explanations"},
           {"--out", "FILE", "where to; default: stdout"},
           kLanguage},
          "With pictures of the views, and as PDF: the command `Hand-out` of the desktop program."};
}
CommandSpec html_spec() {
  return {"attn lesson html",
          "Writes a lesson as one HTML file to do at home, in a browser without a network.",
          {{"FILE", kLessonHelp}},
          {{"--out", "FILE", "where to; default: stdout"}, kLanguage},
          "The page asks, tells whether the answer was right, and shows the run. Tasks that change "
          "the scenario\nneed the program. The answers stand in the file."};
}
CommandSpec list_spec() {
  return {"attn lesson list", "Lists the lessons that come with the program.", {}, {kLanguage}, ""};
}
CommandSpec quantities_spec() {
  return {"attn lesson quantities",
          "Lists what a lesson can ask for: quantities, their arguments, and controls.",
          {},
          {},
          ""};
}

bool helped(const Options& options, const CommandSpec& spec) {
  if (options.help()) print_out("{}", help_text(spec));
  return options.help();
}

void put_out(const Options& options, const std::string& text) {
  if (const auto file = options.text("--out")) {
    write_file_atomically(*file, text);
    print_error("{} in {}\n", counted(text.size(), "byte", "bytes"), *file);
  } else {
    print_out("{}", text);
  }
}
void check_out(const Options& options) {
  if (const auto file = options.text("--out")) check_output_place("--out", *file);
}

lesson::AnswerKey key_of(const Options& options) {
  const fs::path file = lesson::find_lesson(options.required_text("FILE"), language_of(options));
  if (const auto out = options.text("--out")) refuse_same_file("--out", *out, "the lesson", file);
  const lesson::ParsedLesson parsed = lesson::read_lesson(file);
  if (!parsed.ok()) throw parsed.error();
  return lesson::make_answer_key(parsed.lesson);
}

int check(const Words& words) {
  const Options options(check_spec(), words);
  if (helped(options, check_spec())) return 0;
  int code = 0;
  lesson::KeyOptions key_options;
  key_options.sources = std::make_shared<lesson::SourceCache>();
  size_t fine = 0;
  const std::string language = language_of(options);
  for (const std::string& name : options.texts("FILE")) {
    try {
      const lesson::ParsedLesson parsed = lesson::read_lesson(lesson::find_lesson(name, language));
      if (!parsed.ok()) throw parsed.error();
      const lesson::LessonCheck found = lesson::check_lesson(parsed.lesson, key_options);
      if (!found.mistakes.empty()) throw lesson::error_of(found.mistakes, parsed.origin);
      ++fine;
      print_out("{}: {}, {}, about {:.1f} minutes\n", parsed.origin,
                counted(parsed.lesson->steps.size(), "step", "steps"),
                counted(parsed.lesson->num_tasks(), "task", "tasks"), parsed.lesson->minutes());
      for (const std::string& note : found.notes) print_out("  note: {}\n", note);
      if (options.has("--quiet")) continue;
      print_out("{}", lesson::key_text(*found.key));
      if (const std::string sheets = lesson::sheets_text(*found.key); !sheets.empty())
        print_out("  note: {}\n", sheets);
    } catch (const Error& error) {
      print_error("attn: {}\n", error.what());
      code = std::max(code, error.exit_code());
    }
  }
  const size_t all = options.texts("FILE").size();
  if (all > 1) print_out("{} of {} lessons are fine\n", fine, all);
  return code;
}

int make_new(const Words& words) {
  const Options options(new_spec(), words);
  if (helped(options, new_spec())) return 0;
  const std::string name = options.required_text("NAME");
  const fs::path file = options.text("--out").value_or(name + ".md");
  const std::string text =
      lesson::skeleton(name, options.text("--title").value_or(name), language_of(options));
  const lesson::ParsedLesson parsed = lesson::parse_lesson(text, name);
  if (!parsed.ok()) throw parsed.error();  // the name or the title is not valid
  check_output_place("--out", file);
  if (has_entry(file))
    throw_bad_input({"there is something with this name already", "attn lesson new", file.string(),
                     "a new name", "Choose another one with --out"});
  write_file_atomically(file, text);
  print_out("{}: change it, and run `attn lesson check {}`\n", file.string(), file.string());
  return 0;
}

int collect(const Words& words) {
  const Options options(collect_spec(), words);
  if (helped(options, collect_spec())) return 0;
  const std::vector<std::string> given = options.texts("FOLDER");
  const std::vector<fs::path> files(given.begin(), given.end());
  if (const auto csv = options.text("--csv")) {
    check_output_place("--csv", *csv);
    refuse_inputs("--csv", *csv, files);
  }
  lesson::ShippedLessons shipped(language_of(options));
  lesson::ClassTable table = lesson::collect_results(files);
  lesson::name_tasks(table, shipped);
  print_out("{}", lesson::class_text(table));
  print_out("{}\n", counted(table.learners.size(), "result file", "result files"));
  for (const std::string& note : table.notes) print_error("note: {}\n", note);
  if (const auto csv = options.text("--csv")) {
    write_file_atomically(*csv, lesson::class_csv(table));
    print_out("table in {}\n", *csv);
  }
  return 0;
}

int gift(const Words& words) {
  const Options options(gift_spec(), words);
  if (helped(options, gift_spec())) return 0;
  check_out(options);
  std::vector<std::string> notes;
  const std::string text = lesson::gift_text(key_of(options), &notes);
  put_out(options, text);
  for (const std::string& note : notes) print_error("note: {}\n", note);
  return 0;
}

int handout(const Words& words) {
  const Options options(handout_spec(), words);
  if (helped(options, handout_spec())) return 0;
  check_out(options);
  put_out(options,
          lesson::handout_html(key_of(options), {.with_key = options.has("--key"), .picture = {}}));
  return 0;
}

int html(const Words& words) {
  const Options options(html_spec(), words);
  if (helped(options, html_spec())) return 0;
  check_out(options);
  put_out(options, lesson::lesson_page_html(key_of(options)));
  return 0;
}

int list(const Words& words) {
  const Options options(list_spec(), words);
  if (helped(options, list_spec())) return 0;
  for (const fs::path& file : lesson::shipped_lessons(language_of(options))) {
    const lesson::ParsedLesson parsed = lesson::read_lesson(file);
    print_out("{:<28} {}\n", file.stem().string(),
              parsed.ok() ? parsed.lesson->about.title : "has mistakes; see `attn lesson check`");
  }
  return 0;
}

int quantities(const Words& words) {
  const Options options(quantities_spec(), words);
  if (helped(options, quantities_spec())) return 0;
  print_out("Quantities, with their arguments, units and places:\n");
  for (const lesson::Quantity& quantity : lesson::all_quantities()) {
    print_out("  {}({})\n      {}", quantity.name, quantity.arguments, quantity.meaning);
    if (*quantity.unit) print_out("; in {}", quantity.unit);
    if (*quantity.place) print_out("; place: {}", quantity.place);
    print_out("\n");
  }
  print_out("\nArguments:\n");
  for (const lesson::QuantityArgument& argument : lesson::all_quantity_arguments())
    print_out("  {:<9} {}: {}{}\n", argument.name, argument.meaning,
              lesson::values_of_argument(argument.name),
              *argument.if_absent ? fmt::format("; left out: {}", argument.if_absent)
                                  : "; must be given");
  print_out("\nControls:\n");
  for (const lesson::Control& control : lesson::all_controls())
    print_out("  {:<23} {}\n", control.name, control.label);
  return 0;
}

struct Subcommand {
  const char* name;
  const char* summary;
  int (*run)(const Words&);
};
constexpr Subcommand kSubcommands[] = {
    {"check", "run every scenario of lessons and print the answers", check},
    {"new", "write a lesson to begin from", make_new},
    {"collect", "make the table of a class from the results of its learners", collect},
    {"gift", "write the questions for Moodle", gift},
    {"handout", "write a page to print, with or without the answers", handout},
    {"html", "write a page to do in a browser, at home", html},
    {"list", "the lessons that come with the program", list},
    {"quantities", "what a lesson can ask for", quantities},
};

}  // namespace

int command_lesson(const Words& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    print_out(
        "Works with lessons: files that ask for predictions and compute the answers.\n\n"
        "Usage: attn lesson COMMAND [options]\n\nCommands:\n");
    for (const Subcommand& command : kSubcommands)
      print_out("  {:<11} {}\n", command.name, command.summary);
    print_out("\n`attn lesson COMMAND --help` explains a command.\n");
    return words.empty() ? 2 : 0;
  }
  std::vector<std::string> names;
  for (const Subcommand& command : kSubcommands) {
    if (words[0] == command.name) return command.run({words.begin() + 1, words.end()});
    names.emplace_back(command.name);
  }
  const std::string near = nearest_match(words[0], names);
  throw_bad_input(
      {"no such command", "attn lesson", fmt::format("`{}`", words[0]),
       fmt::format("{}", fmt::join(names, ", ")),
       near.empty() ? "See `attn lesson --help`." : fmt::format("Did you mean `{}`?", near)});
}

}  // namespace attn::cli
