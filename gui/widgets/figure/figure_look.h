// SPDX-License-Identifier: GPL-3.0-or-later
// What a figure has besides its cells, and how large a page is. Any thread.
#pragma once

#include <QSize>
#include <optional>

namespace attn::gui {

struct FigureLook {
  bool title = true, legend = true, sums = true;
  bool selection = true;   // what is selected is marked
  bool all_heads = false;  // as a grid
  // All layers with the same tokens for rows and keys as the shown layer. In a picture only
  // together with all_heads.
  bool all_layers = false;
  bool operator==(const FigureLook&) const = default;
};

struct PageSetup {
  std::optional<QSize> fits;       // largest size, logical pixels
  std::optional<double> width_mm;  // as wide as this
  // Pixels per inch of a PNG; nullopt: the scale of the export, marked as 300 dpi.
  std::optional<int> dpi;
};

inline constexpr double kPixelsPerMm = 96 / 25.4;  // logical pixels

}  // namespace attn::gui
