// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/frame_times.h"

#include <QAbstractScrollArea>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr double kWindow_ms = 1000;

// The widget that gets the view's key events; if that is a scroll area, its viewport.
QWidget* painted_part(View& view) {
  QWidget* part = view.focusProxy() ? view.focusProxy() : &view;
  while (part->focusProxy()) part = part->focusProxy();
  if (auto* area = qobject_cast<QAbstractScrollArea*>(part)) return area->viewport();
  return part;
}

class FrameTimer : public QObject {
 public:
  explicit FrameTimer(QWidget* part) : QObject(part), part_(part) {
    clock_.start();
    part->installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched != part_ || event->type() != QEvent::Paint) return false;
    const qint64 begin_ns = clock_.nsecsElapsed();
    part_->removeEventFilter(this);
    QCoreApplication::sendEvent(part_, event);
    part_->installEventFilter(this);
    const qint64 end_ns = clock_.nsecsElapsed();
    times_.add(static_cast<double>(end_ns) * 1e-6, static_cast<double>(end_ns - begin_ns) * 1e-6);
    paint();
    return true;
  }

 private:
  void paint() {
    QPainter painter(part_);
    painter.setFont(Theme::instance().mono(TextRole::kSmall));
    const QString text = QStringLiteral(" %1 ms, worst %2 ms ")
                             .arg(times_.last_ms(), 0, 'f', 1)
                             .arg(times_.worst_ms(), 0, 'f', 1);
    const QFontMetrics metrics(painter.font());
    // visibleRegion(), because the widget may lie partly outside a scroll area.
    const QRect seen = part_->visibleRegion().boundingRect();
    QRect box(QPoint(), QSize(metrics.horizontalAdvance(text), metrics.height()));
    box.moveBottomLeft(seen.bottomLeft());
    painter.fillRect(box, Qt::black);
    painter.setPen(Qt::white);
    painter.drawText(box, Qt::AlignCenter, text);
  }

  QWidget* part_;
  QElapsedTimer clock_;
  FrameTimes times_;
};

}  // namespace

void FrameTimes::add(double end_ms, double duration_ms) {
  frames_.push_back({end_ms, duration_ms});
  while (frames_.front().end_ms < end_ms - kWindow_ms) frames_.pop_front();
}

double FrameTimes::worst_ms() const {
  double worst = 0;
  for (const Frame& frame : frames_) worst = std::max(worst, frame.duration_ms);
  return worst;
}

void show_frame_times(const std::vector<View*>& views) {
  for (View* view : views) {
    QWidget* part = painted_part(*view);
    new FrameTimer(part);
    part->update();
  }
}

}  // namespace attn::gui
