// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a step's metadata: the batch, the block tables, pieces of the cache, masks and texts. Any
// thread.
#pragma once

#include <QPainter>

#include "gui/views/step/step_layout.h"

namespace attn::gui {

struct StepParts {
  QRectF title, body, legend;  // title: empty in the window
};
StepParts parts_of(const StepScene& scene, const QRectF& bounds);
// Height of a picture that shows all of the step without scrolling.
double whole_height(const StepScene& scene, const StepLayout& layout);

// top: the y of the content at the upper edge of parts.body.
void paint_step(QPainter& painter, const StepScene& scene, const StepLayout& layout,
                const StepParts& parts, double top);

}  // namespace attn::gui
