// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/spotlight/spotlight.h"

#include <QEvent>
#include <QPainter>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kBetweenLooks_ms = 80;
constexpr int kClosingIn_ms = 250;
constexpr double kRadius = 20;  // px at 100%
constexpr double kFirst = 3;    // the ring begins this many times as wide

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
  if (view_) view_->removeEventFilter(this);
  view_ = view;
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

void Spotlight::follow() {
  if (!view_) return show_on(nullptr);
  const std::optional<QPoint> now = view_->isVisible() ? view_->place_of_selection() : std::nullopt;
  if (now == place_) return;
  const bool first = now && !place_;
  place_ = now;
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

// A line in the accent colour between two in the colour of the surface, so that it is seen on every
// colour of a map.
void Spotlight::paintEvent(QPaintEvent*) {
  if (!place_) return;
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool moving = closing_in_.state() == QAbstractAnimation::Running;
  const double radius = theme.px(kRadius) * (moving ? closing_in_.currentValue().toDouble() : 1.0);
  painter.setPen(QPen(theme.colors().surface, theme.line(7)));
  painter.drawEllipse(QPointF(*place_), radius, radius);
  painter.setPen(QPen(theme.colors().accent, theme.line(3)));
  painter.drawEllipse(QPointF(*place_), radius, radius);
}

}  // namespace attn::gui

#include "moc_spotlight.cpp"
