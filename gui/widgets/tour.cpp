// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/tour.h"

#include <QCoreApplication>
#include <QWidget>

namespace attn::gui {
namespace {

struct TourWords {
  Q_DECLARE_TR_FUNCTIONS(Tour)
};

// The visible part of `place` (in pixels of `part`), in pixels of the view; empty: there is none,
// or `part` is not inside the view.
QRect in_sight(const QWidget& view, const QWidget& part, const QRectF& place) {
  QRect seen = place.toAlignedRect() & part.rect();
  for (const QWidget* widget = &part; widget != &view; widget = widget->parentWidget()) {
    if (!widget->parentWidget() || widget->isHidden()) return {};
    seen = seen.translated(widget->pos()) & widget->parentWidget()->rect();
  }
  return seen;
}

}  // namespace

void Tour::stop(const QWidget& part, const QRectF& place, const QString& title,
                const QString& text) {
  if (const QRect seen = in_sight(view_, part, place); !seen.isEmpty())
    stops_.push_back({title, text, seen});
}

void Tour::stop(const QWidget& part, const QString& title, const QString& text) {
  stop(part, QRectF(part.rect()), title, text);
}

void Tour::nothing(const QString& why) {
  is_empty_ = true;
  stops_ = {{TourWords::tr("Nothing to show yet"), why, view_.rect()}};
}

}  // namespace attn::gui
