// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out and paints the table of a comparison and the maps of differences beside or below it. GUI
// thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <optional>
#include <vector>

#include "gui/views/compare/compare_model.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

struct CompareScene {
  const CompareModel* model = nullptr;
  // One map per column, or no maps yet. A map without values may have a text that says why. Each
  // map has its own colour scale, up to its largest |difference|.
  std::vector<DifferenceMap> maps;
  QString map_title;
  QString note;              // a warning above the table
  int row = -1, column = 0;  // the cell of the keyboard cursor
  bool focused = false;
  // A cell of a map: column of the table, row and column of its map. -1: none.
  struct Cell {
    int column = -1;
    int64_t row = -1, key = -1;
    bool operator==(const Cell&) const = default;
  };
  Cell cell;
};

struct CompareLayout {
  QRectF bounds, summary, note, legend;
  double names = 0;  // width of the row names
  double head_top = 0, head_height = 0;
  // The lines of the name of each column, and how many lines the longest name has.
  std::vector<std::vector<QString>> headings;
  size_t heading_lines = 1;
  std::vector<QRectF> rows;  // full width
  std::vector<QRectF> columns;
  QRectF map_title;
  std::vector<QRectF> captions;  // caption above each map; empty: the column has none
  std::vector<QRectF> maps;      // cells of each column's map; empty: none
  double height = 0;             // height of everything, px

  QRectF cell(size_t row, size_t column) const {
    return {columns[column].left(), rows[row].top(), columns[column].width(), rows[row].height()};
  }
};

// Maps are beside the table in wide bounds, else below it. layout.height may be larger than that of
// the bounds.
CompareLayout lay_out(const CompareScene& scene, const QRectF& bounds, const PictureLook& look);
void paint_compare(QPainter& painter, const CompareScene& scene, const CompareLayout& layout,
                   const PictureLook& look);
std::optional<CompareScene::Cell> map_cell_at(const CompareScene& scene,
                                              const CompareLayout& layout, const QPointF& point);
// "row 12, key 3: +1.200e-08"
QString cell_sentence(const CompareScene& scene, const CompareScene::Cell& cell);

}  // namespace attn::gui
