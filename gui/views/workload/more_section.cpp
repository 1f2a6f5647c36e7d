// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/more_section.h"

#include "gui/theme/icons.h"

namespace attn::gui {

MoreSection::MoreSection(const QString& about, QWidget* parent)
    : QWidget(parent),
      button_(new QToolButton),
      body_(new QWidget),
      fields_(new QVBoxLayout(body_)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(button_);
  layout->addWidget(body_);
  fields_->setContentsMargins(0, 0, 0, 0);
  fields_->setSpacing(8);
  button_->setText(tr("More"));
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button_->setAutoRaise(true);
  button_->setCheckable(true);
  button_->setAccessibleName(about);
  connect(button_, &QToolButton::toggled, this, &MoreSection::toggle);
  toggle(false);
}

void MoreSection::toggle(bool open) {
  body_->setVisible(open);
  button_->setIcon(icon(open ? Icon::kChevronDown : Icon::kChevronRight));
  button_->setToolTip(open ? tr("Hide these fields") : tr("Show fields that are rarely needed"));
}

}  // namespace attn::gui

#include "moc_more_section.cpp"
