// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what an encoder takes for the likeliest tokens in the masked places of a prompt.
#pragma once

#include <memory>

#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn::cli {

// Prints the text with the likeliest token in each masked place, and a line of the likeliest ones
// for each. The scenario has one request and fits the source. Throws Error(kBadInput) if the
// tokenizer has no mask token or the prompt has none, and what explore() and own_logits() throw.
void print_hidden_words(Scenario scenario, const std::shared_ptr<Source>& source);

}  // namespace attn::cli
