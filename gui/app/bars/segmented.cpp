// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/segmented.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

#include "gui/theme/theme.h"

namespace attn::gui {

Segmented::Segmented(QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(group_, &QButtonGroup::idClicked, this, &Segmented::chosen_by_user);
}

void Segmented::add_choice(int id, const QString& text, const QString& meaning) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(meaning);
  button->setCheckable(true);
  button->setAutoRaise(true);
  button->setAccessibleDescription(meaning);
  group_->addButton(button, id);
  layout()->addWidget(button);
}

void Segmented::choose(int id) {
  if (QAbstractButton* button = group_->button(id)) button->setChecked(true);
}

void Segmented::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Theme::instance().colors().line);
  painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 6, 6);
}

}  // namespace attn::gui

#include "moc_segmented.cpp"
