// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the models in a folder: files named .gguf, and folders whose config.json has a model_type
// or cannot be read. Reads no weights. Also places to search, names and numbers for people. Any
// thread.
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
  bool all = true;                            // false: a limit or `go_on` cut the search short
};

inline constexpr size_t kMostFoundModels = 2000;
inline constexpr int64_t kMostFoundNames = 500'000;  // names of files and folders that are read
inline constexpr int kMostFoundDepth = 8;            // levels of folders below the given one

// Looks into `folder` and the folders below it, but not into the folders below a model folder, nor
// into folders below `folder` that are hidden or symbolic links. `go_on` is called for every
// folder; false ends the search.
FoundModels find_models(const std::filesystem::path& folder,
                        const std::function<bool()>& go_on = {});

// The folders in which other programs keep models of this user. Of each program's folders, the
// first that exists and has an absolute path: $HF_HUB_CACHE, $HF_HOME/hub and
// $XDG_CACHE_HOME/huggingface/hub of Hugging Face; $LLAMA_CACHE and $XDG_CACHE_HOME/llama.cpp of
// llama.cpp; ~/.lmstudio/models of LM Studio. ~/.cache stands for an $XDG_CACHE_HOME that is empty
// or not set.
std::vector<std::filesystem::path> model_places();

// The name of a model for people: "openai-community/gpt2" for a snapshot in the cache of Hugging
// Face, otherwise the name of the folder or file.
std::string model_label(const std::filesystem::path& path);

// A number of parameters for people: `value` times `unit`, to be written with `decimals` decimals,
// as in "1.10 billion" and "15.2 million". Below a million, `value` is the number itself.
enum class CountUnit { kOne, kMillions, kBillions };
struct RoundedCount {
  double value;
  int decimals;
  CountUnit unit;
};
RoundedCount rounded_parameters(int64_t count);

}  // namespace attn
