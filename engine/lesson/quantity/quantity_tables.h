// SPDX-License-Identifier: GPL-3.0-or-later
// The three parts of the list of quantities; each is the table of a file quantity_*.cpp.
#pragma once

#include <span>

#include "engine/lesson/quantity/quantity.h"

namespace attn::lesson {

std::span<const Quantity> attention_quantities();  // weights, scores, rows, heads
std::span<const Quantity> cache_quantities();      // of the paged cache
std::span<const Quantity> run_quantities();        // of the run and its source

}  // namespace attn::lesson
