// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/explore_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"

namespace attn::gui {

ExploreCanvas::ExploreCanvas(const QString& name, const QString& empty_title, QWidget* parent)
    : BarCanvas(name, tr("Position in the picture"), parent),
      on_(new QPushButton(tr("Look inside"), this)),
      empty_title_(empty_title) {
  on_->hide();
  connect(on_, &QPushButton::clicked, this, [this] {
    setFocus();  // the button goes away; keys then work in the picture
    emit switch_asked();
  });
}

void ExploreCanvas::set_picture(std::shared_ptr<const ExplorePicture> picture) {
  picture_ = std::move(picture);
  if (!picture_ || picture_->box_of(cursor_, area().width()).isEmpty()) cursor_ = {};
  relayout();
  describe();
}

void ExploreCanvas::set_waiting_text(const QString& text, bool offers) {
  if (text == waiting_ && offers == offers_) return;
  waiting_ = text;
  offers_ = offers;
  place_button();
  describe();
  update();
}

QRect ExploreCanvas::waiting_area() const {
  const Theme& theme = Theme::instance();
  const QRect room(theme.px(32), height() / 2 - theme.px(16), width() - 2 * theme.px(32),
                   height() / 2);
  return QFontMetrics(theme.font())
      .boundingRect(room, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, waiting_);
}

void ExploreCanvas::place_button() {
  on_->setVisible(offers_ && !picture_);
  on_->adjustSize();
  const Theme& theme = Theme::instance();
  on_->move((width() - on_->width()) / 2,
            std::max(height() / 2 + theme.px(40), waiting_area().bottom() + theme.px(8)));
}

void ExploreCanvas::set_cursor(const Spot& spot) {
  cursor_ = spot;
  const QRectF box = picture_ ? picture_->box_of(spot, area().width()) : QRectF();
  if (!box.isEmpty()) {
    if (box.top() < top()) scroll_to(box.top() - 8);
    if (box.bottom() > top() + area().height()) scroll_to(box.bottom() - area().height() + 8);
  }
  describe();
  update();
}

void ExploreCanvas::describe() {
  QString text = picture_ ? picture_->sentence() : waiting_;
  if (picture_ && cursor_.is_somewhere())
    text += QLatin1Char(' ') +
            picture_->words(cursor_).replace(QLatin1Char('\n'), QStringLiteral(", "));
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

void ExploreCanvas::relayout() {
  const double high = picture_ ? picture_->height(area().width(), false) : 0;
  set_content(high, area().height(), Theme::instance().px(24));
  place_button();
}

void ExploreCanvas::zoom(double factor) {
  set_zoom_factor(zoom_factor() * factor);
  emit zoomed();
}

void ExploreCanvas::fit() {
  set_zoom_factor(1);
  scroll_to(0);
  emit zoomed();
}

std::optional<Spot> ExploreCanvas::spot_at(const QPointF& position) const {
  if (!picture_ || !area().contains(position)) return std::nullopt;
  return picture_->at(position + QPointF(0, top()), area().width());
}

QString ExploreCanvas::tooltip_at(const QPointF& position) {
  const auto spot = spot_at(position);
  return spot ? plain_tooltip(picture_->words(*spot)) : QString();
}

ViewPoint ExploreCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  if (const auto spot = spot_at(position)) {
    point.numbers = picture_->numbers(*spot);
    point.things = picture_->things(*spot);
  }
  return point;
}

QRectF ExploreCanvas::box_on_screen(const Spot& spot) const {
  return picture_ ? picture_->box_of(spot, area().width()).translated(0, -top()) & area()
                  : QRectF();
}

std::optional<QPointF> ExploreCanvas::place_of_selection() {
  const QRectF box = picture_ ? picture_->box_of(cursor_, area().width()) : QRectF();
  if (box.isEmpty()) return std::nullopt;
  return box.center() - QPointF(0, top());
}

void ExploreCanvas::paint_waiting(QPainter& painter) {
  const Theme& theme = Theme::instance();
  paint_surface(painter, rect(), theme.colors().surface);
  const QRectF room = QRectF(rect()).adjusted(theme.px(32), 0, -theme.px(32), 0);
  painter.setFont(theme.font(TextRole::kTitle));
  painter.setPen(theme.colors().text);
  painter.drawText(QRectF(room.left(), height() / 2.0 - theme.px(44), room.width(), theme.px(24)),
                   Qt::AlignCenter, empty_title_);
  painter.setFont(theme.font());
  painter.setPen(theme.colors().muted);
  painter.drawText(QRectF(room.left(), height() / 2.0 - theme.px(16), room.width(), height() / 2.0),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, waiting_);
}

void ExploreCanvas::paint_content(QPainter& painter) {
  painter.setClipRect(area());
  picture_->paint(painter, area().translated(0, -top()), false, hasFocus() ? cursor_ : Spot{});
  painter.setClipping(false);
}

void ExploreCanvas::hover(const std::optional<QPointF>& position) {
  const auto spot = position ? spot_at(*position) : std::nullopt;
  setCursor(spot ? Qt::PointingHandCursor : Qt::ArrowCursor);
  emit pointed(spot.value_or(Spot{}));
}

void ExploreCanvas::click(const QMouseEvent& event) {
  const auto spot = spot_at(event.position());
  if (!spot) return;
  set_cursor(*spot);
  emit clicked(*spot);
}

void ExploreCanvas::double_click(const QPointF& position) {
  if (const auto spot = spot_at(position))
    emit double_clicked(*spot);
  else
    fit();
}

void ExploreCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
    return Canvas::keyPressEvent(event);
  if (take_head_key(*event) || scroll_key(event->key(), false)) return;
  const auto move = [this](int columns, int rows) {
    if (!picture_) return;
    const Spot to = picture_->moved(cursor_, columns, rows);
    if (to == cursor_) return;
    set_cursor(to);
    emit chosen(to);
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return move(-1, 0);
    case Qt::Key_Right:
      return move(1, 0);
    case Qt::Key_Up:
      return move(0, -1);
    case Qt::Key_Down:
      return move(0, 1);
    case Qt::Key_Home:
      return scroll_to(0);
    case Qt::Key_End:
      return scroll_to(bar().maximum());
    case Qt::Key_F:
      return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor_.is_somewhere()) emit opened(cursor_);
      return;
    case Qt::Key_Escape:
      set_cursor({});
      return emit cleared();
    default:
      if (event->key() >= Qt::Key_A && event->key() <= Qt::Key_Z && event->modifiers() == 0)
        return emit key_asked(event->key());
      Canvas::keyPressEvent(event);
  }
}

}  // namespace attn::gui

#include "moc_explore_canvas.cpp"
