// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a scenario for the user's tensors: finds which files are queries, keys and values, and the
// order of their axes. Also opens anything that a scenario can be made of. Any thread.
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

bool is_tensor_file(const std::filesystem::path& file);

struct TensorReading {
  std::optional<TensorLayout> layout;
  bool cross = false;  // true: the keys are an encoder's; false: to be found out
};
// files: one .safetensors, or .npy files whose names tell query, key and value (q.npy,
// layer3_key.npy) and can have the number of a layer. One .npy file stands for the files of its set
// beside it, a folder for the set in it. Without a layout, the order of the axes is guessed. A
// report's qkv.safetensors says the order, the scale and the rule of attention (StoredRun). If
// queries and keys differ in number, it is cross attention, but a single query is that of the last
// token, a decode step, unless `reading` or the report says cross attention. Paths in the result
// are absolute. Throws Error(kBadInput), which names what is missing, and Error(kFailed) if the
// system refuses.
Scenario tensor_scenario(std::span<const std::filesystem::path> files,
                         const TensorReading& reading = {});
// Whether the tensors of a scenario have one query, which is taken as that of the last token
// although no StoredRun says so.
bool is_single_query(const Scenario& scenario);
// The shapes if the axes have the other order. nullopt: there are no tensors, they do not fit it,
// it is unlikely, or a StoredRun says the order.
std::optional<TensorShapes> other_reading(const Scenario& scenario);

// What tensor_scenario() chose although the files do not say it, and what they say that the
// scenario does not have, a sentence each. Empty for a scenario that was read from a file. Throws
// as tensor_scenario() does.
std::vector<std::string> guesses_of(const Scenario& scenario);

// Opens what a program was asked to show: a shipped scenario or a bundled model by its name, a
// scenario's file, a model (its folder, a file of it, or a GGUF file), or a file or folder of
// tensors. Throws Error, for example kBadInput, kFailed where the system refuses, or kNotSupported
// for a model.
Scenario open_scenario(std::string_view name_or_file);

}  // namespace attn
