// SPDX-License-Identifier: GPL-3.0-or-later
// The notes on the timeline: a flag on the ruler where a step with a note begins. GUI thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>
#include <vector>

#include "engine/session/notes/step_notes.h"
#include "engine/session/run/snapshot.h"
#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

struct NoteMark {
  double x = 0;  // pixels of the plot
  uint32_t step = 0;
  uint64_t begin_ns = 0;  // when the step begins
  QString text;
  QString tooltip() const;
};

// A step that `snapshot` does not have, or that begins out of sight, gets no flag.
std::vector<NoteMark> note_marks(const std::vector<StepNote>& notes, const EngineSnapshot* snapshot,
                                 const CanvasAxis& axis);
void paint_note_marks(QPainter& painter, const QRectF& ruler, const std::vector<NoteMark>& marks);
// The flag at or close to x (pixels of the plot); of several, that of the nearest pole; null: none.
const NoteMark* note_mark_at(const std::vector<NoteMark>& marks, double x);

}  // namespace attn::gui
