// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of the source tree, as functions. Those that check one file take its path and text and
// return sentences about what is wrong. Paths are relative to the project's root and use '/'. The
// functions do not read the disk.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::structure {

using Problems = std::vector<std::string>;

// The path that an #include line names, whether in angle brackets, and the line number (from 1).
struct Include {
  std::string path;
  bool angled = false;
  int line = 0;
};
std::vector<Include> includes_of(std::string_view source);

// The part of the tree a file belongs to: "engine/cache", "backends/reference", "gui/views/blocks",
// "tests", ... Empty for files of the top level.
std::string part_of(std::string_view path);
// Whether the table of allowed dependencies has a row for the part. A part without a row (tests,
// bench) may include and link every part.
bool has_arrows(std::string_view part);
// Whether part `from` may include and link part `to`.
bool arrow_allowed(std::string_view from, std::string_view to);

// C++ sources: includes only what the table allows, without '..'; no Qt under engine and backends;
// no Widgets under gui/models and gui/bridge; Eigen only where checks.cpp allows it, and of it only
// <Eigen/Core> or, in a few parts, <Eigen/Eigenvalues>.
Problems check_includes(std::string_view path, std::string_view source);
// CMakeLists.txt of a part: links only what the table allows; engine and backends link no Qt
// module, gui/models and gui/bridge only Qt6::Core and Qt6::Gui.
Problems check_links(std::string_view path, std::string_view cmake);
// CMakeLists.txt: no command lists a .cpp file twice.
Problems check_sources(std::string_view path, std::string_view cmake);
// The .cpp files of each command of a CMakeLists.txt, as written there: names and patterns such as
// *.cpp.
std::vector<std::vector<std::string>> sources_of_commands(std::string_view cmake);
// The constants and types that a source has in unnamed namespaces.
std::vector<std::string> unnamed_names(std::string_view source);
// No two sources of a target have a constant or type of the same name in an unnamed namespace: the
// compiler may get them in one batch, and another version of CMake may make other batches.
// sources: path and text of each.
Problems check_names(std::string_view cmake_path,
                     const std::vector<std::pair<std::string, std::string>>& sources);
// The names of the views whose ViewEntry is in a source.
std::vector<std::string> view_names_in(std::string_view source);
// Outside of gui/views no C++ source of engine or gui compares a word with the name of a view or
// finds a view by it, as in == "blocks" or view("blocks"). Exceptions are in checks.cpp. names: of
// the views.
Problems check_views_unnamed(std::string_view path, std::string_view source,
                             const std::vector<std::string>& names);
// The modules of Qt that a CMakeLists.txt requires: Widgets, Svg, ...
std::vector<std::string> qt_modules_of(std::string_view cmake);
// Some kinds of files: SPDX-License-Identifier on the first line (after #! or <?xml: the second).
Problems check_spdx(std::string_view path, std::string_view text);
inline constexpr int kMaxLines = 650;
// .h and .cpp: at most kMaxLines lines.
Problems check_size(std::string_view path, std::string_view text);
inline constexpr int kMostSources = 20;
// A folder of engine, backends, gui, tests or bench holds at most kMostSources .h and .cpp files,
// not counting those in its subfolders. paths: all files of the tree.
Problems check_rooms(const std::vector<std::string>& paths);
// Whether a source is a kernel, by its folder and the lists in kernels.cpp.
bool is_kernel(std::string_view path);
// A source of engine, backends or gui that Highway compiles for several instruction sets is a
// kernel or on the list of exceptions.
Problems check_vector_source(std::string_view path, std::string_view source);
// A kernel <stem>.cpp has a test_<stem>.cpp under tests and a bench_<stem>.cpp in bench/kernels, or
// in bench/views/kernels if it is part of the window, and a source in those two has a kernel.
// paths: all files of the tree.
Problems check_kernels(const std::vector<std::string>& paths);
// Each exception in kernels.cpp fits a file of the tree.
Problems check_kernel_exceptions(const std::vector<std::string>& paths);
// No path of one person's machine, no host of a package registry.
Problems check_portable(std::string_view path, std::string_view text);
// No references bound to what json() or text() of a temporary JsonAt returns, because gcc 14 warns
// of them.
Problems check_dangling(std::string_view path, std::string_view text);
// No marks of unfinished work.
Problems check_finished(std::string_view path, std::string_view text);
// An entry of the project's root folder must be on a fixed list, begin with a dot or be made by a
// build or a tool.
Problems check_top_level(std::string_view name);
// The local files that a Markdown text shows or links to, as written there without "#...".
std::vector<std::string> local_links(std::string_view markdown);
// A row of a Markdown table with five columns, the third with the title "code", the fifth "test".
// code, tests: the words between backquotes in these columns.
struct Behaviour {
  std::string what;  // text of the first column
  std::vector<std::string> code, tests;
};
std::vector<Behaviour> behaviours_of(std::string_view markdown);
// The GoogleTest tests that a source defines: "Suite.Case", and "Suite" for each of them.
std::vector<std::string> tests_in(std::string_view source);
// The seeded faults in the list of a fault.h.
std::vector<std::string> faults_in(std::string_view source);

}  // namespace attn::structure
