// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the tree as functions over one file: path and text in, sentences about what is wrong
// out. Paths are relative to the project's root, with '/'. They know nothing of the disk, so a test
// can seed them with bad samples.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn::structure {

using Problems = std::vector<std::string>;

// What an #include line names, and the line it stands on (from 1).
struct Include {
  std::string path;
  bool angled = false;
  int line = 0;
};
std::vector<Include> includes_of(std::string_view source);

// The part of the tree a file belongs to: "engine/cache", "backends/reference", "gui/views/blocks",
// "tests", ... Empty for files of the top level.
std::string part_of(std::string_view path);
// The parts that `part` may include and link, itself not listed. Parts that are not in the table
// (tests, bench) may use everything.
bool has_arrows(std::string_view part);
bool arrow_allowed(std::string_view from, std::string_view to);

// C++ sources: includes along the arrows only; no Qt under engine and backends; no Widgets under
// gui/models and gui/bridge.
Problems check_includes(std::string_view path, std::string_view source);
// CMakeLists.txt of a part: links along the arrows only, no Qt module that its includes may not
// name.
Problems check_links(std::string_view path, std::string_view cmake);
// CMakeLists.txt: no command names a source twice.
Problems check_sources(std::string_view path, std::string_view cmake);
// SPDX-License-Identifier on the first line (the second after a #! or <?xml line).
Problems check_spdx(std::string_view path, std::string_view text);
// .h and .cpp: at most kMaxLines lines.
inline constexpr int kMaxLines = 650;
Problems check_size(std::string_view path, std::string_view text);
// No path of one person's machine, no host of a package registry.
Problems check_portable(std::string_view path, std::string_view text);
// No unfinished work left behind.
Problems check_finished(std::string_view path, std::string_view text);
// The name of an entry in the project's root folder.
Problems check_top_level(std::string_view name);
// Local files that a Markdown text shows or links to, as written.
std::vector<std::string> local_links(std::string_view markdown);

}  // namespace attn::structure
