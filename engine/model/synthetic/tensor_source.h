// SPDX-License-Identifier: GPL-3.0-or-later
// TensorSource: queries, keys and values of the user's own model, or of a run that was reported,
// read from files. Each row [sequence, position] of the tensors is a token of its own. The next
// token is not computed: after position p of a sequence comes position p + 1, and after the last
// position the end token. Without cross attention every token of a sequence has a query, or only
// the last one. In cross attention keys and values belong to the encoder's tokens.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engine/model/source.h"
#include "engine/model/synthetic/tensor_spec.h"

namespace attn {

// The value of `axes` in the metadata of a report's file of queries, keys and values. The values of
// `key_tokens` and, for cross attention, `query_tokens` there are the labels of a single sequence
// where the specification names no file of them. Without cross attention the source's calls have
// the relative biases of the file (stored_bias.h).
inline constexpr std::string_view kAxesOfRun = "head, token, element";

// The value of this name in the metadata of a report's file, valid as long as `metadata` lives.
// Empty: the file is no report's, or has no such name.
std::string_view said_of_run(const std::map<std::string, std::string>& metadata,
                             const std::string& name);

// What the headers of the files say.
struct TensorShapes {
  int64_t layers = 0, sequences = 0, num_heads = 0, num_kv_heads = 0;
  int64_t tokens = 0;      // tokens of each sequence
  int64_t queries = 0;     // how many of these have a query: the last ones
  int64_t key_tokens = 0;  // encoder tokens of each sequence; `tokens` without cross attention
  int64_t head_size = 0;
  int64_t bytes = 0;  // size of all layers in memory as f32, with biases
};

// Reads the headers of the files. folder: the base of relative paths. where: the place of `spec` in
// its scenario, for error messages. This function and the next throw Error(kBadInput) for files
// that are missing, broken or do not fit each other, Error(kFailed) where the system refuses to
// read one. Any thread.
TensorShapes read_tensor_shapes(const TensorSpec& spec, const std::filesystem::path& folder,
                                const std::string& where, bool is_cross = false);
// Reads all elements. progress: called with the part that is done, from 0 to below 1; when it
// returns false, Error(kCancelled) is thrown.
std::unique_ptr<Source> load_tensor_source(const TensorSpec& spec,
                                           const std::filesystem::path& folder,
                                           const std::string& where, bool is_cross,
                                           const std::function<bool(double)>& progress = {});

}  // namespace attn
