// SPDX-License-Identifier: GPL-3.0-or-later
// Differences as colours: a diverging scale for signed ones (0 is the ground, white or near black),
// one half of it for sizes. Any thread.
#pragma once

#include <QImage>

#include "engine/session/compare/compare.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// share in [-1, 1] of the largest difference; NaN gets the colour that marks NaN.
QColor difference_color(double share, const PictureLook& look);

// The map on width x height pixels, each pixel the largest |difference| of the cells under it;
// with more pixels than cells every cell is a rectangle. Masked cells are left transparent.
QImage difference_image(const DifferenceMap& map, float largest, int width, int height,
                        const PictureLook& look);

}  // namespace attn::gui
