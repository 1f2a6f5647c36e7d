// SPDX-License-Identifier: GPL-3.0-or-later
// What the programs do with a session once it is read, without a window. A file that the reader
// accepts must come through all of it.
#pragma once

#include <filesystem>

#include "engine/session/session_file/session_file.h"

namespace attn::fuzz {

// Makes what `attn inspect` prints, every step of the history, tables of a report, spans at many
// zooms, and weights and operands of all heads in the first rows; then saves the session and opens
// it again. `scratch`: a file that may be written. Throws std::logic_error where a result cannot be
// right.
void use_session(const Session& session, const std::filesystem::path& scratch);

}  // namespace attn::fuzz
