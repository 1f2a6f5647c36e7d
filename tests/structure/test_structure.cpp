// SPDX-License-Identifier: GPL-3.0-or-later
// Applies the rules of checks.h to the files of the project on disk. Also that documents link to
// files that exist, and that each picture is shown somewhere.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/structure/checks.h"

namespace attn::structure {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ATTN_SOURCE_DIR;

bool is_made(const std::string& path) {
  static const std::set<std::string> roots{".git", "build", "out", ".cache",
                                           "compile_commands.json"};
  return roots.contains(path) || fs::path(path).filename() == "__pycache__" ||
         fs::path(path).extension() == ".user";
}

struct File {
  std::string path;  // relative to the root
  std::string text;
};

bool is_text(const fs::path& path) {
  static const std::set<std::string> data{".safetensors", ".png", ".svg", ".gguf",
                                          ".npy",         ".ico", ".bin"};
  return !data.contains(path.extension().string());
}

const std::vector<File>& files() {
  static const std::vector<File> all = [] {
    std::vector<File> found;
    for (fs::recursive_directory_iterator it(kRoot), end; it != end; ++it) {
      const std::string path = fs::relative(it->path(), kRoot).generic_string();
      if (is_made(path)) {
        if (it->is_directory()) it.disable_recursion_pending();
        continue;
      }
      if (!it->is_regular_file()) continue;
      File file{path, {}};
      if (is_text(it->path())) {
        std::ifstream in(it->path(), std::ios::binary);
        file.text.assign(std::istreambuf_iterator<char>(in), {});
      }
      found.push_back(std::move(file));
    }
    std::sort(found.begin(), found.end(),
              [](const File& a, const File& b) { return a.path < b.path; });
    return found;
  }();
  return all;
}

std::vector<std::string> paths() {
  std::vector<std::string> all;
  for (const File& file : files()) all.push_back(file.path);
  return all;
}

void expect_none(Problems (*check)(std::string_view, std::string_view)) {
  for (const File& file : files()) {
    if (!is_text(file.path)) continue;
    for (const std::string& problem : check(file.path, file.text)) ADD_FAILURE() << problem;
  }
}

TEST(Structure, TheTreeIsRead) {
  const auto has = [](std::string_view path) {
    return std::any_of(files().begin(), files().end(),
                       [&](const File& file) { return file.path == path; });
  };
  EXPECT_TRUE(has("engine/core/error.h"));
  EXPECT_TRUE(has("gui/bridge/engine_bridge.h"));
  EXPECT_TRUE(has("tests/structure/checks.cpp"));
  EXPECT_FALSE(has(".git/HEAD"));
}

TEST(Structure, IncludesFollowTheArrows) {
  expect_none(check_includes);
}
TEST(Structure, LinksFollowTheArrows) {
  expect_none(check_links);
}
TEST(Structure, EveryFileNamesItsLicence) {
  expect_none(check_spdx);
}
TEST(Structure, FilesStaySmall) {
  expect_none(check_size);
}
TEST(Structure, RoomsStaySmall) {
  for (const std::string& problem : check_rooms(paths())) ADD_FAILURE() << problem;
}
TEST(Structure, EveryKernelHasATestAndABenchOfItsStem) {
  ASSERT_GE(std::ranges::count_if(paths(), is_kernel), 15);
  for (const std::string& problem : check_kernels(paths())) ADD_FAILURE() << problem;
  for (const std::string& problem : check_kernel_exceptions(paths())) ADD_FAILURE() << problem;
}
TEST(Structure, EverySourceForSeveralInstructionSetsIsAKernel) {
  expect_none(check_vector_source);
}
TEST(Structure, NothingOfOneMachine) {
  expect_none(check_portable);
}
TEST(Structure, NoReferenceOutlivesItsJson) {
  expect_none(check_dangling);
}
TEST(Structure, NoSourceIsListedTwice) {
  expect_none(check_sources);
}
TEST(Structure, NamesOfOneTargetDiffer) {
  size_t read = 0;
  for (const File& list : files()) {
    if (fs::path(list.path).filename() != "CMakeLists.txt") continue;
    for (const std::vector<std::string>& patterns : sources_of_commands(list.text)) {
      std::vector<std::pair<std::string, std::string>> sources;
      for (const std::string& pattern : patterns) {
        const fs::path from_root = fs::path(list.path).parent_path() / pattern;
        for (const File& file : files())
          if (fnmatch(from_root.lexically_normal().c_str(), file.path.c_str(), FNM_PATHNAME) == 0)
            sources.emplace_back(file.path, file.text);
      }
      read += sources.size();
      for (const std::string& problem : check_names(list.path, sources)) ADD_FAILURE() << problem;
    }
  }
  EXPECT_GE(read, 500u);
}
TEST(Structure, GeneralCodeNamesNoView) {
  std::vector<std::string> names;
  for (const File& file : files())
    if (file.path.starts_with("gui/views/"))
      for (std::string& name : view_names_in(file.text)) names.push_back(std::move(name));
  ASSERT_GE(names.size(), 20u);
  for (const File& file : files())
    for (const std::string& problem : check_views_unnamed(file.path, file.text, names))
      ADD_FAILURE() << problem;
}
TEST(Structure, EveryRequiredModuleOfQtIsLinked) {
  std::string all;
  for (const File& file : files())
    if (fs::path(file.path).filename() == "CMakeLists.txt") all += file.text;
  const std::vector<std::string> modules = qt_modules_of(all);
  ASSERT_GE(modules.size(), 3u);
  for (const std::string& module : modules)
    EXPECT_NE(all.find("Qt6::" + module), std::string::npos) << module << " is linked nowhere";
}
TEST(Structure, NoMarksOfUnfinishedWork) {
  expect_none(check_finished);
}

TEST(Structure, EveryFolderOfEngineBackendsAndGuiHasItsArrows) {
  std::set<std::string> parts;
  for (const File& file : files()) {
    const std::string part = part_of(file.path);
    const bool held = part.rfind("engine/", 0) == 0 || part.rfind("backends/", 0) == 0 ||
                      part.rfind("gui/", 0) == 0;
    if (held) parts.insert(part);
  }
  ASSERT_GE(parts.size(), 10u);
  for (const std::string& part : parts)
    EXPECT_TRUE(has_arrows(part)) << part << " is not in the table of checks.cpp";
}

TEST(Structure, TheRootFolderHoldsTheAllowedEntriesOnly) {
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot)) {
    for (const std::string& problem : check_top_level(entry.path().filename().string()))
      ADD_FAILURE() << problem;
  }
}

