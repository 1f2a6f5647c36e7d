// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace attn {

// The files of a model: those of a folder, or a GGUF file with its other parts. They need not
// exist.
std::vector<std::filesystem::path> files_of_model(const std::filesystem::path& model);

}  // namespace attn
