// SPDX-License-Identifier: GPL-3.0-or-later
// Differences as colours: a diverging scale for signed ones (0 has the colour of the ground, white
// or near black), one half of this scale for magnitudes. Any thread.
#pragma once

#include <QImage>

#include "engine/session/compare/compare.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// The place of a difference on the colour scale, [-1, 1]: the square root of |difference| /
// largest, with the sign of the difference, so that differences much smaller than the largest are
// seen. NaN: NaN.
double difference_share(double difference, double largest);
// share: the place on the scale; NaN gets the colour that marks NaN.
QColor difference_color(double share, const PictureLook& look);

// The map on width x height pixels, each pixel the largest |difference| of the cells under it;
// with more pixels than cells every cell is a rectangle. The colours end at the largest difference
// of the map. Masked cells are left transparent.
QImage difference_image(const DifferenceMap& map, int width, int height, const PictureLook& look);

}  // namespace attn::gui
