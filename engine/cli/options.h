// SPDX-License-Identifier: GPL-3.0-or-later
// Command line options of `attn`: --name VALUE or --name=VALUE, flags, and positional words. An
// unknown option is an error that names the nearest known one. Throws Error(kBadInput).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::cli {

struct OptionSpec {
  std::string name;   // "--model"
  std::string value;  // the kind of value, "DIR"; empty: a flag
  std::string help;
};

struct CommandSpec {
  std::string name;                     // "generate"
  std::string summary;                  // one line
  std::vector<std::string> positional;  // required words: {"FILE"}
  std::vector<OptionSpec> options;
  std::string notes;  // printed after the options
};

std::string help_text(const CommandSpec& command);

class Options {
 public:
  // Reads the words after the command. --help and -h are always known; with them only the names of
  // the other options are checked.
  Options(const CommandSpec& command, const std::vector<std::string>& words);

  bool help() const { return help_; }
  const std::string& positional(size_t index) const { return positional_[index]; }
  bool has(std::string_view name) const { return values_.contains(std::string(name)); }
  std::optional<std::string> text(std::string_view name) const;
  std::string required_text(std::string_view name) const;
  // allowed: text for the error in place of the limits.
  int64_t integer(std::string_view name, int64_t fallback, int64_t min, int64_t max,
                  std::string_view allowed = "") const;
  uint64_t seed(std::string_view name, uint64_t fallback) const;
  double number(std::string_view name, double fallback, double min, double max) const;
  // One of `allowed`; any other value is an error that names the nearest.
  std::string choice(std::string_view name, std::string_view fallback,
                     const std::vector<std::string>& allowed) const;

 private:
  std::string command_;
  bool help_ = false;
  std::map<std::string, std::string> values_;
  std::vector<std::string> positional_;
};

// Reads a whole plain file. Throws Error(kBadInput) with path and reason where it is missing, a
// folder, a device or too large, Error(kFailed) where the system refuses.
std::string read_file(const std::filesystem::path& file, uint64_t most_bytes = uint64_t{100} << 20);

}  // namespace attn::cli
