// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/lessons/lesson_width.h"

#include <QLayout>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

// The width of a view between Attention and the lesson, in per cent of the width without the
// lesson.
constexpr int kPartOfPanel = 62;

}  // namespace

LessonWidth::LessonWidth(QMainWindow& window, QDockWidget& panel, QTabWidget& attention,
                         const std::vector<View*>& views)
    : QObject(&panel), window_(window), panel_(panel), attention_(attention), views_(views) {
  window.installEventFilter(this);
}

int LessonWidth::width() const {
  const int all = window_.width();
  if (chosen_ > 0) return std::min(chosen_, all / 2);
  const Theme& theme = Theme::instance();
  return std::clamp(all * 34 / 100, std::min(theme.px(340), all / 2), theme.px(460));
}

QDockWidget* LessonWidth::attention_dock() const {
  QWidget* at = &attention_;
  while (at && !qobject_cast<QDockWidget*>(at)) at = at->parentWidget();
  return static_cast<QDockWidget*>(at);
}

// The view between Attention and the lesson, such as Blocks in the layout Teach; null: none.
QDockWidget* LessonWidth::dock_beside(const QDockWidget& attention) const {
  for (const View* view : views_) {
    auto* dock = qobject_cast<QDockWidget*>(view->parentWidget());
    if (dock && !dock->isHidden() && !dock->isFloating() &&
        dock->geometry().left() > attention.geometry().right())
      return dock;
  }
  return nullptr;
}

void LessonWidth::place() {
  QDockWidget* attention = attention_dock();
  QDockWidget* beside = attention ? dock_beside(*attention) : nullptr;
  place(attention, beside, kPartOfPanel);
}

void LessonWidth::place(QDockWidget* attention, QDockWidget* beside, int part_of_beside) {
  QList<QDockWidget*> docks{&panel_};
  QList<int> widths{width()};
  const int rest = window_.width() - width(), of_beside = beside ? rest * part_of_beside / 100 : 0;
  if (beside) {
    docks.prepend(beside);
    widths.prepend(of_beside);
  }
  if (attention) {
    docks.prepend(attention);
    widths.prepend(rest - of_beside);
  }
  window_.resizeDocks(docks, widths, Qt::Horizontal);
}

// Called when Qt has given each panel its part of a new size of the window. Gives the lesson its
// width again; the others keep their ratio.
void LessonWidth::follow_window() {
  QDockWidget* attention = attention_dock();
  QDockWidget* beside = attention ? dock_beside(*attention) : nullptr;
  const int both = beside ? attention->width() + beside->width() : 1;
  place(attention, beside, beside ? 100 * beside->width() / std::max(1, both) : 0);
  window_.layout()->activate();
}

// resizeDocks() takes what is too much from all areas alike, so the widths must add up to those
// that there are.
void LessonWidth::keep() {
  QDockWidget* attention = attention_dock();
  if (panel_.isHidden() || !attention || dragged_from_ >= 0) return;
  window_.layout()->activate();
  const int both = attention->width() + panel_.width();
  window_.resizeDocks({attention, &panel_}, {std::max(1, both - width()), width()}, Qt::Horizontal);
  window_.layout()->activate();
}

bool LessonWidth::eventFilter(QObject* watched, QEvent* event) {
  if (panel_.isHidden()) return false;
  if (event->type() == QEvent::Resize && dragged_from_ < 0) {
    follow_window();
  } else if (event->type() == QEvent::MouseButtonPress &&
             window_.isSeparator(static_cast<QMouseEvent*>(event)->position().toPoint())) {
    dragged_from_ = panel_.width();
  } else if (event->type() == QEvent::MouseButtonRelease && dragged_from_ >= 0) {
    QTimer::singleShot(0, this, [this] {
      if (panel_.width() != dragged_from_) chosen_ = panel_.width();
      dragged_from_ = -1;
    });
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace attn::gui
