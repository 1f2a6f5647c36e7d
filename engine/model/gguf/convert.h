// SPDX-License-Identifier: GPL-3.0-or-later
// Converts GGUF files and Hugging Face folders to GGUF, and GGUF files to folders. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/model/quants/quantize.h"

namespace attn {

struct Converted {
  int64_t num_tensors = 0;
  uint64_t bytes = 0;              // of the tensors that were written
  double worst = 0;                // the largest difference of a number from what it was
  std::string worst_tensor;        // the tensor that has it; "": all numbers are as they were
  std::vector<std::string> notes;  // a sentence each
};

// Called with the share that is done; when it returns false, the conversion ends with
// Error(kCancelled).
using ConvertProgress = std::function<bool(double)>;

// convert_to_gguf() and convert_to_folder() check their results: a result is opened again, and its
// numbers are compared with those of the source. Where a number differs by more than its element
// type allows, they throw Error(kFailed).
//
// Writes a GGUF file from a GGUF file or from a folder of a llama, mistral, qwen2, qwen3 or t5
// model. Matrices get `type`; those whose rows are not whole blocks of it become F16; vectors are
// F32. The file gets its name after the check; after an error an old file is as it was. Errors:
// kBadInput for a source that is broken or has weights that are NaN or infinite, and as
// output_file(); kNotSupported for what is not read or cannot be written, kFailed also where the
// system refuses something.
Converted convert_to_gguf(const std::filesystem::path& from, const std::filesystem::path& to,
                          const WrittenType& type, const ConvertProgress& progress = {});
// Writes a folder with config.json, tokenizer.json and model.safetensors from a GGUF file. `type`:
// F32, F16 or BF16. `to` must not exist; the folder gets this name after the check.
Converted convert_to_folder(const std::filesystem::path& from, const std::filesystem::path& to,
                            const WrittenType& type, const ConvertProgress& progress = {});

}  // namespace attn
