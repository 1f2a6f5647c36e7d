// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the list of quantities, each in a file of its own.
#pragma once

#include <span>

#include "engine/lesson/quantity/quantity.h"

namespace attn::lesson {

std::span<const Quantity> attention_quantities();  // weights, scores, rows, heads
std::span<const Quantity> cache_quantities();      // blocks, slots, copies, hits, bytes
std::span<const Quantity> run_quantities();        // requests, steps, times, work, shape

}  // namespace attn::lesson
