// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/core/error.h"
#include "engine/core/files/input_file.h"
#include "engine/core/files/json.h"

namespace attn::cli {
namespace {

std::string advice_for(std::string_view word, const std::vector<std::string>& known,
                       std::string_view otherwise) {
  const std::string near = nearest_match(word, known);
  return near.empty() ? std::string(otherwise) : fmt::format("Did you mean `{}`?", near);
}

template <class Number>
std::optional<Number> parse_number(const std::string& text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string read_file(const std::filesystem::path& file, uint64_t most_bytes) {
  const InputFile input = InputFile::open(file, "a plain file");
  if (input.size() > most_bytes)
    throw_bad_input({"the file is too large", file.string(), fmt::format("{} bytes", input.size()),
                     fmt::format("{} bytes at most", most_bytes), ""});
  std::string text(input.size(), '\0');
  input.read(0, text.data(), input.size());
  return text;
}

std::string help_text(const CommandSpec& command) {
  std::string text = fmt::format("{}\n\nUsage: attn {}", command.summary, command.name);
  for (const std::string& word : command.positional) text += " " + word;
  if (!command.options.empty()) text += " [options]";
  text += "\n\nOptions:\n";
  std::vector<OptionSpec> options = command.options;
  options.push_back({"--help", "", "this text"});
  size_t width = 0;
  for (const OptionSpec& option : options)
    width =
        std::max(width, option.name.size() + (option.value.empty() ? 0 : 1 + option.value.size()));
  for (const OptionSpec& option : options)
    text += fmt::format("  {:<{}}  {}\n",
                        option.value.empty() ? option.name : option.name + " " + option.value,
                        width, option.help);
  if (!command.notes.empty()) text += "\n" + command.notes + "\n";
  return text;
}

Options::Options(const CommandSpec& command, const std::vector<std::string>& words)
    : command_("attn " + command.name) {
  const auto asks_for_help = [](const std::string& word) {
    return word == "--help" || word == "-h";
  };
  help_ = std::ranges::any_of(words, asks_for_help);
  std::vector<std::string> names;
  for (const OptionSpec& option : command.options) names.push_back(option.name);
  names.emplace_back("--help");
  bool only_words = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!only_words && asks_for_help(word)) continue;
    if (only_words || word.size() < 2 || word[0] != '-') {
      positional_.push_back(word);
      continue;
    }
    if (word == "--") {
      only_words = true;
      continue;
    }
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto spec = std::ranges::find(command.options, name, &OptionSpec::name);
    if (spec == command.options.end())
      throw_bad_input({"unknown option", command_, name, "",
                       advice_for(name, names, fmt::format("See `{} --help`.", command_))});
    if (help_) {  // the values of other options are not used
      if (!spec->value.empty() && equals == std::string::npos && i + 1 < words.size() &&
          !asks_for_help(words[i + 1]))
        ++i;
      continue;
    }
    if (values_.contains(name)) throw_bad_input({"option given twice", command_, name, "once", ""});
    if (spec->value.empty()) {
      if (equals != std::string::npos)
        throw_bad_input({"this option takes no value", command_, word, name, ""});
      values_[name] = "";
    } else if (equals != std::string::npos) {
      values_[name] = word.substr(equals + 1);
    } else {
      if (i + 1 == words.size())
        throw_bad_input({"the value is missing", fmt::format("{} {}", command_, name), "nothing",
                         fmt::format("{} {}", name, spec->value), ""});
      values_[name] = words[++i];
    }
    const bool is_name = spec->value.starts_with("FILE") || spec->value == "DIR";
    if ((is_name || spec->value == "A,B,...") && values_[name].empty())
      throw_bad_input({is_name ? "the name is empty" : "there are no names",
                       fmt::format("{} {}", command_, name), "''",
                       fmt::format("{} {}", name, spec->value), ""});
  }
  if (!help_ && positional_.size() != command.positional.size())
    throw_bad_input(
        {positional_.size() < command.positional.size() ? "an argument is missing"
                                                        : "too many arguments",
         command_, positional_.empty() ? "nothing" : fmt::format("{}", fmt::join(positional_, " ")),
         command.positional.empty() ? "options only"
                                    : fmt::format("{}", fmt::join(command.positional, " ")),
         fmt::format("See `{} --help`.", command_)});
}

std::optional<std::string> Options::text(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? std::nullopt : std::optional(found->second);
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
  const auto number = parse_number<int64_t>(*value);
  if (!number || *number < min || *number > max)
    throw_bad_input({"the value is not in range", fmt::format("{} {}", command_, name),
                     fmt::format("`{}`", *value),
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
    throw_bad_input({"the value is not in range", fmt::format("{} {}", command_, name),
                     fmt::format("`{}`", *value), "a whole number from 0 to 18446744073709551615",
                     ""});
  return *number;
}

double Options::number(std::string_view name, double fallback, double min, double max) const {
  const auto value = text(name);
  if (!value) return fallback;
  const auto number = parse_number<double>(*value);
  if (!number || !std::isfinite(*number) || *number < min || *number > max)
    throw_bad_input({"the value is not in range", fmt::format("{} {}", command_, name),
                     fmt::format("`{}`", *value), fmt::format("a number from {} to {}", min, max),
                     ""});
  return *number;
}

std::string Options::choice(std::string_view name, std::string_view fallback,
                            const std::vector<std::string>& allowed) const {
  const std::string value = text(name).value_or(std::string(fallback));
  if (std::ranges::find(allowed, value) == allowed.end())
    throw_bad_input({"no such choice", fmt::format("{} {}", command_, name),
                     fmt::format("`{}`", value), fmt::format("{}", fmt::join(allowed, ", ")),
                     advice_for(value, allowed, "")});
  return value;
}

}  // namespace attn::cli
