// SPDX-License-Identifier: GPL-3.0-or-later
// use_session(): what the programs do with a session once it is read, without a window.
#pragma once

#include <filesystem>

#include "engine/session/session_file/session_file.h"

namespace attn::fuzz {

// Uses a session as the programs do, then saves it and opens it again. `scratch`: a file that may
// be written. Throws std::logic_error where a result cannot be right.
void use_session(const Session& session, const std::filesystem::path& scratch);

}  // namespace attn::fuzz
