// SPDX-License-Identifier: GPL-3.0-or-later
// What an encoder says instead of going on with a text: which words belong in the places that its
// mask hides.
#pragma once

#include <memory>

#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn::cli {

// Prints the text with the likeliest token in each hidden place, and a line of the likeliest ones
// for each place. The scenario has one request and fits the source. Throws Error(kBadInput) where
// nothing is hidden, and as explore().
void print_hidden_words(Scenario scenario, const std::shared_ptr<Source>& source);

}  // namespace attn::cli
