// SPDX-License-Identifier: GPL-3.0-or-later
// What a figure for a paper has besides its cells, and how large a page is. Any thread.
#pragma once

#include <QSize>
#include <optional>

namespace attn::gui {

struct FigureLook {
  bool title = true, legend = true, sums = true;
  bool selection = true;   // what is selected is marked, as in the window
  bool all_heads = false;  // all heads of the layer, as a grid, in place of one
  // All layers whose rows and keys are the same tokens as those of the shown layer, in place of
  // this one. A picture has them only together with all heads.
  bool all_layers = false;
  bool operator==(const FigureLook&) const = default;
};

// The size of exported pictures. Nothing: as large as the view needs.
struct PageSetup {
  std::optional<QSize> fits;       // as large as fits into this, logical pixels
  std::optional<double> width_mm;  // as wide as this
  // Pixels per inch of a PNG; nothing: the scale of the export, and 300 are written into the file.
  std::optional<int> dpi;
};

inline constexpr double kPixelsPerMm = 96 / 25.4;  // logical pixels

}  // namespace attn::gui
