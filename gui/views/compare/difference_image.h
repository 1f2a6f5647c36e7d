// SPDX-License-Identifier: GPL-3.0-or-later
// Differences as colours of a diverging scale, with 0 in the colour of the surface. Any thread.
#pragma once

#include <QImage>

#include "engine/session/compare/compare.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// The place of a difference on the colour scale: the square root of |difference| / largest, with
// the sign of the difference, or 0 if `largest` is 0 or less. NaN gives NaN.
double difference_share(double difference, double largest);
// `share` is a place on the scale. NaN has a colour of its own.
QColor difference_color(double share, const PictureLook& look);

// The map on width x height pixels. A pixel shows the difference of the largest magnitude among its
// cells, or NaN if one of them is NaN; it is transparent if all its cells are masked.
QImage difference_image(const DifferenceMap& map, int width, int height, const PictureLook& look);

}  // namespace attn::gui
