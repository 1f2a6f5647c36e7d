// SPDX-License-Identifier: GPL-3.0-or-later
// The masks of a step's prefills, in words and as pictures: rows are queries, columns are keys. A
// mask covers one sequence, or several that are packed. Any thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QStringList>
#include <string>
#include <vector>

#include "gui/views/step/step_scene.h"

namespace attn::gui {

struct StepMask {
  const StepFacts::Layers* layers = nullptr;  // the layers that have the mask
  const PlannedMask* mask = nullptr;
};
// All masks, by configuration of layers. They point into `facts`.
std::vector<StepMask> step_masks(const StepFacts& facts);

// Where a mask is drawn.
struct StepMaskPicture {
  int64_t mask = 0;  // index in step_masks()
  QRectF title, box;
};

// head: the head whose pairs are counted.
QStringList mask_sentences(const StepFacts::Layers& layers, int64_t head);
QString mask_title(const PlannedMask& mask);
// The size of a picture whose longer side is `side`.
QSizeF mask_size(const PlannedMask& mask, double side);

// The token of the query row at a point of the box, with mask and mask_key set.
StepPlace place_in_mask(const StepScene& scene, const StepMaskPicture& picture,
                        const QPointF& point);
// Words about the row and the key at a place of place_in_mask().
QString mask_words(const StepScene& scene, const StepPlace& place);

// Cells of step.csv for a token: name, form and bytes of its mask in the shown layer, first and end
// of the keys that the mask's rule lets it see, and of those in visited tiles. Keys count from the
// sequence's first.
std::string mask_cells(const StepScene& scene, const StepPlace& place);

// Seen keys are filled, visited tiles grey, other places hatched. Without tiles the ground is
// plain.
void paint_mask(QPainter& painter, const StepScene& scene, const StepMaskPicture& picture);

}  // namespace attn::gui
