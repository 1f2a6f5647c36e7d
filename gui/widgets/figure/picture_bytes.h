// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates how long a picture becomes as SVG: the drawing runs once with a paint engine that only
// counts. Any thread that may draw.
#pragma once

#include <QPainter>
#include <functional>

namespace attn::gui {

// An estimate in bytes. size: of the picture, logical pixels.
double svg_bytes(const std::function<void(QPainter&)>& draw, const QSize& size);

}  // namespace attn::gui
