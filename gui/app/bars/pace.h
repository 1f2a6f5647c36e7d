// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of the pace slider: a logarithmic scale from 1 to 10,000 tiles per second, then one
// position for full speed. Also a pace as text.
#pragma once

#include <QString>

namespace attn::gui {

inline constexpr int kPaceSteps = 100;         // the last position; the first is 0
inline constexpr double kFastestPace = 10000;  // tiles/s at position kPaceSteps - 1

double pace_at(int position);           // tiles/s; 0: full speed
int position_of(double tiles_per_s);    // nearest position
QString pace_text(double tiles_per_s);  // "12 tiles/s", "Full speed"

}  // namespace attn::gui
