// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the data that is shipped with the program, models, and the files that a scenario reads.
// Declared in scenario.h and model_files.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/files/folder_names.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/model/files/gguf.h"
#include "engine/session/scenario/model_files.h"
#include "engine/session/scenario/scenario.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

bool holds_assets(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "scenarios", ignored);
}

std::vector<fs::path> candidate_folders() {
  std::vector<fs::path> folders;
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (!failure) {
    const fs::path beside = program.parent_path();
    folders.push_back(beside / "assets");
    folders.push_back(beside.parent_path() / "share/attention-workbench");
    // For a build folder inside the source tree, such as build/release/bin.
    fs::path up = beside.parent_path();
    for (int level = 0; level < 4; ++level, up = up.parent_path()) folders.push_back(up / "assets");
  }
  return folders;
}

bool is_bare_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == std::string_view::npos;
}

[[noreturn]] void not_found(const char* kind, std::string_view name_or_path,
                            const std::vector<std::string>& names, std::string_view or_what) {
  std::error_code failure;
  const fs::path path(name_or_path);
  const bool is_name = is_bare_name(name_or_path) || name_or_path.empty();
  const bool is_folder = fs::is_directory(path, failure), is_there = fs::exists(path, failure);
  // The path may contain a shipped name with a typo, such as look-first.json.
  const std::string stem = path.filename().string().substr(0, path.filename().string().find('.'));
  const std::string near = nearest_match(is_name ? std::string(name_or_path) : stem, names);
  throw_bad_input({.what = is_name     ? fmt::format("there is no such {}", kind)
                           : is_folder ? fmt::format("a folder is not a {}", kind)
                           : is_there  ? fmt::format("a file is not a {}", kind)
                                       : fmt::format("the file of the {} is missing", kind),
                   .where = is_name ? kind : std::string(name_or_path),
                   .found = is_name ? quote_text(name_or_path) : found_at(path),
                   .allowed = fmt::format("{}, {}", fmt::join(names, ", "), or_what),
                   .advice = near.empty() ? "" : fmt::format("Did you mean `{}`?", near)});
}

}  // namespace

fs::path assets_folder() {
  if (const char* chosen = std::getenv("ATTN_ASSETS"); chosen && *chosen) {
    if (!holds_assets(chosen)) {
      throw_bad_input({.what = "this folder does not hold the program's data",
                       .where = "ATTN_ASSETS",
                       .found = chosen,
                       .allowed = "a folder with scenarios/ and models/",
                       .advice = "Correct or unset the environment variable ATTN_ASSETS"});
    }
    return chosen;
  }
  const std::vector<fs::path> folders = candidate_folders();
  for (const fs::path& folder : folders) {
    if (holds_assets(folder)) return folder;
  }
  std::vector<std::string> searched;
  for (const fs::path& folder : folders) searched.push_back(folder.string());
  throw_bad_input({.what = "the program's data is not installed",
                   .where = "assets",
                   .found = fmt::format("none of {}", fmt::join(searched, ", ")),
                   .allowed = "a folder with scenarios/ and models/",
                   .advice = "Set the environment variable ATTN_ASSETS to it"});
}

std::vector<std::string> shipped_models() {
  std::vector<std::string> names;
  const fs::path folder = assets_folder() / "models";
  for_each_name(folder, [&](const char* name) {
    std::error_code failure;
    if (fs::is_regular_file(folder / name / "config.json", failure)) names.emplace_back(name);
  });
  // The model of the scenario first-look comes first.
  const auto rank = [](const std::string& name) {
    return std::pair(name != "tinystories-gqa", name);
  };
  std::ranges::sort(names, {}, rank);
  return names;
}

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> names;
  for_each_name(assets_folder() / "scenarios", [&](const char* name) {
    if (const fs::path file = name; file.extension() == ".json")
      names.push_back(file.stem().string());
  });
  const std::vector<std::string> first = {"first-look", "long-prompt", "many-users"};
  const auto rank = [&](const std::string& name) {
    return std::pair(std::find(first.begin(), first.end(), name) - first.begin(), name);
  };
  std::sort(names.begin(), names.end(),
            [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
  return names;
}

fs::path find_scenario(std::string_view name_or_file, std::string_view or_what) {
  std::error_code failure;
  if (is_bare_name(name_or_file)) {
    const fs::path shipped = assets_folder() / "scenarios" / fmt::format("{}.json", name_or_file);
    if (fs::is_regular_file(shipped, failure)) return shipped;
  }
  const fs::path file(name_or_file);
  // A file that exists but cannot be opened is reported by whoever opens it.
  if (has_entry(file) && !fs::is_directory(file, failure)) return file;
  not_found("scenario", name_or_file, shipped_scenarios(), or_what);
}

bool is_shipped_model(std::string_view name) {
  std::error_code failure;
  return is_bare_name(name) &&
         fs::is_regular_file(assets_folder() / "models" / name / "config.json", failure);
}

bool is_model_path(const fs::path& path) {
  std::error_code failure;
  if (fs::is_regular_file(path / "config.json", failure)) return true;
  return fs::is_regular_file(path, failure) &&
         (path.extension() == ".gguf" || GgufFile::is_gguf(path));
}

fs::path find_model(std::string_view name_or_path) {
  std::error_code failure;
  if (is_shipped_model(name_or_path)) return assets_folder() / "models" / name_or_path;
  const fs::path path(name_or_path);
  // A folder without a config.json is reported by whoever opens it.
  if (is_model_path(path) || fs::is_directory(path, failure) ||
      (has_entry(path) && !fs::exists(path, failure)))
    return path;
  not_found("model", name_or_path, shipped_models(), "a folder with config.json, or a GGUF file");
}

fs::path model_folder(const Scenario& scenario) {
  const std::string& model = scenario.source.model;
  const fs::path beside = fs::path(scenario.origin.file).parent_path() / model;
  std::error_code failure;
  const bool is_there = is_model_path(beside) || fs::is_directory(beside, failure);
  if (!is_bare_name(model) && !beside.parent_path().empty() && is_there) return beside;
  return find_model(model);
}

std::vector<fs::path> files_of_model(const fs::path& model) {
  std::error_code failure;
  if (!fs::is_directory(model, failure)) return GgufFile::part_files(model);
  std::vector<fs::path> files;
  for_each_name(model, [&](const char* name) { files.push_back(model / name); });
  return files;
}

std::vector<fs::path> input_files(const Scenario& scenario) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(scenario.origin.file).parent_path();
  if (!scenario.origin.file.empty()) files.emplace_back(scenario.origin.file);
  if (scenario.source.reads_text())
    std::ranges::copy(files_of_model(model_folder(scenario)), std::back_inserter(files));
  if (scenario.source.tensors) {
    const TensorSpec& spec = *scenario.source.tensors;
    for (const std::string* name : {&spec.file, &spec.tokens, &spec.key_tokens})
      if (!name->empty()) files.push_back(folder / *name);
    for (const std::string* name : {&spec.query, &spec.key, &spec.value}) {
      if (name->empty()) continue;
      files.push_back(folder / name_of_layer(*name, 0));
      // The loop ends at once if the file name has no {layer}.
      for (int64_t layer = 1; layer < kMostLayers; ++layer) {
        fs::path file = folder / name_of_layer(*name, layer);
        if (file == files.back() || !has_entry(file)) break;
        files.push_back(std::move(file));
      }
    }
  }
  return files;
}

}  // namespace attn
