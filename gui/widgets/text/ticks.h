// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of an axis, a ruler or a colour bar, and numbers as text. Any thread.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

// The smallest of 1, 2, 5 x 10^n that is >= value (value > 0).
double nice_step(double value);
// The multiples of a nice step within [low, high], at most `max_count` of them (>= 2). `low` alone
// when high == low; empty when high < low or not finite.
std::vector<double> nice_ticks(double low, double high, int max_count);
// The powers of ten within [low, high], thinned evenly to at most `max_count` (>= 2). low > 0.
std::vector<double> log_ticks(double low, double high, int max_count);
// How many units lie between two labels that are at least `min_pixels` apart: 1, 2, 5, 10, ...
int64_t label_every(double pixels_per_unit, double min_pixels);

// "0.25": as many decimals as the first digit of `step` needs, such as two for 0.05, and one more
// if `step` has further digits, such as two for 0.15.
QString format_tick(double value, double step);
// A number with up to `digits` significant digits, but with all digits before the decimal point.
// Sizes below 0.0001 (except 0) or from 10,000,000 on have an exponent.
QString format_number(double value, int digits = 4);
// A probability: "12.3%", below 1% "0.25%", below 0.01% "<0.01%", and "0" for 0 itself.
QString format_probability(double share);
// "12,345"
QString format_count(int64_t value);
// counted(n, tr("1 step"), tr("%1 steps")): the first text for 1, else the second with the number.
QString counted(int64_t count, const QString& one, const QString& many);
// "850 ns", "1.25 µs", "3.4 ms", "2 s"
QString format_duration_ns(double nanoseconds, int digits = 3);
// "1.5 KiB", "64 MiB"
QString format_bytes(double bytes);

struct RulerTick {
  double value = 0;  // content units
  double pixel = 0;
  QString label;
};
// The ticks of the visible part of an axis, at least `min_pixels` apart.
std::vector<RulerTick> ruler_ticks(const CanvasAxis& axis, double min_pixels,
                                   const std::function<QString(double value, double step)>& label);
// A tick of a ruler with its unit. The unit is chosen by the step, so all ticks have the same.
QString format_time_tick_ns(double nanoseconds, double step_ns);

}  // namespace attn::gui
