// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/command_line/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <sstream>

#include "engine/core/error.h"
#include "engine/core/files/json.h"

namespace attn {
namespace {

std::string advice_for(std::string_view word, const std::vector<std::string>& known,
                       std::string_view otherwise) {
  const std::string near = nearest_match(word, known);
  return near.empty() ? std::string(otherwise) : fmt::format("Did you mean `{}`?", near);
}

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::unique_ptr<CLI::App> parser_of(const CommandSpec& command) {
  auto app = std::make_unique<CLI::App>(command.summary + "\n", command.name);
  app->footer(command.notes);
  app->set_help_flag("-h,--help", "this text");
  app->allow_extras();  // extra words are refused below
  size_t widest = std::string_view("-h,--help").size();
  for (const PositionalSpec& word : command.positional) {
    CLI::Option* const made =
        app->add_option(word.name, CLI::callback_t{}, word.help)->required(word.required);
    if (word.several) made->expected(1, -1)->allow_extra_args()->option_text("...");
    widest = std::max(widest, word.name.size());
  }
  for (const OptionSpec& option : command.options) {
    CLI::Option* const made = option.value.empty()
                                  ? app->add_flag(option.name, option.help)->disable_flag_override()
                                  : app->add_option(option.name, CLI::callback_t{}, option.help)
                                        ->option_text(option.value);
    made->take_all();  // repetitions are refused below
    widest = std::max(widest, option.name.size() + 1 + option.value.size());
  }
  constexpr size_t kWidestColumn = 36;  // beside a wider option, the help begins on the next line
  app->get_formatter()->column_width(std::min(widest + 4, kWidestColumn));
  app->get_formatter()->label("OPTIONS", "options");
  app->get_formatter()->label("Positionals", "Arguments");
  app->get_formatter()->label("REQUIRED", "");  // instead, optional words stand in brackets
  return app;
}

}  // namespace

std::string help_text(const CommandSpec& command) {
  const std::string text = parser_of(command)->help();
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

std::optional<int64_t> whole_number(std::string_view text) {
  return parse_number<int64_t>(text);
}

std::vector<std::string> comma_list(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text + ",");
  for (std::string word; std::getline(in, word, ',');) words.push_back(word);
  return words;
}

Options::Options(const CommandSpec& command, std::vector<std::string> words)
    : command_(command.name) {
  help_ = std::erase_if(words, [](const auto& w) { return w == "--help" || w == "-h"; }) > 0;
  // The library would take the word after `--name=` as its value. So the empty value is written as
  // a NUL here.
  const std::string empty(1, '\0');
  for (std::string& word : words)
    if (word.ends_with('=')) word += empty;
  const auto app = parser_of(command);
  std::string fault;
  try {
    app->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    fault = error.get_name();
  }
  help_ = help_ || fault == "CallForHelp";

  const std::string see =
      command_.empty() ? "See --help." : fmt::format("See `{} --help`.", command_);
  const auto name_in = [](const std::string& word) { return word.substr(0, word.find('=')); };
  std::vector<std::string> extra = app->remaining(), names{"--help"};
  std::erase(extra, "--");
  for (std::string& word : extra) std::erase(word, '\0');
  for (const OptionSpec& option : command.options) names.push_back(option.name);
  for (const std::string& word : extra)
    if (word.size() > 1 && word[0] == '-')
      throw_bad_input({"unknown option", command_, fmt::format("`{}`", name_in(word)), "",
                       advice_for(name_in(word), names, see)});
  if (help_) return;
  if (fault == "ArgumentMismatch") {
    // Either the last word lacks its value, or a flag was given one.
    for (const OptionSpec& option : command.options) {
      if (!option.value.empty() && option.name == words.back())
        throw_bad_input({"the value is missing", place(option.name), "nothing",
                         fmt::format("{} {}", option.name, option.value), ""});
      const auto sets_it = [&](const auto& word) { return word.starts_with(option.name + "="); };
      if (option.value.empty() && std::ranges::any_of(words, sets_it))
        throw_bad_input(
            {"this option takes no value", place(option.name), "a value", option.name, ""});
    }
  }
  std::vector<std::string> allowed;
  for (const PositionalSpec& word : command.positional) allowed.push_back(word.name);
  const std::string usage =
      allowed.empty() ? "options only" : fmt::format("{}", fmt::join(allowed, " "));
  if (!extra.empty())
    throw_bad_input({"too many arguments", command_, fmt::format("`{}`", extra[0]), usage, see});
  if (!fault.empty()) throw_bad_input({"an argument is missing", command_, "nothing", usage, see});

  for (const CLI::Option* option : app->get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name();
    const auto spec = std::ranges::find(command.options, name, &OptionSpec::name);
    const auto word = std::ranges::find(command.positional, name, &PositionalSpec::name);
    const bool repeats = (spec != command.options.end() && spec->repeats) ||
                         (word != command.positional.end() && word->several);
    if (option->count() > 1 && !repeats)
      throw_bad_input({"option given twice", place(name), "", "once", ""});
    for (std::string value : option->results()) {
      if (value.ends_with(empty)) value.pop_back();
      if (value.empty())
        throw_bad_input({"the value is empty", place(name), "''",
                         fmt::format("{} {}", name, option->get_option_text()), ""});
      values_[name] = value;
      if (repeats) repeated_[name].push_back(value);
    }
  }
}

std::string Options::place(std::string_view name) const {
  return command_.empty() ? std::string(name) : fmt::format("{} {}", command_, name);
}

std::optional<std::string> Options::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> Options::texts(std::string_view name) const {
  const auto found = repeated_.find(name);
  return found == repeated_.end() ? std::vector<std::string>{} : found->second;
}

std::string Options::required_text(std::string_view name) const {
  const auto value = text(name);
  if (!value)
    throw_bad_input({"a required option is missing", command_, "nothing", std::string(name),
                     fmt::format("See `{} --help`.", command_)});
  return *value;
}

int64_t Options::integer(std::string_view name, int64_t fallback, int64_t min, int64_t max,
                         std::string_view allowed) const {
  const auto value = text(name);
  if (!value) return fallback;
  const auto number = whole_number(*value);
  if (!number || *number < min || *number > max)
    throw_bad_input({"the value is not in range", place(name), fmt::format("`{}`", *value),
                     allowed.empty() ? fmt::format("a whole number from {} to {}", min, max)
                                     : std::string(allowed),
                     ""});
  return *number;
}

uint64_t Options::seed(std::string_view name, uint64_t fallback) const {
  const auto value = text(name);
  if (!value) return fallback;
  const auto number = parse_number<uint64_t>(*value);
  if (!number)
    throw_bad_input({"the value is not in range", place(name), fmt::format("`{}`", *value),
                     "a whole number from 0 to 18446744073709551615", ""});
  return *number;
}

double Options::number(std::string_view name, double fallback, double min, double max) const {
  const auto value = text(name);
  if (!value) return fallback;
  const auto number = parse_number<double>(*value);
  if (!number || !std::isfinite(*number) || *number < min || *number > max)
    throw_bad_input({"the value is not in range", place(name), fmt::format("`{}`", *value),
                     fmt::format("a number from {} to {}", min, max), ""});
  return *number;
}

void Options::check_choice(std::string_view name, const std::string& value,
                           const std::vector<std::string>& allowed) const {
  if (std::ranges::find(allowed, value) == allowed.end())
    throw_bad_input({"no such choice", place(name), fmt::format("`{}`", value),
                     fmt::format("{}", fmt::join(allowed, ", ")), advice_for(value, allowed, "")});
}

std::string Options::choice(std::string_view name, std::string_view fallback,
                            const std::vector<std::string>& allowed) const {
  const auto value = text(name);
  if (!value) return std::string(fallback);
  check_choice(name, *value, allowed);
  return *value;
}

std::vector<std::string> Options::choices(std::string_view name,
                                          const std::vector<std::string>& allowed) const {
  const auto value = text(name);
  if (!value) return {};
  const std::vector<std::string> words = comma_list(*value);
  for (const std::string& word : words) check_choice(name, word, allowed);
  return words;
}

}  // namespace attn
