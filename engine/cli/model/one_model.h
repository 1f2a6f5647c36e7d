// SPDX-License-Identifier: GPL-3.0-or-later
// What `attn generate` and `attn explore` have in common: a model on the command line that
// continues a text.
#pragma once

#include "engine/core/error.h"
#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn::cli {

// Does what fit_to_model() does, but throws Error(kBadInput) for an encoder, naming the option
// --model of `command`.
void fit_to_text(const char* command, Scenario& scenario, const SourceShape& shape);
// Returns `error`; where a backend refuses the head size, the result also says what can be done
// about that on the command line.
Error with_head_size_options(const Error& error);

}  // namespace attn::cli
