// SPDX-License-Identifier: GPL-3.0-or-later
// The rule that no two sources of a target have the same name in an unnamed namespace, because the
// compiler may get them together in one batch; and what it needs: the sources of a CMakeLists.txt
// and the names in a source.
#include <fmt/format.h>

#include <map>
#include <regex>
#include <sstream>

#include "tests/structure/checks.h"

namespace attn::structure {

std::vector<std::vector<std::string>> sources_of_commands(std::string_view cmake) {
  static const std::regex command("\\(([^()]*\\.cpp[^()]*)\\)");
  std::vector<std::vector<std::string>> all;
  using Matches = std::regex_iterator<std::string_view::const_iterator>;
  for (Matches at(cmake.begin(), cmake.end(), command), end; at != end; ++at) {
    std::istringstream words(at->str(1));
    std::vector<std::string>& sources = all.emplace_back();
    for (std::string word; words >> word;)
      if (word.ends_with(".cpp")) sources.push_back(word);
  }
  return all;
}

std::vector<std::string> unnamed_names(std::string_view source) {
  // The formatter leaves no indentation before what stands in a namespace.
  static const std::regex constant(
      "(?:inline )?(?:constexpr|const) [^=({\\[;]*?\\b(\\w+)(?: =|\\{|\\[).*");
  static const std::regex type("(?:class|struct|union|enum class|enum) (\\w+)\\b[^;]*(?:\\};)?");
  std::vector<std::string> names;
  std::istringstream lines{std::string(source)};
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "namespace {") inside = true;
    if (line.starts_with("}  // namespace")) inside = false;
    std::smatch match;
    if (inside && (std::regex_match(line, match, constant) || std::regex_match(line, match, type)))
      names.push_back(match[1]);
  }
  return names;
}

Problems check_names(std::string_view cmake_path,
                     const std::vector<std::pair<std::string, std::string>>& sources) {
  Problems problems;
  std::map<std::string, std::string> owners;
  for (const auto& [path, text] : sources)
    for (const std::string& name : unnamed_names(text)) {
      const auto [owner, is_new] = owners.emplace(name, path);
      if (!is_new && owner->second != path)
        problems.push_back(fmt::format("{}: {} and {} both have a name {} in an unnamed namespace",
                                       cmake_path, owner->second, path, name));
    }
  return problems;
}

}  // namespace attn::structure
