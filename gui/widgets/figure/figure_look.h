// SPDX-License-Identifier: GPL-3.0-or-later
// What a figure shows, and the size and dpi of an exported picture. Any thread.
#pragma once

#include <QSize>
#include <QString>
#include <cstdint>
#include <optional>
#include <utility>

namespace attn::gui {

inline constexpr int kMostTitle = 200;  // characters of FigureLook::own_title

struct FigureLook {
  bool title = true, legend = true, sums = true;
  bool selection = true;   // what is selected is marked
  bool all_heads = false;  // the figure has all heads; a picture has them as a grid
  // The figure has all layers whose query rows and keys are the same tokens as those of the shown
  // layer. A picture has them only if all_heads is set, too.
  bool all_layers = false;
  QString own_title = {};  // in place of the automatic title; empty: the automatic one
  // The first and the last position of the text that the figure shows; nullopt: all. Views with
  // View::figure_positions() know it.
  std::optional<std::pair<int64_t, int64_t>> positions = {};
  // The title of a figure; empty: it has none.
  QString title_or(const QString& automatic) const {
    if (!title) return {};
    return own_title.isEmpty() ? automatic : own_title;
  }
  bool operator==(const FigureLook&) const = default;
};

struct PageSetup {
  std::optional<QSize> fits;       // the picture is scaled to just fit this, logical pixels
  std::optional<double> width_mm;  // the width of the picture; `fits` then does not count
  // Pixels per inch of a PNG; nullopt: the scale of the export says how many pixels there are per
  // 1/96 inch.
  std::optional<int> dpi;
};

inline constexpr double kLeastFigureMm = 20, kMostFigureMm = 1000;  // mm, of PageSetup::width_mm
inline constexpr double kPixelsPerMm = 96 / 25.4;                   // logical pixels

}  // namespace attn::gui
