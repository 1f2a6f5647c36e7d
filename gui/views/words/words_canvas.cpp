// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/words/words_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"

namespace attn::gui {

WordsCanvas::WordsCanvas(QWidget* parent)
    : BarCanvas(tr("Prompt and answer as text"), tr("Position in the text"), parent) {
  scene_.look = PictureLook::read();
  connect(&bar(), &QScrollBar::valueChanged, this, [this](int value) {
    if (!scrolling_) follows_ = value >= bar().maximum();
  });
}

void WordsCanvas::set_scene(WordsScene scene, uint64_t run) {
  const bool other = scene.request != scene_.request || run != run_;
  if (other) follows_ = true;
  run_ = run;
  scene_ = std::move(scene);
  relayout();
}

void WordsCanvas::set_pointed(const PointedState& pointed) {
  scene_.pointed = pointed;
  update();
}

void WordsCanvas::relayout() {
  scene_.font = Theme::instance().mono(TextRole::kTitle);
  scene_.font.setPixelSize(
      std::max(1, static_cast<int>(std::lround(scene_.font.pixelSize() * zoom_factor()))));
  parts_ = parts_of(scene_, area());
  layout_.arrange(scene_, run_, parts_.text.width());
  scrolling_ = true;
  set_content(layout_.height(), parts_.text.height(), layout_.line_height());
  if (follows_) bar().setValue(bar().maximum());
  scrolling_ = false;
}

bool WordsCanvas::is_empty() const {
  return scene_.is_empty();
}

void WordsCanvas::follow() {
  follows_ = true;
  relayout();
}

void WordsCanvas::reveal(const WordPlace& place) {
  const std::vector<QRectF> rects = layout_.rects_of(place);
  if (rects.empty()) return;
  const double high = parts_.text.height();
  if (rects.front().top() < top())
    scroll_to(rects.front().top());
  else if (rects.back().bottom() > top() + high)
    scroll_to(std::ceil(rects.back().bottom() - high));
}

void WordsCanvas::fit() {
  follows_ = true;
  set_zoom(1);
}

void WordsCanvas::zoom(double factor) {
  set_zoom(zoom_factor() * factor);
}

void WordsCanvas::set_zoom(double zoom) {
  const WordPlace first = layout_.first_at(top());
  set_zoom_factor(zoom);
  relayout();
  if (follows_) return;
  if (const auto rects = layout_.rects_of(first); !rects.empty()) scroll_to(rects.front().top());
}

std::vector<double> WordsCanvas::place() const {
  if (follows_ && zoom_factor() == 1) return {};
  const WordPlace first = layout_.first_at(top());
  return {static_cast<double>(first.token), first.of_encoder ? 1.0 : 0.0, zoom_factor(),
          follows_ ? 1.0 : 0.0};
}

void WordsCanvas::go_to_place(const std::vector<double>& place) {
  if (place.size() != 4) return fit();
  follows_ = place[3] != 0;
  set_zoom_factor(place[2] >= kLeastZoom && place[2] <= kMostZoom ? place[2] : 1);
  relayout();
  if (follows_) return;
  WordPlace first{place[1] != 0, 0};
  const auto last = static_cast<double>(scene_.count(first.of_encoder) - 1);
  if (place[0] >= 0 && place[0] <= last) first.token = static_cast<int64_t>(place[0]);
  if (const auto rects = layout_.rects_of(first); !rects.empty()) scroll_to(rects.front().top());
}

std::optional<WordPlace> WordsCanvas::place_at(const QPointF& position) const {
  if (scene_.is_empty() || !parts_.text.contains(position)) return std::nullopt;
  return layout_.at(position - parts_.text.topLeft() + QPointF(0, top()));
}

QRectF WordsCanvas::rect_of(const WordPlace& place) const {
  const std::vector<QRectF> rects = layout_.rects_of(place);
  if (rects.empty()) return {};
  return rects.front().translated(parts_.text.topLeft() - QPointF(0, top()));
}

QString WordsCanvas::tooltip_at(const QPointF& position) {
  const auto place = place_at(position);
  return place ? plain_tooltip(word_tooltip(scene_, *place)) : QString();
}

void WordsCanvas::paint_content(QPainter& painter) {
  paint_words(painter, scene_, layout_, parts_, top());
}

void WordsCanvas::hover(const std::optional<QPointF>& position) {
  const auto place = position ? place_at(*position) : std::nullopt;
  setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
  emit pointed(place && place->of_encoder, place ? place->token : -1);
}

ViewPoint WordsCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const auto place = place_at(position);
  if (!place) return point;
  point.numbers.push_back({tr("position"), QString::number(place->token)});
  // A token of the encoder is no token of the request.
  if (!place->of_encoder)
    point.things.push_back({.kind = SelectionKind::kToken, .query = place->token});
  return point;
}

std::optional<QPointF> WordsCanvas::place_of_selection() {
  const QRectF place = scene_.query.token < 0 ? QRectF() : rect_of(scene_.query);
  return place.isEmpty() ? std::nullopt : std::optional(place.center());
}

void WordsCanvas::click(const QMouseEvent& event) {
  const auto place = place_at(event.position());
  if (place && event.modifiers() & Qt::ShiftModifier)
    emit key_chosen(place->of_encoder, place->token);
  else if (!place || *place == scene_.query)
    emit cleared();
  else
    emit chosen(place->of_encoder, place->token);
}

void WordsCanvas::double_click(const QPointF& position) {
  if (!place_at(position)) fit();
}

// Moves the selection by an arrow key; without a selection, to the last token.
bool WordsCanvas::move(int key) {
  WordPlace to = scene_.query;
  if (to.token < 0) to.of_encoder = scene_.in_encoder;
  const int64_t count = scene_.count(to.of_encoder);
  if (count == 0) return false;
  if (to.token < 0)
    to.token = count - 1;
  else if (key == Qt::Key_Left || key == Qt::Key_Right)
    to.token = std::clamp<int64_t>(to.token + (key == Qt::Key_Left ? -1 : 1), 0, count - 1);
  else
    to = layout_.beside(to, key == Qt::Key_Up ? -1 : 1);
  reveal(to);
  if (to != scene_.query) emit chosen(to.of_encoder, to.token);
  return true;
}

void WordsCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
    return Canvas::keyPressEvent(event);
  if (scroll_key(event->key(), false)) return;
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!move(event->key())) Canvas::keyPressEvent(event);
      return;
    case Qt::Key_End:
    case Qt::Key_L:
      return follow();
    case Qt::Key_Home:
      return scroll_to(0);
    case Qt::Key_F:
      return fit();
    case Qt::Key_Escape:
      return emit cleared();
    case Qt::Key_T:
      return emit tokens_toggled();
    case Qt::Key_W:
      return emit weights_toggled();
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

}  // namespace attn::gui

#include "moc_words_canvas.cpp"
