// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by `attn generate` and `attn explore`: fits a scenario to a model that generates text, and
// adds advice on head sizes to an error.
#pragma once

#include "engine/core/error.h"
#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn::cli {

// Like fit_to_model(), but throws Error(kBadInput) for an encoder. command: its name, for the
// message.
void fit_to_text(const char* command, Scenario& scenario, const SourceShape& shape);
// Returns `error`. If one of its sentences() names pad_head_size, adds a sentence with the options
// of the command line that help.
Error with_head_size_options(const Error& error);

}  // namespace attn::cli
