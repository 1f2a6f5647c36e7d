// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/spotlight/spotlight.h"

#include <QEvent>
#include <QPainter>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kBetweenLooks_ms = 80;
constexpr int kClosingIn_ms = 250;
constexpr double kWide = 7, kNarrow = 3;  // px, widths of the outer and the inner line
constexpr double kRadius = 20;            // px at 100%, of the circle
constexpr double kFirst = 3;              // the circle begins this many times as large
constexpr double kAway = 4;               // px at 100%, from the part to its frame
constexpr double kOpening = 40;           // px at 100%, how much farther away the frame begins
// The frame of a row is thin and near, so that it covers little of the rows beside it.
constexpr double kWideOfRow = 4, kNarrowOfRow = 2, kAwayOfRow = 2;

}  // namespace

Spotlight::Spotlight(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  look_.setInterval(kBetweenLooks_ms);
  connect(&look_, &QTimer::timeout, this, &Spotlight::follow);
  closing_in_.setStartValue(kFirst);
  closing_in_.setEndValue(1.0);
  closing_in_.setDuration(kClosingIn_ms);
  closing_in_.setEasingCurve(QEasingCurve::OutCubic);
  connect(&closing_in_, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
  hide();
}

void Spotlight::show_on(View* view) {
  show_on(view, {});
}

void Spotlight::show_on(View* view, const QRect& part) {
  if (view && view == view_ && !part.isEmpty() && part == part_) return;
  if (view_) view_->removeEventFilter(this);
  view_ = view;
  part_ = part;
  place_.reset();
  closing_in_.stop();
  if (!view) {
    look_.stop();
    hide();
    return;
  }
  setParent(view);
  view->installEventFilter(this);
  setGeometry(view->rect());
  look_.start();
  follow();
}

std::optional<QPoint> Spotlight::place_now() const {
  if (!view_->isVisible()) return std::nullopt;
  return part_.isEmpty() ? view_->place_of_selection() : part_.center();
}

QRect Spotlight::framed_now() const {
  return part_.isEmpty() ? view_->row_of_selection().value_or(QRect()) : part_;
}

void Spotlight::follow() {
  if (!view_) return show_on(nullptr);
  const std::optional<QPoint> now = place_now();
  const QRect framed = now ? framed_now() : QRect();
  if (now == place_ && framed == framed_) return;
  const bool first = now && !place_;
  place_ = now;
  framed_ = framed;
  setVisible(now.has_value());
  if (!now) return;
  setGeometry(view_->rect());
  raise();
  if (first && !Theme::instance().reduce_motion()) closing_in_.start();
  update();
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
  if (watched == view_ && event->type() == QEvent::Resize) setGeometry(view_->rect());
  return QWidget::eventFilter(watched, event);
}

// A wide line in one colour lies under a narrow one in another, for contrast on any ground. The
// frame of a part lies wholly within the view. Of the frame of a row, the wide line may reach out
// of the view, because many rows begin at the edge of their view.
void Spotlight::paintEvent(QPaintEvent*) {
  if (!place_) return;
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool moving = closing_in_.state() == QAbstractAnimation::Running;
  const double wider = moving ? closing_in_.currentValue().toDouble() : 1.0;
  const bool is_row = part_.isEmpty() && !framed_.isEmpty();
  const auto draw = [&](const QColor& color, double width) {
    painter.setPen(QPen(color, theme.line(width)));
    if (framed_.isEmpty()) {
      const double radius = theme.px(kRadius) * wider;
      painter.drawEllipse(QPointF(*place_), radius, radius);
      return;
    }
    const double near = theme.px(is_row ? kAwayOfRow : kAway);
    const double away = near + theme.px(kOpening) * (wider - 1) / (kFirst - 1);
    const double inside = theme.line(is_row ? kNarrowOfRow : kWide) / 2;
    painter.drawRoundedRect(QRectF(framed_).adjusted(-away, -away, away, away) &
                                QRectF(rect()).adjusted(inside, inside, -inside, -inside),
                            theme.px(kAway), theme.px(kAway));
  };
  draw(theme.colors().surface, is_row ? kWideOfRow : kWide);
  draw(theme.colors().accent, is_row ? kNarrowOfRow : kNarrow);
}

}  // namespace attn::gui

#include "moc_spotlight.cpp"
