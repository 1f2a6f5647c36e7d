// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/description.h"

#include <QVBoxLayout>

#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

QString first_sentence(const QString& text) {
  const qsizetype end = text.indexOf(QStringLiteral(". "));
  return end < 0 ? text : text.left(end + 1);
}

}  // namespace

Description::Description(QWidget* parent)
    : QWidget(parent), label_(new QLabel), more_(new QToolButton) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(label_);
  column->addWidget(more_, 0, Qt::AlignLeft);
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  more_->setAutoRaise(true);
  more_->setCheckable(true);
  more_->setAccessibleName(tr("More about the scenario"));
  connect(more_, &QToolButton::toggled, this, &Description::refresh);
  connect(&Theme::instance(), &Theme::changed, this, &Description::restyle);
  restyle();
  refresh();
}

void Description::show_text(const QString& text) {
  if (text == text_) return;
  text_ = text;
  more_->setChecked(false);
  refresh();
}

void Description::refresh() {
  const bool open = more_->isChecked();
  const QString first = first_sentence(text_);
  label_->setText(open ? text_ : first);
  label_->setAccessibleName(text_);
  more_->setText(open ? tr("Less") : tr("More"));
  more_->setIcon(icon(open ? Icon::kChevronDown : Icon::kChevronRight));
  more_->setToolTip(open ? tr("Show only the first sentence")
                         : tr("Show the whole description of the scenario"));
  more_->setVisible(first.size() < text_.size());
  setVisible(!text_.isEmpty());
}

void Description::restyle() {
  const Theme& theme = Theme::instance();
  label_->setFont(theme.font(TextRole::kSmall));
  more_->setFont(theme.font(TextRole::kSmall));
  QPalette palette = label_->palette();
  // On QPalette::Base labels are drawn with QPalette::Text.
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text})
    palette.setColor(role, theme.colors().muted);
  label_->setPalette(palette);
}

}  // namespace attn::gui

#include "moc_description.cpp"
