// SPDX-License-Identifier: GPL-3.0-or-later
// How long a picture becomes as SVG, found without making it: the drawing runs once with a paint
// engine that only counts. Qt holds a whole SVG in memory, and a timeline of many thousand requests
// would become one of many GiB. Any thread that may draw.
#pragma once

#include <QPainter>
#include <functional>

namespace attn::gui {

// Bytes of the SVG, about. size: of the picture, logical pixels.
double svg_bytes(const std::function<void(QPainter&)>& draw, const QSize& size);

}  // namespace attn::gui
