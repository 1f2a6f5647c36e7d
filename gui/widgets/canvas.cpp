// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QTextDocumentFragment>
#include <QToolTip>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/shortened_text.h"

namespace attn::gui {

Canvas::Canvas(const QString& name, QWidget* parent)
    : QWidget(parent), run_button_(new QPushButton(tr("Run"), this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);  // paints its whole area
  setAccessibleName(name);
  run_button_->hide();
  connect(run_button_, &QPushButton::clicked, this, &Canvas::run_asked);
}

bool Canvas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QString text = tooltip_at(help->pos());
  if (text.isEmpty())
    if (const QString whole = whole_text_at(*this, help->pos()); !whole.isEmpty())
      text = plain_tooltip(whole);
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), text, this);
  return true;
}

ViewPoint Canvas::point_at(const QPointF& position) {
  QString text = tooltip_at(position);
  if (Qt::mightBeRichText(text)) text = QTextDocumentFragment::fromHtml(text).toPlainText();
  ViewPoint point;
  point.text = text.trimmed();
  return point;
}

bool Canvas::take_head_key(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_Period:
      emit head_step_asked(1);
      return true;
    case Qt::Key_Comma:
      emit head_step_asked(-1);
      return true;
    case Qt::Key_Greater:
    case Qt::Key_Colon:
      emit layer_step_asked(1);
      return true;
    case Qt::Key_Less:
    case Qt::Key_Semicolon:
      emit layer_step_asked(-1);
      return true;
    default:
      return false;
  }
}

void Canvas::refuse_run(const QString& why) {
  run_button_->setEnabled(why.isEmpty());
  run_button_->setToolTip(why);
}

void Canvas::show_run_button(bool shown) {
  run_button_->setVisible(shown);
  run_button_->adjustSize();
  run_button_->move((width() - run_button_->width()) / 2, height() / 2 + Theme::instance().px(32));
}

void Canvas::paint_empty(QPainter& painter, const QString& title, const QString& sentence) const {
  const Theme& theme = Theme::instance();
  paint_surface(painter, rect(), theme.colors().surface);
  const QRectF top(0, height() / 2.0 - theme.px(30), width(), theme.px(24));
  painter.setFont(theme.font(TextRole::kTitle));
  painter.setPen(theme.colors().text);
  painter.drawText(top, Qt::AlignCenter, title);
  painter.setFont(theme.font());
  painter.setPen(theme.colors().muted);
  const double edge = theme.px(16), first = top.bottom() + theme.px(5);
  painter.drawText(QRectF(edge, first, width() - 2 * edge, height() - first),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, sentence);
}

void Canvas::paint_focus(QPainter& painter) const {
  if (!hasFocus()) return;
  painter.setPen(QPen(Theme::instance().colors().accent, Theme::instance().line(1)));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

}  // namespace attn::gui

#include "moc_canvas.cpp"
