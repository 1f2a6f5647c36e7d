// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a HeadGridScene: thumbnails, scores, axes, colour bar, legend. The screen and the exported
// files share it. Any thread.
#pragma once

#include <QImage>
#include <QPainter>

#include "gui/views/attention/head_grid_scene.h"

namespace attn::gui {

// One pixel an entry of the thumbnail's tile, transparent where it is masked; null: nothing read
// yet.
QImage thumb_image(const HeadGridScene& scene, int64_t index);
// "each dot = max of 4 × 4 weights"
QString thumb_sentence(const HeadGridScene& scene);
// scroll: content px above the view.
void paint_head_grid(QPainter& painter, const HeadGridScene& scene, const HeadGridLayout& layout,
                     double scroll);

}  // namespace attn::gui
