// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/fit_note.h"

#include <QVBoxLayout>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"

namespace attn::gui {

FitNote::FitNote(QWidget* parent)
    : QWidget(parent), text_(new QLabel), button_(new QPushButton(tr("Make it fit"))) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(text_);
  column->addWidget(button_, 0, Qt::AlignLeft);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  connect(button_, &QPushButton::clicked, this, &FitNote::wanted);
  connect(&Theme::instance(), &Theme::changed, this, &FitNote::restyle);
  hide();
  restyle();
}

void FitNote::show_fit(const PromptFit& fit) {
  refused_ = !fit.runs;
  setVisible(!fit.sentence.isEmpty());
  text_->setText(fit.runs ? fit.sentence : tr("This request cannot run. %1").arg(fit.sentence));
  button_->setVisible(!fit.fix.isEmpty());
  button_->setToolTip(plain_tooltip(tr("Changes: %1").arg(fit.fix)));
  setAccessibleName(text_->text());
  restyle();
}

void FitNote::restyle() {
  const Theme& theme = Theme::instance();
  text_->setFont(theme.font(TextRole::kSmall));
  QPalette palette = text_->palette();
  const QColor color = refused_ ? theme.colors().bad : theme.colors().warning;
  // On QPalette::Base labels are drawn with QPalette::Text.
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text})
    palette.setColor(role, color);
  text_->setPalette(palette);
}

}  // namespace attn::gui

#include "moc_fit_note.cpp"
