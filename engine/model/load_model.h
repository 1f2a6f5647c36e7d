// SPDX-License-Identifier: GPL-3.0-or-later
// Models from Hugging Face folders (config.json, weights in safetensors, a tokenizer) and from GGUF
// files. The model_type of the config chooses the family (engine/model/families). Configs and
// headers of the weight files are checked, and all problems reported, before the first weight is
// read. Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/files/problems.h"
#include "engine/model/model.h"

namespace attn {

// What is known of a model before the numbers of its weights are read.
struct ModelCheck {
  std::string type;   // as ConfigReader::model_type(); empty: no family was chosen
  SourceShape shape;  // zeros where the config does not give a model
  std::vector<int32_t> stop_tokens;
  std::vector<int32_t> suppressed_tokens;  // never generated; ascending, each once
  bool has_own_head = false;
  // elements of the weights; 0: they were not checked, or have a problem
  int64_t num_parameters = 0;
  int64_t stored_bytes = 0;  // bytes of the model's weights in the files
  // The element types of the weights as the files name them, such as "BF16"; first the one with the
  // most bytes.
  std::vector<std::string> element_types;
  int64_t needed_bytes = 0;  // estimate of the most memory that loading takes
  // Remarks in words, such as on what is ignored.
  std::vector<std::string> notes;
  Problems problems;
};

// Checks a folder or a GGUF file without reading the numbers of its weights. `available`: bytes of
// free memory, of which kMemoryPercent must be enough for needed_bytes.
ModelCheck check_model(const std::filesystem::path& path, int64_t available);

// The tokenizer of a folder or a GGUF file. Throws its first problem, coded as in load_model().
Tokenizer load_tokenizer(const std::filesystem::path& path);

// Loads a model. Its name is that of the folder, or that of the file without .gguf; for a snapshot
// in the cache of Hugging Face it is that of the repository, without its owner. One Error reports
// all problems that the check finds: kBadInput for a model that is broken, inconsistent or too
// large for the memory, kNotSupported for features that this program lacks, kFailed where the
// system refuses to read a file or to give memory. `progress` is called before every tensor, and
// now and then within a matrix, with the share of the weights' bytes that has been read; when it
// returns false, loading ends with kCancelled. `before_weights` is called once, with the model
// before its weights are read and the bytes that they need; what it throws is passed on.
// `most_threads`: the largest number of threads that read weights; 0: no such limit.
std::unique_ptr<Model> load_model(
    const std::filesystem::path& path, const std::function<bool(double)>& progress = {},
    const std::function<void(const Model&, int64_t needed_bytes)>& before_weights = {},
    int64_t most_threads = 0);

}  // namespace attn
