// SPDX-License-Identifier: GPL-3.0-or-later
// The arrays that `run` writes into the folder of its report: weights, and queries, keys and
// values. GUI thread.
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

// Writes the arrays of those views that have one, in these formats. Returns the names of the files.
std::vector<std::string> write_arrays(const std::vector<View*>& views,
                                      const std::vector<std::string>& formats,
                                      const FilePath& folder);
// Writes kQkvFile: the queries, keys and values of the shown request at the end of the run, which
// has at least one request. Returns why the run does not have them; nullopt: they are written.
// Throws as write_query_key_value() for other reasons.
std::optional<Error> write_qkv(const EngineBridge& bridge, const Selection& selection,
                               const std::filesystem::path& folder);

}  // namespace attn::gui
