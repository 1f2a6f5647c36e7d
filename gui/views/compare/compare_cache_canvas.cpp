// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_cache_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_tooltip.h"

namespace attn::gui {

CompareCacheCanvas::CompareCacheCanvas(CompareCacheModel& model, QWidget* parent)
    : PageCanvas(tr("Comparison with and without a cache"), parent), model_(model) {
  scene_.model = &model;
  connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
    scene_.row = model_.rowCount() > 0 ? 0 : -1;
    scene_.chosen_step.reset();
    take_steps();
  });
}

void CompareCacheCanvas::show_request(uint32_t request, int64_t layer) {
  if (request != request_) scene_.chosen_step.reset();
  request_ = request;
  scene_.layer = layer;
  take_steps();
}

void CompareCacheCanvas::take_steps() {
  scene_.steps.clear();
  if (const CacheCompareResult* result = model_.result(); result && !result->answers.empty()) {
    const auto at = std::ranges::find(result->answers, request_, &CacheCompareAnswer::request);
    scene_.answer =
        at == result->answers.end() ? 0 : static_cast<size_t>(at - result->answers.begin());
    scene_.layer = std::clamp<int64_t>(scene_.layer, 0, result->shape.num_layers - 1);
    scene_.steps = cache_steps_of(*result, result->answers[scene_.answer].request);
  }
  relayout();
  describe();
}

void CompareCacheCanvas::set_note(const QString& note) {
  if (note == scene_.note) return;
  scene_.note = note;
  relayout();
}

double CompareCacheCanvas::lay_out(double height, const PictureLook& look) {
  layout_ = lay_out_cache(scene_, QRectF(0, 0, width(), height), look);
  return layout_.height;
}

void CompareCacheCanvas::move_row(int by) {
  if (model_.rowCount() == 0) return;
  scene_.row = std::clamp(scene_.row + by, 0, model_.rowCount() - 1);
  describe();
  update();
}

void CompareCacheCanvas::choose_step(size_t step) {
  if (scene_.steps.empty()) return;
  scene_.chosen_step = std::min(step, scene_.steps.size() - 1);
  relayout();  // the words above the square may have another height
  describe();
}

void CompareCacheCanvas::move_step(int by) {
  const auto now = static_cast<int64_t>(scene_.shown_step()) + by;
  choose_step(static_cast<size_t>(std::max<int64_t>(0, now)));
}

void CompareCacheCanvas::describe() {
  if (!model_.result() || scene_.row < 0) {
    setAccessibleDescription(waiting());
    return;
  }
  QString text = model_.headerData(scene_.row, Qt::Vertical).toString();
  for (int column = 0; column < model_.columnCount(); ++column) {
    const QModelIndex index = model_.index(scene_.row, column);
    text += (column == 0 ? QStringLiteral(": %1 %2") : QStringLiteral("; %1 %2"))
                .arg(model_.headerData(column, Qt::Horizontal).toString(), index.data().toString());
    if (const QString detail = index.data(CompareCacheModel::kDetailRole).toString();
        !detail.isEmpty())
      text += QStringLiteral(", ") + detail;
  }
  if (!scene_.steps.empty())
    text += QStringLiteral(". ") + cache_step_sentence(scene_, scene_.shown_step());
  setAccessibleDescription(text);
}

void CompareCacheCanvas::paint_content(QPainter& painter, const PictureLook& look) {
  layout_.bounds = QRectF(rect());
  scene_.focused = hasFocus();
  paint_compare_cache(painter, scene_, layout_, look);
}

std::optional<int> CompareCacheCanvas::row_at(const QPointF& position) const {
  for (size_t row = 0; row < layout_.rows.size(); ++row)
    if (layout_.rows[row].contains(position)) return static_cast<int>(row);
  return std::nullopt;
}

void CompareCacheCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return Canvas::mousePressEvent(event);
  if (const auto step = cache_step_at(scene_, layout_, event->position()))
    return choose_step(*step);
  if (const auto row = row_at(event->position())) {
    scene_.row = *row;
    move_row(0);
  }
}

void CompareCacheCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton)) return;
  if (const auto step = cache_step_at(scene_, layout_, event->position())) choose_step(*step);
}

void CompareCacheCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      return move_row(-1);
    case Qt::Key_Down:
      return move_row(1);
    case Qt::Key_Left:
      return move_step(-1);
    case Qt::Key_Right:
      return move_step(1);
    case Qt::Key_Home:
      return choose_step(0);
    case Qt::Key_End:
      return choose_step(scene_.steps.size());
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

QString CompareCacheCanvas::tooltip_at(const QPointF& position) {
  QString text;
  if (const auto step = cache_step_at(scene_, layout_, position))
    text = cache_step_sentence(scene_, *step);
  else if (const auto row = row_at(position))
    text = model_.index(*row, layout_.columns[1].contains(position) ? 1 : 0)
               .data(Qt::ToolTipRole)
               .toString();
  return text.isEmpty() ? text : plain_tooltip(text);
}

ViewPoint CompareCacheCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const auto row = row_at(position);
  if (!row) return point;
  for (int column = 0; column < model_.columnCount(); ++column) {
    if (!layout_.columns[column].contains(position)) continue;
    const QModelIndex index = model_.index(*row, column);
    if (point.text.isEmpty()) point.text = index.data().toString();
    if (const QVariant number = index.data(CompareCacheModel::kNumberRole); number.isValid())
      point.numbers.push_back(
          {model_.headerData(*row, Qt::Vertical).toString(), exact_number(number.toDouble())});
  }
  return point;
}

std::optional<QPointF> CompareCacheCanvas::place_of_selection() {
  const auto row = static_cast<size_t>(scene_.row);
  if (scene_.row < 0 || row >= layout_.rows.size()) return std::nullopt;
  return layout_.rows[row].center();
}

std::optional<QRectF> CompareCacheCanvas::row_of_selection() {
  return place_of_selection() ? std::optional(layout_.rows[static_cast<size_t>(scene_.row)])
                              : std::nullopt;
}

}  // namespace attn::gui

#include "moc_compare_cache_canvas.cpp"
