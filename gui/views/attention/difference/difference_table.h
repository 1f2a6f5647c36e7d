// SPDX-License-Identifier: GPL-3.0-or-later
// The differences of two runs as CSV, a row per cell. Any thread.
#pragma once

#include <QByteArray>

#include "gui/views/attention/difference/run_pair.h"

namespace attn::gui {

// With more queries or keys than this, only cells that both runs have, and whose |difference| is at
// least kLeastListed, are listed; else all cells that at least one run has.
inline constexpr int64_t kMostListedSide = 2048;
inline constexpr float kLeastListed = 0.001f;

QByteArray difference_csv(const RunPair& pair);

}  // namespace attn::gui
