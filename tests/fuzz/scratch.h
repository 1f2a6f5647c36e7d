// SPDX-License-Identifier: GPL-3.0-or-later
// The folder into which inputs are written, because the readers take files.
#pragma once

#include <filesystem>

#include "tests/engine/session/session_support.h"

namespace attn::fuzz {

// Made at the first call, removed when the program ends.
const std::filesystem::path& scratch_folder();

}  // namespace attn::fuzz
