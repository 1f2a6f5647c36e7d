// SPDX-License-Identifier: GPL-3.0-or-later
// DifferenceScene: what a picture of the differences of two runs depends on besides its tiles and
// sums, as plain data. DifferenceLayout: the positions of its parts. Any thread, but
// difference_scene(): GUI thread.
#pragma once

#include <QRectF>
#include <QSize>
#include <QString>
#include <optional>
#include <vector>

#include "gui/views/attention/difference/difference_tiles.h"
#include "gui/views/attention/difference/run_pair.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

struct DifferenceScene {
  RunPair pair;
  // For layout, labels and marks: all queries and keys of the pair. Its head has no record. A label
  // has the tokens of both runs, as in "cat / dog", where they differ.
  HeatmapScene cells;
  int64_t other_tokens = 0;  // query positions at which the runs have different tokens
  bool title = false;        // whether a title is drawn; only in exports

  bool is_empty() const { return pair.is_empty(); }
};

// before: an earlier scene, whose labels are used again if its tokens are the same; may be null.
DifferenceScene difference_scene(const RunPair& pair, const DifferenceScene* before);

// Symmetric, so that 0 is in the middle. Its ends are the largest |difference|, rounded up to two
// digits, or 1 if nothing differs.
ColorScale difference_scale(const DifferenceSums& sums);

struct DifferenceLayout {
  std::vector<QString> title, said;  // lines
  QRectF title_area, said_area;
  bool is_cut = false;  // the lines of `said` are not the whole text
  HeatmapLayout cells;
};

// In a file.
DifferenceLayout difference_layout(const DifferenceScene& scene, const DifferenceSums& sums,
                                   const QRectF& bounds);
// In the window, where the sentences take at most a part of the height. behind: true: the sums are
// not complete. least_lines: so many lines have room, so that the cells keep their place while the
// sentences change.
DifferenceLayout difference_layout(const DifferenceScene& scene, const DifferenceSums& sums,
                                   bool behind, const QRectF& bounds, size_t least_lines);
// The size of an exported picture, in logical pixels; width: the wanted width. GUI thread.
QSize difference_size(const DifferenceScene& scene, std::optional<double> width = {});

}  // namespace attn::gui
