// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a HeadGridScene: thumbnails, scores, axes, legend and lines of text. Any thread.
#pragma once

#include <QPainter>

#include "gui/views/attention/heads/head_grid_scene.h"
#include "gui/views/attention/heads/head_thumbs.h"

namespace attn::gui {

QString thumb_sentence(const HeadGridScene& scene);
// scroll: how many px of the content lie above the view.
void paint_head_grid(QPainter& painter, const HeadGridScene& scene, const HeadGridLayout& layout,
                     double scroll, HeadThumbs& thumbs);

}  // namespace attn::gui
