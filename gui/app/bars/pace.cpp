// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/pace.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace attn::gui {

double pace_at(int position) {
  if (position >= kPaceSteps) return 0;
  const double part = std::clamp(position, 0, kPaceSteps - 1) / double(kPaceSteps - 1);
  return std::pow(kFastestPace, part);
}

int position_of(double tiles_per_s) {
  if (tiles_per_s <= 0) return kPaceSteps;
  const double part = std::log(std::clamp(tiles_per_s, 1.0, kFastestPace)) / std::log(kFastestPace);
  return static_cast<int>(std::lround(part * (kPaceSteps - 1)));
}

QString pace_text(double tiles_per_s) {
  if (tiles_per_s <= 0) return QCoreApplication::translate("Pace", "Full speed");
  return QCoreApplication::translate("Pace", "%1 tiles/s")
      .arg(QLocale().toString(tiles_per_s, 'f', tiles_per_s < 9.95 ? 1 : 0));
}

}  // namespace attn::gui
