// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the source tree, as functions over one file: they take its path and text and return
// sentences about what is wrong. Paths are relative to the project's root and use '/'. The
// functions do not read the disk, so a test can pass them bad samples.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::structure {

using Problems = std::vector<std::string>;

// The path that an #include line names, and its line number (from 1).
struct Include {
  std::string path;
  bool angled = false;
  int line = 0;
};
std::vector<Include> includes_of(std::string_view source);

// The part of the tree a file belongs to: "engine/cache", "backends/reference", "gui/views/blocks",
// "tests", ... Empty for files of the top level.
std::string part_of(std::string_view path);
// arrow_allowed: whether part `from` may include and link part `to` (always true for itself). Parts
// without a row in the table (tests, bench) may use everything; has_arrows says whether there is a
// row.
bool has_arrows(std::string_view part);
bool arrow_allowed(std::string_view from, std::string_view to);

// C++ sources: includes only what the table allows; no Qt under engine and backends; no Widgets
// under gui/models and gui/bridge; Eigen only where its order of additions is allowed, and then
// only <Eigen/Core>, in .cpp files and tests.
Problems check_includes(std::string_view path, std::string_view source);
// CMakeLists.txt of a part: links only what the table allows, and no Qt module whose headers the
// part must not include.
Problems check_links(std::string_view path, std::string_view cmake);
// CMakeLists.txt: no command names a source twice.
Problems check_sources(std::string_view path, std::string_view cmake);
// SPDX-License-Identifier on the first line (the second after a #! or <?xml line).
Problems check_spdx(std::string_view path, std::string_view text);
// .h and .cpp: at most kMaxLines lines.
inline constexpr int kMaxLines = 650;
Problems check_size(std::string_view path, std::string_view text);
// A folder of engine, backends, gui, tests or bench holds at most kMostSources .h and .cpp files,
// not counting those of its folders. paths: all files of the tree.
inline constexpr int kMostSources = 20;
Problems check_rooms(const std::vector<std::string>& paths);
// No path of one person's machine, no host of a package registry.
Problems check_portable(std::string_view path, std::string_view text);
// No marks of unfinished work.
Problems check_finished(std::string_view path, std::string_view text);
// The name of an entry in the project's root folder must be on a fixed list.
Problems check_top_level(std::string_view name);
// The local files that a Markdown text shows or links to, as written there.
std::vector<std::string> local_links(std::string_view markdown);

}  // namespace attn::structure
