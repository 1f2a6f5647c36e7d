// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario that shows the user's tensors: which of some files are queries, keys and values, how
// their axes lie, how many requests and blocks they need. Any thread.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "engine/session/scenario.h"

namespace attn {

// Whether a file of this name is one that tensor_scenario() reads.
bool is_tensor_file(const std::filesystem::path& file);

// files: one .safetensors, or .npy files whose names tell query, key and value ("q", "query",
// "queries", ... as a word of the name: q.npy, layer3_key.npy); numbers in the names are layers.
// One .npy file or one folder stands for the files beside it or in it that belong together. Axes
// are taken for heads before tokens unless only the other way fits. Where there are not as many
// keys as queries, the keys are taken for an encoder's: cross attention. Paths in the result are
// absolute. Throws Error(kBadInput) that names what is missing.
Scenario tensor_scenario(std::span<const std::filesystem::path> files);

// What a program is asked to open: the name of a shipped scenario, a scenario's file, or a file or
// folder of tensors. Throws Error(kBadInput).
Scenario open_scenario(std::string_view name_or_file);

}  // namespace attn
