// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/ticks.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace attn::gui {

namespace {

struct Unit {
  double size;
  const char* name;
};
constexpr std::array<Unit, 4> kTimeUnits{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};

const Unit& time_unit(double nanoseconds) {
  const Unit* best = &kTimeUnits[0];
  for (const Unit& unit : kTimeUnits) {
    if (std::abs(nanoseconds) >= unit.size * 0.9999999) best = &unit;
  }
  return *best;
}

int decimals_of(double step) {
  if (!(step > 0)) return 0;
  const int first = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 11);
  const double digits = step * std::pow(10.0, first);
  return std::abs(digits - std::round(digits)) > 1e-6 * digits ? first + 1 : first;
}

QString significant(double value, int digits) {
  const double magnitude = value == 0 ? 0 : std::floor(std::log10(std::abs(value)));
  const int decimals = std::clamp(digits - 1 - static_cast<int>(magnitude), 0, 12);
  const QLocale locale;
  QString text = locale.toString(value, 'f', decimals);
  if (decimals > 0) {
    while (text.endsWith(locale.zeroDigit())) text.chop(1);
    if (text.endsWith(locale.decimalPoint())) text.chop(1);
  }
  return text;
}

}  // namespace

double nice_step(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-12));
  for (double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (factor * power >= value * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<double> nice_ticks(double low, double high, int max_count) {
  std::vector<double> ticks;
  if (!(high >= low) || !std::isfinite(low) || !std::isfinite(high)) return ticks;
  if (high == low) return {low};
  const double step = nice_step((high - low) / std::max(1, max_count - 1));
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> log_ticks(double low, double high, int max_count) {
  std::vector<double> ticks;
  if (!(low > 0) || !(high >= low) || !std::isfinite(high)) return ticks;
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
  const int every = std::max(1, (last - first) / std::max(1, max_count - 1) +
                                    ((last - first) % std::max(1, max_count - 1) != 0));
  for (int exponent = last; exponent >= first; exponent -= every)
    ticks.push_back(std::pow(10.0, exponent));
  std::reverse(ticks.begin(), ticks.end());
  return ticks;
}

int64_t label_every(double pixels_per_unit, double min_pixels) {
  if (!(pixels_per_unit > 0)) return 1;
  return std::max<int64_t>(1, std::llround(nice_step(min_pixels / pixels_per_unit)));
}

QString format_tick(double value, double step) {
  return QLocale().toString(value == 0 ? 0.0 : value, 'f', decimals_of(step));
}

QString format_number(double value, int digits) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-4 || size >= 1e7))
    return QLocale().toString(value, 'e', std::max(0, digits - 1));
  return significant(value, digits);
}

QString format_probability(double share) {
  if (share == 0) return QStringLiteral("0");
  const double value = 100 * share;
  if (value < 0.01) return QStringLiteral("<0.01%");
  return QLocale().toString(value, 'f', value < 1 ? 2 : 1) + QLatin1Char('%');
}

QString format_count(int64_t value) {
  return QLocale().toString(static_cast<qlonglong>(value));
}

QString counted(int64_t count, const QString& one, const QString& many) {
  return count == 1 ? one : many.arg(format_count(count));
}

QString format_duration_ns(double nanoseconds, int digits) {
  const Unit& unit = time_unit(nanoseconds);
  return significant(nanoseconds / unit.size, digits) + QLatin1Char(' ') +
         QString::fromUtf8(unit.name);
}

QString format_bytes(double bytes) {
  static constexpr std::array<const char*, 5> kNames{"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  while (std::abs(bytes) >= 1024 && unit + 1 < kNames.size()) {
    bytes /= 1024;
    ++unit;
  }
  return significant(bytes, 4) + QLatin1Char(' ') + QString::fromUtf8(kNames[unit]);
}

std::vector<RulerTick> ruler_ticks(const CanvasAxis& axis, double min_pixels,
                                   const std::function<QString(double value, double step)>& label) {
  std::vector<RulerTick> ticks;
  if (!(axis.scale > 0) || !(min_pixels > 0)) return ticks;
  const double step = nice_step(min_pixels / axis.scale);
  const double first = std::ceil(axis.visible_begin() / step - 1e-9);
  const double last = std::floor(axis.visible_end() / step + 1e-9);
  for (double i = first; i <= last; ++i) {
    const double value = i * step;
    ticks.push_back({value, axis.to_pixel(value), label(value, step)});
  }
  return ticks;
}

QString format_time_tick_ns(double nanoseconds, double step_ns) {
  // The largest unit in which the step is at least 0.1.
  const Unit& unit = time_unit(step_ns * 10);
  return format_tick(nanoseconds / unit.size, step_ns / unit.size) + QLatin1Char(' ') +
         QString::fromUtf8(unit.name);
}

}  // namespace attn::gui
