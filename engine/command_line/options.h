// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the command lines of the programs with CLI11: --name VALUE or --name=VALUE, flags, and
// positional words. An error may name the nearest known option or value. Options throws
// Error(kBadInput). Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct PositionalSpec {
  std::string name;  // "FILE"
  std::string help;
  bool required = true;
  bool several = false;  // takes several words, too; only for the last positional
};

struct OptionSpec {
  std::string name;   // "--model"
  std::string value;  // "DIR"; empty: a flag
  std::string help;
  bool repeats = false;
};

struct CommandSpec {
  std::string name;     // as typed, "attn generate"
  std::string summary;  // one line
  std::vector<PositionalSpec> positional;
  std::vector<OptionSpec> options;
  std::string notes;  // printed after the options
};

std::string help_text(const CommandSpec& command);

// The number in `text`: decimal digits, perhaps after a minus sign. nullopt for any other text and
// beyond int64_t.
std::optional<int64_t> whole_number(std::string_view text);

// The words of "a,b"; those of "a," end with an empty one.
std::vector<std::string> comma_list(const std::string& text);

class Options {
 public:
  // Reads the words after the command. An option may be given once, unless it repeats, and a value
  // may not be empty. With --help or -h only the names of the other options are checked.
  Options(const CommandSpec& command, std::vector<std::string> words);

  bool help() const { return help_; }
  bool has(std::string_view name) const { return values_.contains(name); }
  std::optional<std::string> text(std::string_view name) const;
  // The values of an option that repeats, or the words of a positional with `several`, in order.
  std::vector<std::string> texts(std::string_view name) const;
  std::string required_text(std::string_view name) const;
  // allowed: what the error names as allowed, instead of the limits.
  int64_t integer(std::string_view name, int64_t fallback, int64_t min, int64_t max,
                  std::string_view allowed = "") const;
  uint64_t seed(std::string_view name, uint64_t fallback) const;
  double number(std::string_view name, double fallback, double min, double max) const;
  // Throws Error for a given value that is not in `allowed`; `fallback` is not checked.
  std::string choice(std::string_view name, std::string_view fallback,
                     const std::vector<std::string>& allowed) const;
  // Several values with commas between them, each checked as in choice(). Empty: the option is not
  // given.
  std::vector<std::string> choices(std::string_view name,
                                   const std::vector<std::string>& allowed) const;

 private:
  std::string place(std::string_view name) const;
  void check_choice(std::string_view name, const std::string& value,
                    const std::vector<std::string>& allowed) const;

  std::string command_;
  bool help_ = false;
  std::map<std::string, std::string, std::less<>> values_;  // a flag has "true"
  std::map<std::string, std::vector<std::string>, std::less<>> repeated_;
};

}  // namespace attn
