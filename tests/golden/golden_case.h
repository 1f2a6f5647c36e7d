// SPDX-License-Identifier: GPL-3.0-or-later
// Golden files of attention have the form of an `attn op` input with the answer of a real library
// beside it (tests/golden/README.md). This header loads and runs one, or a whole folder of them.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/backend.h"

namespace attn::testing {

struct GoldenCase {
  std::string name;
  std::vector<std::string> backends;
  AttentionConfig config;
  AttentionMetadata metadata;
  Tensor query;                   // [T, H, D]
  Tensor key, value;              // [tokens, Hkv, D]; empty: absent
  Tensor key_cache, value_cache;  // [num_blocks, block_size, Hkv, D] f32; empty: no cache
  Tensor output;                  // [T, H, D] the library's answer
  // [T, H, D] the answer for the same operands, computed in f64; empty: the file has none.
  Tensor output_f64;
  Tensor lse;  // [T, H]
  int64_t block_size = 16;
};
GoldenCase load_golden_case(const std::filesystem::path& file);
std::vector<std::filesystem::path> golden_files(const std::string& folder);  // sorted

// Why the case is not run on `backend`, joined to one line; empty: it is run.
std::string refusal(const GoldenCase& c, const AttentionBackend& backend);

struct GoldenOutputs {
  Tensor out, lse;
};
// keys, values: if both are given and the case has a cache, its content after the call, f32
// [num_blocks, block_size, Hkv, D].
GoldenOutputs run_golden_case(const GoldenCase& c, const AttentionBackend& backend,
                              Tensor* keys = nullptr, Tensor* values = nullptr);

// Counts of run_golden_folder().
struct FolderReport {
  size_t files = 0;
  std::map<std::string, size_t> ran;                             // files, by backend
  std::map<std::string, std::map<std::string, size_t>> not_run;  // backend -> reason -> files
};
// Runs every file of tests/golden/<folder> on every backend that the file names and that can run
// it, and compares. Prints per backend how many files ran, the largest difference per dtype, and
// why others that name it did not run. Adds a GoogleTest failure where an answer differs too much.
FolderReport run_golden_folder(const std::string& folder);

}  // namespace attn::testing
