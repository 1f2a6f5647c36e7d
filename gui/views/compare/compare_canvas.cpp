// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_tooltip.h"

namespace attn::gui {

CompareCanvas::CompareCanvas(CompareModel& model, QWidget* parent)
    : PageCanvas(tr("Comparison of backends"), parent), model_(model) {
  scene_.model = &model;
  connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
    scene_.row = model_.rowCount() > 0 ? 0 : -1;
    scene_.column = 0;
    scene_.maps.clear();
    relayout();
    describe();
  });
}

void CompareCanvas::set_maps(std::vector<DifferenceMap> maps, const QString& title) {
  scene_.maps = std::move(maps);
  scene_.map_title = title;
  scene_.cell = {};
  relayout();
}

void CompareCanvas::set_note(const QString& note) {
  if (note == scene_.note) return;
  scene_.note = note;
  relayout();
}

double CompareCanvas::lay_out(double height, const PictureLook& look) {
  layout_ = gui::lay_out(scene_, QRectF(0, 0, width(), height), look);
  return layout_.height;
}

void CompareCanvas::move_cursor(int columns, int rows) {
  if (model_.rowCount() == 0) return;
  scene_.row = std::clamp(scene_.row + rows, 0, model_.rowCount() - 1);
  scene_.column = std::clamp(scene_.column + columns, 0, model_.columnCount() - 1);
  describe();
  update();
}

void CompareCanvas::describe() {
  if (!model_.result() || scene_.row < 0 || model_.columnCount() == 0) {
    setAccessibleDescription(waiting());
    return;
  }
  const QModelIndex index = model_.index(scene_.row, scene_.column);
  QString text =
      QStringLiteral("%1, %2: %3")
          .arg(model_.headerData(scene_.column, Qt::Horizontal).toString(),
               model_.headerData(scene_.row, Qt::Vertical).toString(), index.data().toString());
  const QString detail = index.data(CompareModel::kDetailRole).toString();
  if (!detail.isEmpty()) text += QStringLiteral(". ") + detail;
  const CompareColumn& column = model_.result()->columns[static_cast<size_t>(scene_.column)];
  for (const std::string& sentence : column.refusals)
    text += QStringLiteral(". ") + QString::fromStdString(sentence);
  setAccessibleDescription(text);
}

void CompareCanvas::paint_content(QPainter& painter, const PictureLook& look) {
  layout_.bounds = QRectF(rect());
  scene_.focused = hasFocus();
  paint_compare(painter, scene_, layout_, look);
}

void CompareCanvas::mouseMoveEvent(QMouseEvent* event) {
  const auto cell = map_cell_at(scene_, layout_, event->position());
  const CompareScene::Cell now = cell.value_or(CompareScene::Cell{});
  if (now == scene_.cell) return;
  scene_.cell = now;
  update();
}

void CompareCanvas::leaveEvent(QEvent*) {
  scene_.cell = {};
  update();
}

void CompareCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return Canvas::mousePressEvent(event);
  if (const auto cell = map_cell_at(scene_, layout_, event->position())) {
    emit cell_chosen(*cell);
    return;
  }
  for (size_t row = 0; row < layout_.rows.size(); ++row)
    for (size_t column = 0; column < layout_.columns.size(); ++column)
      if (layout_.cell(row, column).contains(event->position())) {
        scene_.row = static_cast<int>(row);
        scene_.column = static_cast<int>(column);
        move_cursor(0, 0);
      }
}

void CompareCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return move_cursor(0, -1);
    case Qt::Key_Down:
      return move_cursor(0, 1);
    case Qt::Key_Left:
      return move_cursor(-1, 0);
    case Qt::Key_Right:
      return move_cursor(1, 0);
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

QString CompareCanvas::tooltip_at(const QPointF& position) {
  QString text;
  if (const auto cell = map_cell_at(scene_, layout_, position)) text = cell_sentence(scene_, *cell);
  for (size_t row = 0; text.isEmpty() && row < layout_.rows.size(); ++row) {
    if (!layout_.rows[row].contains(position)) continue;
    text = model_.headerData(static_cast<int>(row), Qt::Vertical, Qt::ToolTipRole).toString();
    for (size_t column = 0; column < layout_.columns.size(); ++column)
      if (layout_.cell(row, column).contains(position))
        text = model_.index(static_cast<int>(row), static_cast<int>(column))
                   .data(Qt::ToolTipRole)
                   .toString();
  }
  return text.isEmpty() ? text : plain_tooltip(text);
}

ViewPoint CompareCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  if (const auto cell = map_cell_at(scene_, layout_, position)) {
    const DifferenceMap& map = scene_.maps[static_cast<size_t>(cell->column)];
    if (map.masked(cell->row, cell->key)) return point;
    const float value = map.values[static_cast<size_t>(cell->row * map.columns + cell->key)];
    point.numbers.push_back({tr("difference"), exact_number(value)});
    if (map.kind == DifferenceMap::Kind::kWeights)
      point.things.push_back({.kind = SelectionKind::kCell, .query = cell->row, .key = cell->key});
    else
      point.head = cell->key;
    point.things.push_back({.kind = SelectionKind::kToken, .query = cell->row});
    return point;
  }
  for (size_t row = 0; row < layout_.rows.size(); ++row)
    for (size_t column = 0; column < layout_.columns.size(); ++column) {
      if (!layout_.cell(row, column).contains(position)) continue;
      const QModelIndex index = model_.index(static_cast<int>(row), static_cast<int>(column));
      const QVariant number = index.data(CompareModel::kNumberRole);
      if (point.text.isEmpty()) point.text = index.data().toString();
      if (number.isValid())
        point.numbers.push_back({model_.headerData(static_cast<int>(row), Qt::Vertical).toString(),
                                 exact_number(number.toDouble())});
    }
  return point;
}

std::optional<QPointF> CompareCanvas::place_of_selection() {
  const auto row = static_cast<size_t>(scene_.row), column = static_cast<size_t>(scene_.column);
  if (scene_.row < 0 || row >= layout_.rows.size() || column >= layout_.columns.size())
    return std::nullopt;
  return layout_.cell(row, column).center();
}

}  // namespace attn::gui

#include "moc_compare_canvas.cpp"
