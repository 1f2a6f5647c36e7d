// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the list of quantities, each in a file of its own.
#pragma once

#include <span>

#include "engine/lesson/quantity/quantity.h"

namespace attn::lesson {

std::span<const Quantity> attention_quantities();  // weights, scores, rows, heads
std::span<const Quantity> cache_quantities();      // of the paged cache
std::span<const Quantity> run_quantities();        // of the run and its source

}  // namespace attn::lesson
