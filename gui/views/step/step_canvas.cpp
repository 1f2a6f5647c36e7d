// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/step/step_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_tooltip.h"

namespace attn::gui {

PictureLook zoomed(const PictureLook& look, double zoom) {
  PictureLook larger = look;
  larger.text_percent = static_cast<int>(std::lround(look.text_percent * zoom));
  for (QFont* font :
       {&larger.small, &larger.small_bold, &larger.title, &larger.title_bold, &larger.mono})
    font->setPixelSize(std::max(1, static_cast<int>(std::lround(font->pixelSize() * zoom))));
  return larger;
}

StepCanvas::StepCanvas(QWidget* parent)
    : BarCanvas(tr("Metadata of a step"), tr("Position in the step"), parent) {
  scene_.look = PictureLook::read();
  look_ = scene_.look;
}

void StepCanvas::set_scene(StepScene scene) {
  scene.hovered = {};
  look_ = scene.look;
  scene_ = std::move(scene);
  relayout();
}

void StepCanvas::set_pointed(const PointedState& pointed) {
  scene_.pointed = pointed;
  update();
}

void StepCanvas::relayout() {
  scene_.look = zoomed(look_, zoom_factor());
  parts_ = parts_of(scene_, area());
  layout_.arrange(scene_, parts_.body.width());
  set_content(layout_.height(), parts_.body.height(), layout_.line());
}

bool StepCanvas::is_empty() const {
  return scene_.is_empty();
}

void StepCanvas::reveal(const StepPlace& place) {
  const QRectF box = layout_.rect_of(scene_, place);
  if (box.isEmpty()) return;
  const double high = parts_.body.height();
  if (box.top() < top())
    scroll_to(box.top() - 2 * layout_.line());
  else if (box.bottom() > top() + high)
    scroll_to(std::ceil(box.bottom() - high));
}

void StepCanvas::show_section(int section) {
  if (!scene_.is_empty()) scroll_to(section == 0 ? 0 : layout_.section_top(section));
}

void StepCanvas::fit() {
  set_zoom_factor(1);
  relayout();
  scroll_to(0);
}

void StepCanvas::zoom(double factor) {
  const double part = layout_.height() > 0 ? top() / layout_.height() : 0;
  set_zoom_factor(zoom_factor() * factor);
  relayout();
  scroll_to(part * layout_.height());
}

std::vector<double> StepCanvas::place() const {
  if (zoom_factor() == 1 && top() == 0) return {};
  return {top(), zoom_factor()};
}

void StepCanvas::go_to_place(const std::vector<double>& place) {
  if (place.size() != 2) return fit();
  set_zoom_factor(place[1] >= kLeastZoom && place[1] <= kMostZoom ? place[1] : 1);
  relayout();
  scroll_to(std::isfinite(place[0]) ? place[0] : 0);
}

StepPlace StepCanvas::place_at(const QPointF& position) const {
  if (scene_.is_empty() || !parts_.body.contains(position)) return {};
  return layout_.at(scene_, position - parts_.body.topLeft() + QPointF(0, top()));
}

QRectF StepCanvas::rect_of(const StepPlace& place) const {
  const QRectF box = layout_.rect_of(scene_, place);
  return box.isEmpty() ? QRectF() : box.translated(parts_.body.topLeft() - QPointF(0, top()));
}

QString StepCanvas::tooltip_at(const QPointF& position) {
  const StepPlace place = place_at(position);
  return place.is_none() ? QString() : plain_tooltip(step_tooltip(scene_, place));
}

ViewPoint StepCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const StepPlace place = place_at(position);
  if (scene_.is_empty()) return point;
  point.step = scene_.facts->batch.step;
  if (place.is_none()) return point;
  point.request = scene_.sequences[static_cast<size_t>(place.sequence)].request;
  if (place.kind == StepPlace::Kind::kToken || place.kind == StepPlace::Kind::kEncoderToken)
    point.numbers.push_back({tr("slot"), QString::number(scene_.slot(place))});
  if (const int32_t block = scene_.block(place); block >= 0)
    point.numbers.push_back({tr("block"), QString::number(block)});
  if (const auto thing = scene_.selection_of(place)) point.things.push_back(*thing);
  return point;
}

StepPlace StepCanvas::selected_token() const {
  const SelectionState& state = scene_.selected;
  if (scene_.is_empty() || !scene_.selects_rows(false)) return {};
  const auto sequence = scene_.sequence_of(state.request);
  if (!sequence) return {};
  const int64_t index = state.query - scene_.context_len(*sequence);
  if (index < 0 || index >= scene_.query_len(*sequence)) return {};
  return {StepPlace::Kind::kToken, *sequence, index};
}

std::optional<QPointF> StepCanvas::place_of_selection() {
  const QRectF box = rect_of(selected_token());
  return box.isEmpty() ? std::nullopt : std::optional(box.center());
}

void StepCanvas::paint_content(QPainter& painter) {
  paint_step(painter, scene_, layout_, parts_, top());
}

void StepCanvas::hover(const std::optional<QPointF>& position) {
  const StepPlace place = position ? place_at(*position) : StepPlace{};
  const bool selects = !place.is_none() && scene_.selection_of(place).has_value();
  setCursor(selects ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (place == scene_.hovered && position) return;
  scene_.hovered = place;
  update();
  emit pointed(place);
}

void StepCanvas::click(const QMouseEvent& event) {
  const StepPlace place = place_at(event.position());
  const auto thing = place.is_none() ? std::nullopt : scene_.selection_of(place);
  if (!thing || scene_.selected == *thing)
    emit cleared();
  else
    emit chosen(*thing);
}

void StepCanvas::double_click(const QPointF& position) {
  if (place_at(position).is_none()) fit();
}

// Selects the token `rows` rows further in the batch; if no token of the batch is selected, the
// first one.
bool StepCanvas::move(int rows) {
  if (scene_.is_empty() || scene_.metadata().num_tokens() == 0) return false;
  const StepPlace from = selected_token();
  int64_t row = from.is_none() ? 0 : scene_.first_row(from.sequence) + from.index + rows;
  row = std::clamp<int64_t>(row, 0, scene_.metadata().num_tokens() - 1);
  const std::vector<int32_t>& starts = scene_.metadata().query_start_loc;
  const int64_t sequence = std::ranges::upper_bound(starts, row) - starts.begin() - 1;
  const StepPlace to{StepPlace::Kind::kToken, sequence, row - scene_.first_row(sequence)};
  reveal(to);
  if (!(to == from)) emit chosen(*scene_.selection_of(to));
  return true;
}

void StepCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
    return Canvas::keyPressEvent(event);
  if (scroll_key(event->key(), true)) return;
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (!move(event->key() == Qt::Key_Left ? -1 : 1)) Canvas::keyPressEvent(event);
      return;
    case Qt::Key_Home:
    case Qt::Key_B:
      return show_section(0);
    case Qt::Key_T:
      return show_section(1);
    case Qt::Key_C:
      return show_section(2);
    case Qt::Key_M:
      return show_section(3);
    case Qt::Key_End:
      return scroll_to(bar().maximum());
    case Qt::Key_F:
      return fit();
    case Qt::Key_Escape:
      return emit cleared();
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

}  // namespace attn::gui

#include "moc_step_canvas.cpp"
