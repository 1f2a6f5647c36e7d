// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out and draws the circuits of a head: eigenvalues and strongest pairs of tokens of OV and
// QK, and how the head reads earlier heads. Any thread.
#pragma once

#include <QPainter>
#include <array>
#include <vector>

#include "gui/views/circuits/circuits_scene.h"

namespace attn::gui {

struct CircuitsParts {
  struct Half {
    QRectF heading, plane, pairs;
  };
  struct Place {
    size_t grid = 0, index = 0;  // index into `grids`; index into scene.earlier()
  };
  QRectF title, composition, facts;  // empty: not drawn
  Half ov, qk;
  std::array<QRectF, 3> grids;  // cells of composition through queries, keys and values
  double cell_width = 0, cell_height = 0;
  int64_t num_heads = 1;
  std::vector<QString> lines;  // lines of the facts, wrapped

  QRectF cell(size_t grid, int64_t index) const;
  std::optional<Place> cell_at(const QPointF& position, size_t count) const;
};
CircuitsParts circuits_parts(const CircuitsScene& scene, const QRectF& bounds);
void paint_circuits(QPainter& painter, const CircuitsScene& scene, const CircuitsParts& parts);

QPointF eigenvalue_place(const CircuitsScene& scene, const Circuit& circuit, const QRectF& plane,
                         const std::complex<double>& value);
// The index in part.pairs of the pair that is drawn at `position`; -1: there is none. `pairs` is
// the area of the heading and the list.
int64_t pair_at(const CircuitsScene& scene, const CircuitPart& part, const QRectF& pairs,
                const QPointF& position);

}  // namespace attn::gui
