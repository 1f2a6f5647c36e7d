// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/tiles/tiles_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_tooltip.h"
#include "gui/views/tiles/tiles_panel.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kLargestScale = 256;  // px per query or key

}  // namespace

TilesCanvas::TilesCanvas(QWidget* parent) : Canvas(tr("Tiles of the kernel"), parent) {
  transform_.zoom = CanvasTransform::Zoom::kIndependent;
  transform_.x.max_scale = transform_.y.max_scale = kLargestScale;
  connect(&Theme::instance(), &Theme::changed, this, &TilesCanvas::relayout);
}

void TilesCanvas::set_scene(TilesScene scene) {
  scene_ = std::move(scene);
  transform_.set_content(0, static_cast<double>(std::max<int64_t>(1, scene_.keys)), 0,
                         static_cast<double>(std::max<int64_t>(1, scene_.rows)));
  QString text = waiting_;
  if (scene_.shown > 0)
    text =
        tile_sentence(scene_, scene_.shown - 1) + QStringLiteral(". ") + softmax_sentence(scene_);
  setAccessibleDescription(text);
  update();
}

void TilesCanvas::set_waiting(const QString& text, bool can_run) {
  waiting_ = text;
  can_run_ = can_run;
  relayout();
}

void TilesCanvas::relayout() {
  layout_ = lay_out_tiles(QRectF(rect()), PictureLook::read());
  transform_.set_viewport(std::max(1.0, layout_.grid.width()),
                          std::max(1.0, layout_.grid.height()));
  show_run_button(can_run_);
  update();
}

void TilesCanvas::fit() {
  transform_.fit();
  update();
}

void TilesCanvas::zoom(double factor) {
  transform_.zoom_center(factor);
  update();
}

void TilesCanvas::go_to_place(const std::vector<double>& place) {
  transform_.go_to_place(place);
  update();
}

void TilesCanvas::paint_all(QPainter& painter, const QRectF& bounds) const {
  const PictureLook look = PictureLook::read();
  const TilesLayout layout = lay_out_tiles(bounds, look);
  CanvasTransform transform = transform_;
  transform.set_viewport(std::max(1.0, layout.grid.width()), std::max(1.0, layout.grid.height()));
  transform.fit();
  TilesScene scene = scene_;
  scene.focused = false;
  paint_tiles(painter, scene, layout, transform, look);
}

void TilesCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::TextAntialiasing);
  const PictureLook look = PictureLook::read();
  if (scene_.rows > 0) {
    paint_tiles(painter, scene_, layout_, transform_, look);
  } else {
    paint_surface(painter, rect(), look.colors.surface);
    painter.setFont(Theme::instance().font());
    painter.setPen(look.colors.muted);
    painter.drawText(QRectF(rect()).adjusted(look.px(32), 0, -look.px(32), 0),
                     Qt::AlignCenter | Qt::TextWordWrap, waiting_);
  }
  paint_focus(painter);
}

void TilesCanvas::resizeEvent(QResizeEvent* event) {
  Canvas::resizeEvent(event);
  relayout();
}

void TilesCanvas::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  if (event->modifiers() & Qt::ControlModifier) {
    transform_.zoom_at(event->position().x() - layout_.grid.left(),
                       event->position().y() - layout_.grid.top(), std::pow(kWheelZoom, notches));
  } else if (event->modifiers() & Qt::ShiftModifier) {
    transform_.pan(60 * notches, 0);
  } else {
    transform_.pan(event->angleDelta().x() / 2.0, 60 * notches);
  }
  event->accept();
  update();
}

void TilesCanvas::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  if (event->button() == Qt::MiddleButton) {
    panning_ = true;
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  if (const auto pair = pair_at(event->position())) emit row_asked(pair->query, pair->key);
}

std::optional<TilesCanvas::Pair> TilesCanvas::pair_at(const QPointF& position) const {
  if (scene_.rows == 0 || !layout_.grid.contains(position)) return std::nullopt;
  const auto query =
      static_cast<int64_t>(std::floor(transform_.y.to_content(position.y() - layout_.grid.top())));
  const auto key =
      static_cast<int64_t>(std::floor(transform_.x.to_content(position.x() - layout_.grid.left())));
  if (query < 0 || query >= scene_.seq_len) return std::nullopt;
  const bool seen = key >= 0 && key < scene_.key_len() && scene_.rule.sees(scene_.head, query, key);
  return Pair{query, seen ? key : -1};
}

void TilesCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!panning_) return;
  transform_.pan(event->position().x() - press_.x(), event->position().y() - press_.y());
  press_ = event->position();
  update();
}

void TilesCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton) panning_ = false;
}

void TilesCanvas::mouseDoubleClickEvent(QMouseEvent*) {
  fit();
}

void TilesCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      emit tile_step_asked(-1);
      return;
    case Qt::Key_Right:
      emit tile_step_asked(1);
      return;
    case Qt::Key_L:
    case Qt::Key_End:
      emit tile_step_asked(0);
      return;
    case Qt::Key_Up:
      emit row_step_asked(-1);
      return;
    case Qt::Key_Down:
      emit row_step_asked(1);
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kKeyZoom);
    case Qt::Key_Minus:
      return zoom(1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_F:
      return fit();
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

QString TilesCanvas::tooltip_at(const QPointF& position) {
  const auto tile = tile_at(scene_, layout_, transform_, position);
  if (!tile) return {};
  const TileEvent& event = scene_.tiles[*tile].tile;
  return plain_tooltip(tile_sentence(scene_, *tile) + QLatin1Char('\n') +
                       tr("%1 of its %2 query-key pairs are visible, the others are masked or "
                          "padding")
                           .arg(format_count(seen_pairs(scene_, event)))
                           .arg(format_count(int64_t{event.q_count} * event.k_count)));
}

ViewPoint TilesCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  if (const auto pair = pair_at(position)) {
    if (pair->key >= 0)
      point.things.push_back(
          {.kind = SelectionKind::kCell, .query = pair->query, .key = pair->key});
    if (!scene_.rule.encoder)
      point.things.push_back({.kind = SelectionKind::kToken, .query = pair->query});
  }
  if (const auto tile = tile_at(scene_, layout_, transform_, position)) {
    const TileMark& mark = scene_.tiles[*tile];
    point.numbers.push_back({tr("time, ns"), QString::number(mark.end_ns - mark.begin_ns)});
    point.numbers.push_back({tr("visible pairs"), QString::number(seen_pairs(scene_, mark.tile))});
  }
  return point;
}

std::optional<QPointF> TilesCanvas::place_of_selection() {
  if (scene_.row < 0 || scene_.row >= scene_.rows) return std::nullopt;
  const double y = transform_.y.to_pixel(static_cast<double>(scene_.row) + 0.5);
  return layout_.grid.topLeft() + QPointF(transform_.x.to_pixel(0.5), y);
}

// The rectangle includes the labels of the axis and the triangles that mark the row.
std::optional<QRectF> TilesCanvas::row_of_selection() {
  if (scene_.row < 0 || scene_.row >= scene_.rows) return std::nullopt;
  const PictureLook look = PictureLook::read();
  const QRectF& grid = layout_.grid;
  const double middle = grid.top() + transform_.y.to_pixel(static_cast<double>(scene_.row) + 0.5);
  if (middle < grid.top() || middle > grid.bottom()) return std::nullopt;
  const double height = std::max(transform_.y.scale, QFontMetricsF(look.small).height());
  return QRectF(grid.left() - look.px(46), middle - height / 2,
                grid.width() + look.px(46) + look.px(6), height);
}

}  // namespace attn::gui

#include "moc_tiles_canvas.cpp"
