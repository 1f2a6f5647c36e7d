// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/theme/panel_header.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"

namespace attn::gui {

namespace {

// A label that shortens its text with an ellipsis, and shows nothing if that leaves fewer than
// kFewestLetters characters.
class ElidedLabel : public QLabel {
 public:
  using QLabel::QLabel;
  QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    constexpr int kFewestLetters = 10;
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, width());
    if (shown != text() && shown.size() < kFewestLetters) return;
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, shown);
  }
};

}  // namespace

PanelHeader::PanelHeader(const QString& title, QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(title)),
      detail_(new ElidedLabel),
      layout_(new QHBoxLayout(this)) {
  layout_->setContentsMargins(12, 0, 4, 0);
  layout_->setSpacing(8);
  layout_->addWidget(title_);
  layout_->addWidget(detail_);
  layout_->addStretch(1);
  detail_->hide();
  // The labels pass mouse events on to the header, by which the user drags a dock.
  title_->setAttribute(Qt::WA_TransparentForMouseEvents);
  detail_->setAttribute(Qt::WA_TransparentForMouseEvents);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  connect(&Theme::instance(), &Theme::changed, this, &PanelHeader::restyle);
  restyle();
}

void PanelHeader::set_detail(const QString& detail) {
  detail_->setText(detail);
  detail_->setVisible(!detail.isEmpty());
}

void PanelHeader::set_hint(const QString& hint) {
  hint_ = hint;
  hint_room_.reset();
  setAccessibleDescription(hint);
  update();
}

// Paints the hint between the texts at the left and the leftmost control that is shown.
void PanelHeader::paint_hint(QPainter& painter) {
  if (hint_.isEmpty()) return;
  const Theme& theme = Theme::instance();
  const QWidget* before = detail_->isHidden() ? title_ : detail_;
  QRect room(before->geometry().right() + theme.px(12), 0, 0, height() - 1);
  room.setRight(width() - theme.px(12));
  for (int i = 0; i < layout_->count(); ++i)
    if (const QWidget* widget = layout_->itemAt(i)->widget();
        widget && widget != title_ && widget != detail_ && !widget->isHidden())
      room.setRight(std::min(room.right(), widget->x() - theme.px(12)));
  const QFont font = theme.font(TextRole::kSmall);
  if (hint_room_ != room.width()) {
    hint_room_ = room.width();
    const QFontMetrics metrics(font);
    const bool fits = room.width() >= std::min(metrics.horizontalAdvance(hint_), theme.px(160));
    hint_line_.setTextFormat(Qt::PlainText);
    hint_line_.setText(fits ? metrics.elidedText(hint_, Qt::ElideRight, room.width()) : QString());
    hint_line_.prepare({}, font);
  }
  painter.setFont(font);
  painter.setPen(theme.colors().muted);
  const double top = (room.height() - hint_line_.size().height()) / 2;
  painter.drawStaticText(QPointF(room.left(), std::round(top)), hint_line_);
}

// The control first loses its parent, so that it comes last in the Tab order.
void PanelHeader::add_control(QWidget* control) {
  control->setParent(nullptr);
  layout_->addWidget(control, 0, Qt::AlignVCenter);
}

void PanelHeader::set_leaving(std::vector<QWidget*> leaving) {
  leaving_ = std::move(leaving);
  fit();
}

void PanelHeader::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

bool PanelHeader::event(QEvent* event) {
  // The tooltip has the header's own tooltip first, and then the hint.
  if (event->type() == QEvent::ToolTip && !hint_.isEmpty()) {
    const QString all = toolTip().isEmpty() ? hint_ : toolTip() + QStringLiteral("\n\n") + hint_;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), all, this);
    return true;
  }
  const bool done = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest) {
    fit();
    if (!hint_.isEmpty()) update();  // the room for the hint may have changed
  }
  return done;
}

void PanelHeader::fit() {
  if (leaving_.empty()) return;
  const auto leaves = [&](const QWidget* widget) {
    return std::ranges::find(leaving_, widget) != leaving_.end();
  };
  const auto width_of = [&](const QWidget* widget) {
    const QSize hint = widget->sizeHint().expandedTo(widget->minimumSize());
    return hint.boundedTo(widget->maximumSize()).width() + layout_->spacing();
  };
  const QMargins margins = layout_->contentsMargins();
  int needed = margins.left() + margins.right();
  for (int i = 0; i < layout_->count(); ++i) {
    QWidget* widget = layout_->itemAt(i)->widget();
    if (!widget || widget == detail_ || (widget->isHidden() && !leaves(widget))) continue;
    needed += width_of(widget);
  }
  for (QWidget* widget : leaving_) {
    const bool stays = needed <= width();
    if (!stays) needed -= width_of(widget);
    if (widget->isHidden() == stays) widget->setHidden(!stays);
  }
}

QSize PanelHeader::minimumSizeHint() const {
  return {Theme::instance().px(120), Theme::instance().px(32)};
}

QSize PanelHeader::sizeHint() const {
  return {layout_->sizeHint().width(), Theme::instance().px(32)};
}

void PanelHeader::restyle() {
  const Theme& theme = Theme::instance();
  title_->setFont(theme.font(TextRole::kBody, QFont::DemiBold));
  detail_->setFont(theme.font(TextRole::kSmall));
  QPalette muted = palette();
  muted.setColor(QPalette::WindowText, theme.colors().muted);
  detail_->setPalette(muted);
  setFixedHeight(theme.px(32));
  hint_room_.reset();
  update();
}

void PanelHeader::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeColors& colors = Theme::instance().colors();
  painter.fillRect(rect(), colors.surface);
  painter.fillRect(0, height() - 1, width(), 1, colors.line);
  paint_hint(painter);
}

void set_up_tool(QToolButton* button, Icon picture, const QString& name, const QString& tip) {
  button->setIcon(icon(picture));
  button->setAutoRaise(true);
  button->setAccessibleName(name);
  button->setToolTip(tip);
}

void set_up_switch(QToolButton* button, const QString& text, const QString& name,
                   const QString& tip) {
  button->setText(text);
  button->setCheckable(true);
  button->setChecked(true);
  button->setAutoRaise(true);
  button->setAccessibleName(name);
  button->setToolTip(tip);
}

}  // namespace attn::gui

#include "moc_panel_header.cpp"
