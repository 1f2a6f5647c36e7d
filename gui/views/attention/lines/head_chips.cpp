// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/head_chips.h"

#include <QPainter>
#include <QSignalBlocker>
#include <algorithm>

#include "gui/theme/theme.h"

namespace attn::gui {

namespace {

// A filled square if the head is on, a hollow one if it is off, so that they differ in shape as
// well.
QIcon swatch(const QColor& color, bool on) {
  const Theme& theme = Theme::instance();
  const int side = theme.px(12);
  QPixmap picture(side * 2, side * 2);
  picture.setDevicePixelRatio(2);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, 2));
  painter.setBrush(on ? QBrush(color) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(QRectF(1.5, 1.5, side - 3, side - 3), 2, 2);
  return QIcon(picture);
}

}  // namespace

HeadChips::HeadChips(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Heads that are drawn"));
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void HeadChips::set_heads(int64_t count, int64_t group, const std::vector<QColor>& colors,
                          const std::vector<int64_t>& checked) {
  group_ = std::max<int64_t>(1, group);
  if (static_cast<int64_t>(chips_.size()) != count) {
    qDeleteAll(chips_);
    chips_.clear();
    for (int64_t head = 0; head < count; ++head) {
      auto* chip = new QToolButton(this);
      chip->setCheckable(true);
      chip->setAutoRaise(true);
      chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
      chip->setText(QString::number(head));
      chip->setAccessibleName(tr("Head %1").arg(head));
      connect(chip, &QToolButton::toggled, this, [this, head](bool on) { emit toggled(head, on); });
      chip->show();
      chips_.push_back(chip);
    }
    updateGeometry();
  }
  colors_ = colors;
  const int side = Theme::instance().px(12);
  for (int64_t head = 0; head < count; ++head) {
    QToolButton* chip = chips_[static_cast<size_t>(head)];
    const bool on = std::ranges::find(checked, head) != checked.end();
    const QSignalBlocker blocker(chip);
    chip->setChecked(on);
    chip->setIconSize({side, side});
    chip->setIcon(swatch(colors[static_cast<size_t>(head)], on));
    chip->setToolTip(
        tr("Draw or hide the lines of head %1 (KV head %2)").arg(head).arg(head / group_));
  }
  arrange(width(), true);
  setFixedHeight(arrange(width(), false));
  update();
}

int HeadChips::arrange(int width, bool move) const {
  const Theme& theme = Theme::instance();
  const int high = theme.px(26), gap = theme.px(2), apart = theme.px(8);
  int x = theme.px(12), y = theme.px(2);
  for (size_t i = 0; i < chips_.size(); ++i) {
    const int wide = std::max(theme.px(40), chips_[i]->sizeHint().width());
    if (i > 0) x += static_cast<int64_t>(i) % group_ == 0 && group_ > 1 ? apart : gap;
    if (x + wide > width - gap && x > theme.px(12)) {
      x = theme.px(12);
      y += high + gap;
    }
    if (move) chips_[i]->setGeometry(x, y, wide, high);
    x += wide;
  }
  return chips_.empty() ? 0 : y + high + theme.px(2);
}

int HeadChips::heightForWidth(int width) const {
  return arrange(width, false);
}

QSize HeadChips::sizeHint() const {
  return {200, arrange(std::max(200, width()), false)};
}

void HeadChips::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange(width(), true);
  const int high = arrange(width(), false);
  if (high != height()) setFixedHeight(high);
}

void HeadChips::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeColors& colors = Theme::instance().colors();
  painter.fillRect(rect(), colors.surface);
  painter.fillRect(0, height() - 1, width(), 1, colors.line);
}

}  // namespace attn::gui

#include "moc_head_chips.cpp"
