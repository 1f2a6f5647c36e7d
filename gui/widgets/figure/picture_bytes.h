// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates how many bytes a picture has as SVG: it is drawn once with a paint engine that only
// counts what is drawn. Any thread that may draw the picture.
#pragma once

#include <QPainter>
#include <functional>

namespace attn::gui {

// An estimate in bytes. size: of the picture, logical pixels.
double svg_bytes(const std::function<void(QPainter&)>& draw, const QSize& size);

}  // namespace attn::gui
