// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/find_models.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/files/folder_names.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// Whether the folder's config.json has a model_type. A config.json that cannot be read or parsed
// counts as a model's, too, so that the list of models can say what is wrong with it.
bool is_model_folder(const fs::path& folder) {
  try {
    auto config =
        parse_json(read_text_file(folder / "config.json", kMostConfigBytes), "config.json",
                   {.max_bytes = kMostConfigBytes, .max_values = kMostConfigValues});
    const TakenApart apart(config);
    return config.is_object() && config.contains("model_type");
  } catch (const Error&) {
    return true;
  }
}

// Whether this is the name of a file of a split GGUF model that is not its first file.
bool is_later_part(const std::string& name) {
  static const std::regex part("-(\\d{5})-of-\\d{5}\\.gguf$");
  std::smatch match;
  return std::regex_search(name, match, part) && match[1] != "00001";
}

class Search {
 public:
  explicit Search(const std::function<bool()>& go_on) : go_on_(go_on) {}

  void look_into(const fs::path& folder, int depth) {
    if (go_on_ && !go_on_()) stop();
    if (stopped_) return;
    std::vector<std::string> names;
    if (for_each_name(folder, [&](const char* name) {
          if (names_++ < kMostFoundNames) names.emplace_back(name);
        }))
      ++found.closed_folders;
    if (names_ > kMostFoundNames) stop();
    for (const std::string& name : names) {
      std::error_code failure;  // is_directory() follows links; its error is not looked at
      if (fs::path(name).extension() == ".gguf" && !is_later_part(name) &&
          !fs::is_directory(folder / name, failure))
        add(folder / name);
    }
    if (std::ranges::find(names, "config.json") != names.end() && is_model_folder(folder))
      return add(folder);
    for (const std::string& name : names) {
      if (stopped_) return;
      std::error_code failure;  // its error is not looked at: such a folder is left out
      const bool is_folder =
          name.front() != '.' &&
          fs::symlink_status(folder / name, failure).type() == fs::file_type::directory;
      if (is_folder && depth == kMostFoundDepth)
        found.all = false;
      else if (is_folder)
        look_into(folder / name, depth + 1);
    }
  }

  FoundModels found;

 private:
  void add(fs::path path) {
    if (found.models.size() == kMostFoundModels) return stop();
    found.models.push_back(std::move(path));
  }
  void stop() {
    found.all = false;
    stopped_ = true;
  }

  const std::function<bool()>& go_on_;
  int64_t names_ = 0;
  bool stopped_ = false;
};

// The value of an environment variable; empty if it is not set.
fs::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}
fs::path below(const fs::path& folder, const char* name) {
  return folder.empty() ? folder : folder / name;
}

}  // namespace

FoundModels find_models(const fs::path& folder, const std::function<bool()>& go_on) {
  Search search(go_on);
  search.look_into(folder, 0);
  std::ranges::sort(search.found.models);
  return std::move(search.found);
}

std::vector<fs::path> model_places() {
  const fs::path home = variable("HOME");
  fs::path cache = variable("XDG_CACHE_HOME");
  if (cache.empty()) cache = below(home, ".cache");
  // From each list, the first absolute path of a folder that exists is taken.
  const std::vector<std::vector<fs::path>> programs = {
      {variable("HF_HUB_CACHE"), below(variable("HF_HOME"), "hub"),
       below(cache, "huggingface/hub")},
      {variable("LLAMA_CACHE"), below(cache, "llama.cpp")},
      {below(home, ".lmstudio/models")}};
  std::vector<fs::path> places;
  for (const auto& candidates : programs)
    for (const fs::path& folder : candidates) {
      std::error_code failure;
      if (!folder.is_absolute() || !fs::is_directory(folder, failure)) continue;
      places.push_back(folder);
      break;
    }
  return places;
}

std::string model_label(const fs::path& path) {
  const fs::path snapshots = path.parent_path();
  const std::string repository = snapshots.parent_path().filename().string();
  constexpr std::string_view kBegin = "models--";
  if (snapshots.filename() != "snapshots" || !repository.starts_with(kBegin))
    return path.filename().string();
  // Two hyphens stand for the slash between the owner and the name.
  std::string label = repository.substr(kBegin.size());
  if (const size_t between = label.find("--"); between != std::string::npos)
    label.replace(between, 2, "/");
  return label;
}

RoundedCount rounded_parameters(int64_t count) {
  const auto number = static_cast<double>(count);
  if (count >= 1'000'000'000) return {number * 1e-9, 2, CountUnit::kBillions};
  if (count >= 1'000'000) return {number * 1e-6, 1, CountUnit::kMillions};
  return {number, 0, CountUnit::kOne};
}

}  // namespace attn
