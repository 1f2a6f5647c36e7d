// SPDX-License-Identifier: GPL-3.0-or-later
// TensorSource: queries, keys and values of the user's own model, read from files. Row (sequence,
// position) of the tensors is the token of that number, so a prompt computed in parts, recomputed
// after a preemption or decoded token by token uses the rows that belong to its positions. Nothing
// is sampled: behind position p of a sequence comes position p + 1, and behind the last one the
// end. In cross attention keys and values are the encoder's and may be more or fewer than the
// queries; else every token needs all three.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "engine/model/source.h"
#include "engine/model/tensor_spec.h"

namespace attn {

// What the headers of the files say, before any element is read.
struct TensorShapes {
  int64_t layers = 0, sequences = 0, num_heads = 0, num_kv_heads = 0;
  int64_t tokens = 0;  // of each sequence
  int64_t key_tokens =
      0;  // the encoder's, of each sequence; as many as tokens without cross attention
  int64_t head_size = 0;
  int64_t bytes = 0;  // of all layers in memory, as f32
};

// folder: what relative paths are relative to. where: the place of `spec` in its scenario, for
// errors. Both throw Error(kBadInput) for files that do not exist, cannot be read or do not fit
// each other.
TensorShapes read_tensor_shapes(const TensorSpec& spec, const std::filesystem::path& folder,
                                const std::string& where, bool is_cross = false);
// progress: called with 0..1; false cancels, Error(kCancelled).
std::unique_ptr<Source> load_tensor_source(const TensorSpec& spec,
                                           const std::filesystem::path& folder,
                                           const std::string& where, bool is_cross,
                                           const std::function<bool(double)>& progress = {});

}  // namespace attn
