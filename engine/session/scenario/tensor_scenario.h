// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the scenario that shows the user's tensors: finds out which files are queries, keys and
// values, the order of their axes, and how many requests and blocks are needed. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/synthetic/tensor_source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

// Whether tensor_scenario() reads files of this name.
bool is_tensor_file(const std::filesystem::path& file);

// What the caller knows of the tensors. tensor_scenario() finds out the rest.
struct TensorReading {
  std::optional<TensorLayout> layout;
  bool cross = false;  // true: the keys are an encoder's; false: to be found out
};
// files: one .safetensors, or .npy files whose names tell query, key and value ("q", "query",
// "queries", ... as a word of the name: q.npy, layer3_key.npy); numbers in the names are layers.
// One .npy file stands for all files beside it that belong to the same set, a folder for the set in
// it. Without a layout: heads before tokens unless only tokens before heads fits. Where there are
// not as many keys as queries, the keys are those of an encoder: cross attention. But a single
// query is taken as that of the last token: a decode step. Paths in the result are absolute. Throws
// Error(kBadInput), which names what is missing, and Error(kFailed) where the system refuses.
Scenario tensor_scenario(std::span<const std::filesystem::path> files,
                         const TensorReading& reading = {});
// Whether the tensors of a scenario have one query, that of the last token.
bool is_single_query(const Scenario& scenario);
// What the tensors of a scenario are if their axes have the other order. nullopt: they do not fit
// it, or it is unlikely: they have no axis of heads, or would have a single token.
std::optional<TensorShapes> other_reading(const Scenario& scenario);

// What tensor_scenario() chose although the files do not say it, a sentence each: the order of the
// axes where another one fits as well, a decode step, and cross attention. Empty for a scenario
// that was read from a file, because it says these things itself. Reads the headers of the files;
// errors as tensor_scenario().
std::vector<std::string> guesses_of(const Scenario& scenario);

// Opens what a program was asked to show: a shipped scenario by its name, a scenario's file, a
// model (its folder, a file of its folder such as config.json, or a GGUF file), or a file or folder
// of tensors. Throws Error(kBadInput), Error(kFailed) where the system refuses.
Scenario open_scenario(std::string_view name_or_file);

}  // namespace attn
