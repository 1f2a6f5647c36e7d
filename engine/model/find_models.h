// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the models in a folder: model folders of Hugging Face (with a config.json that has a
// model_type) and GGUF files. Reads names and config files, no weights. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace attn {

struct FoundModels {
  std::vector<std::filesystem::path> models;  // sorted; of a split GGUF model the first file
  int64_t closed_folders = 0;                 // folders that could not be read
  bool all = true;                            // false: a limit was reached, or `go_on` said no
};

inline constexpr size_t kMostFoundModels = 2000;
inline constexpr int64_t kMostFoundNames = 500'000;  // files and folders that are looked at
inline constexpr int kMostFoundDepth = 8;            // folders below folders

// Looks into `folder` and the folders below it, but not into a model folder, nor into folders that
// are symbolic links or hidden. `go_on` is called for every folder; false ends the search.
FoundModels find_models(const std::filesystem::path& folder,
                        const std::function<bool()>& go_on = {});

// Folders of this user in which other programs keep models, where they exist: the cache of
// Hugging Face ($HF_HUB_CACHE, $HF_HOME/hub or $XDG_CACHE_HOME/huggingface/hub), of llama.cpp
// ($LLAMA_CACHE or $XDG_CACHE_HOME/llama.cpp) and of LM Studio (~/.lmstudio/models).
std::vector<std::filesystem::path> model_places();

// The name of a model for people: "openai-community/gpt2" for a snapshot in the cache of Hugging
// Face, otherwise the name of the folder or file.
std::string model_label(const std::filesystem::path& path);

// A number of parameters for people, to be written with so many decimals: 1.10 billion, 15.2
// million; less than a million is the whole number.
enum class CountUnit { kOne, kMillions, kBillions };
struct RoundedCount {
  double value;
  int decimals;
  CountUnit unit;
};
RoundedCount rounded_parameters(int64_t count);

}  // namespace attn
