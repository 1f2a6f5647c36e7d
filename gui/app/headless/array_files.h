// SPDX-License-Identifier: GPL-3.0-or-later
// Writes what `run` puts into the folder of its report as arrays: the numbers of views, and
// queries, keys and values of a request. GUI thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"
#include "gui/widgets/view.h"

namespace attn::gui {

inline constexpr const char* kQkvFile = "qkv.safetensors";

// Writes the array of each view that has one, in each of these formats. Returns the file names.
std::vector<std::string> write_arrays(const std::vector<View*>& views,
                                      const std::vector<std::string>& formats,
                                      const FilePath& folder);
// Writes kQkvFile: queries, keys and values of the shown request, or else of the first. The run
// must have a request. Returns the error if it is kNotSupported and throws other errors.
// nullopt: the file is written.
std::optional<Error> write_qkv(const EngineBridge& bridge, const Selection& selection,
                               const std::filesystem::path& folder);

}  // namespace attn::gui
