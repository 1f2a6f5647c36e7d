// SPDX-License-Identifier: GPL-3.0-or-later
// The running softmax of one row as a small table beside the tiles. GUI thread.
#pragma once

#include "gui/views/tiles/tiles_painter.h"

namespace attn::gui {

void paint_softmax_panel(QPainter& painter, const TilesScene& scene, const QRectF& bounds,
                         const PictureLook& look);
// Where the numbers of the row come from, or why there are none.
QString softmax_origin(const TilesScene& scene);
// Why nothing is rescaled, and by their titles the shipped scenarios with several tiles in a row.
QString one_tile_text();
QString softmax_sentence(const TilesScene& scene);

}  // namespace attn::gui
