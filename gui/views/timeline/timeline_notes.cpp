// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_notes.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPolygonF>
#include <cmath>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

double flag_width() {
  return Theme::instance().px(8);
}

}  // namespace

QString NoteMark::tooltip() const {
  return QCoreApplication::translate("TimelineNotes", "Note on step %1")
             .arg(QLocale().toString(step)) +
         QLatin1Char('\n') + text;
}

std::vector<NoteMark> note_marks(const std::vector<StepNote>& notes, const EngineSnapshot* snapshot,
                                 const CanvasAxis& axis) {
  std::vector<NoteMark> marks;
  if (!snapshot || !snapshot->steps) return marks;
  for (const StepNote& note : notes) {
    if (note.step > snapshot->steps->size()) break;
    const StepRecord& step = (*snapshot->steps)[note.step - 1];  // steps are numbered from 1
    const double x = axis.to_pixel(static_cast<double>(step.begin_ns));
    if (x < 0 || x > axis.pixels) continue;
    marks.push_back({x, note.step, step.begin_ns, QString::fromStdString(note.text)});
  }
  return marks;
}

void paint_note_marks(QPainter& painter, const QRectF& ruler, const std::vector<NoteMark>& marks) {
  if (marks.empty()) return;
  const ThemeColors& colors = Theme::instance().colors();
  const double width = flag_width(), height = Theme::instance().px(8);
  painter.save();
  painter.setClipRect(ruler.adjusted(0, 0, width, 0));
  for (const NoteMark& mark : marks) {
    const double x = std::round(ruler.left() + mark.x), top = ruler.top() + 1;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colors.text, 1));
    painter.setBrush(colors.warning);
    painter.drawPolygon(
        QPolygonF({QPointF(x + 0.5, top + 0.5), QPointF(x + width, top + height / 2),
                   QPointF(x + 0.5, top + height)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(x, top, 1, ruler.height() - 1), colors.text);
  }
  painter.restore();
}

const NoteMark* note_mark_at(const std::vector<NoteMark>& marks, double x) {
  const double slack = Theme::instance().px(2);
  const NoteMark* found = nullptr;
  for (const NoteMark& mark : marks)
    if (x >= mark.x - slack && x <= mark.x + flag_width() + slack &&
        (!found || std::abs(x - mark.x) < std::abs(x - found->x)))
      found = &mark;
  return found;
}

}  // namespace attn::gui
