// SPDX-License-Identifier: GPL-3.0-or-later
// The masks of a step's prefills, in words and as pictures: queries from top to bottom, keys from
// left to right, of one sequence or of all of them packed one after the other. Any thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QStringList>
#include <string>
#include <vector>

#include "gui/views/step/step_scene.h"

namespace attn::gui {

struct StepMask {
  const StepFacts::Layers* layers = nullptr;  // that have it
  const PlannedMask* mask = nullptr;
};
// All masks, configuration by configuration; they live as long as `facts`.
std::vector<StepMask> step_masks(const StepFacts& facts);

// Where a mask is drawn.
struct StepMaskPicture {
  int64_t mask = 0;  // index in step_masks()
  QRectF title, box;
};

// What the masks of a configuration are: a text for each kind. head: whose pairs are counted.
QStringList mask_sentences(const StepFacts::Layers& layers, int64_t head);
QString mask_title(const PlannedMask& mask);
// The size of a picture whose longer side is `side`.
QSizeF mask_size(const PlannedMask& mask, double side);

// The query row, and the key, at a point of the box of a picture.
StepPlace place_in_mask(const StepScene& scene, const StepMaskPicture& picture,
                        const QPointF& point);
// What the row of the mask at a place of place_in_mask() sees.
QString mask_words(const StepScene& scene, const StepPlace& place);

// Cells of step.csv, for a token: class, form and bytes of the mask in the shown layer, the keys
// that its row sees, and those of the tiles that the kernel visits for it; keys are counted from
// the first of its sequence. Empty cells where it has none.
std::string mask_cells(const StepScene& scene, const StepPlace& place);

// Draws the box: filled where a key is seen, hatched where the kernel visits no tile, plain where
// the mask does not say which tiles it visits. Marks the rows of the tokens that are selected or
// pointed at.
void paint_mask(QPainter& painter, const StepScene& scene, const StepMaskPicture& picture);

}  // namespace attn::gui