TEST(Structure, LinksInTheDocumentsExist) {
  for (const File& file : files()) {
    if (fs::path(file.path).extension() != ".md") continue;
    for (const std::string& link : local_links(file.text)) {
      EXPECT_TRUE(fs::exists((kRoot / file.path).parent_path() / link))
          << file.path << " names " << link;
    }
  }
}

TEST(Structure, BehavioursOfTheOriginalsNameCodeAndTestsThatExist) {
  std::set<std::string> paths, tests;
  std::vector<Behaviour> rows;
  for (const File& file : files()) {
    paths.insert(file.path);
    if (file.path == "docs/backends.md") rows = behaviours_of(file.text);
    if (file.path.rfind("tests/", 0) == 0 && fs::path(file.path).extension() == ".cpp")
      tests.merge([&] {
        const std::vector<std::string> found = tests_in(file.text);
        return std::set<std::string>(found.begin(), found.end());
      }());
    if (file.path == "engine/kernels/fault.h" || file.path == "engine/attention/fault.h")
      for (const std::string& fault : faults_in(file.text)) tests.insert(fault);
  }
  size_t held = 0;
  for (const Behaviour& row : rows) {
    for (const std::string& path : row.code)
      EXPECT_TRUE(paths.contains(path)) << row.what << " names " << path;
    for (const std::string& test : row.tests)
      EXPECT_TRUE(tests.contains(test) || fs::is_directory(kRoot / test))
          << row.what << " names " << test;
    held += row.code.empty() || row.tests.empty() ? 0 : 1;
  }
  EXPECT_GE(held, 80u);
}

TEST(Structure, EveryPictureIsShownSomewhere) {
  std::set<fs::path> shown;
  for (const File& file : files()) {
    if (fs::path(file.path).extension() != ".md") continue;
    for (const std::string& link : local_links(file.text)) {
      shown.insert((fs::path(file.path).parent_path() / link).lexically_normal());
    }
  }
  for (const File& file : files()) {
    if (file.path.rfind("docs/images/", 0) == 0 && fs::path(file.path).extension() == ".png") {
      EXPECT_TRUE(shown.contains(file.path)) << file.path << " is shown by no document";
    }
  }
}

}  // namespace
}  // namespace attn::structure
