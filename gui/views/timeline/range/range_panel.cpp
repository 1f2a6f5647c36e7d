// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/range/range_panel.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "gui/theme/panel_header.h"
#include "gui/theme/theme.h"

namespace attn::gui {

RangePanel::RangePanel(QWidget* parent)
    : QWidget(parent),
      line_(new QLabel(this)),
      table_(new QLabel(this)),
      scroll_(new QScrollArea(this)),
      copy_(new QToolButton(this)),
      zoom_(new QToolButton(this)),
      fold_(new QToolButton(this)),
      clear_(new QToolButton(this)) {
  setAccessibleName(tr("Sums of the selected range"));
  line_->setTextFormat(Qt::PlainText);
  line_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  table_->setTextFormat(Qt::RichText);
  table_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  table_->setMargin(6);
  table_->setAccessibleName(tr("Sums by class of event"));
  table_->setToolTip(
      tr("<qt>Events that touch the range, and the sum of their parts inside it. Do not add "
         "groups: a step contains its kernels, and a kernel contains tiles and tasks. The sum of "
         "several workers or requests can be more than the range is long. Tokens: computed by the "
         "steps that touch the range; of requests, generated in the range.</qt>"));
  scroll_->setWidget(table_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setAccessibleName(tr("Sums by class of event"));

  copy_->setText(tr("Copy sums"));
  copy_->setAutoRaise(true);
  copy_->setAccessibleName(tr("Copy the sums of the range"));
  copy_->setToolTip(tr("Copy the sums of the range as CSV"));
  set_up_tool(zoom_, Icon::kFit, tr("Zoom to the range"), tr("Zoom to the range (Enter)"));
  set_up_tool(clear_, Icon::kClose, tr("Clear the range"), tr("Clear the range (Esc)"));
  fold_->setAutoRaise(true);

  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(6, 0, 2, 0);
  bar->setSpacing(2);
  bar->addWidget(line_, 1);
  for (QToolButton* button : {copy_, zoom_, fold_, clear_}) bar->addWidget(button);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addLayout(bar);
  all->addWidget(scroll_, 1);

  connect(copy_, &QToolButton::clicked, this, &RangePanel::copy_asked);
  connect(zoom_, &QToolButton::clicked, this, &RangePanel::zoom_asked);
  connect(clear_, &QToolButton::clicked, this, &RangePanel::clear_asked);
  connect(fold_, &QToolButton::clicked, this, [this] { emit fold_asked(!folded_); });
  connect(&Theme::instance(), &Theme::changed, this, &RangePanel::restyle);
  set_folded(false, true);
  restyle();
}

int RangePanel::table_width() const {
  return Theme::instance().px(360);
}

void RangePanel::restyle() {
  const QFont small = Theme::instance().font(TextRole::kSmall);
  for (QWidget* widget : std::initializer_list<QWidget*>{line_, table_, copy_})
    widget->setFont(small);
  fill();
}

void RangePanel::show_sums(const std::optional<RangeSums>& sums) {
  if (sums == sums_) return;
  sums_ = sums;
  fill();
}

void RangePanel::set_folded(bool folded, bool can_unfold) {
  folded_ = folded;
  scroll_->setVisible(!folded);
  fold_->setVisible(can_unfold);
  fold_->setIcon(icon(folded ? Icon::kChevronUp : Icon::kChevronDown));
  fold_->setAccessibleName(folded ? tr("Show the table of sums") : tr("Fold the table of sums"));
  fold_->setToolTip(folded ? tr("Show the table beside the lanes") : tr("Fold into one line"));
  fill_line();
}

void RangePanel::fill() {
  const bool has_sums = sums_ && !sums_->groups.empty();
  table_->setText(!sums_     ? tr("The range is later than the step that is shown.")
                  : has_sums ? sums_html(*sums_)
                             : tr("There is no event in the range."));
  copy_->setEnabled(sums_.has_value());
  zoom_->setEnabled(sums_.has_value());
  fill_line();
}

void RangePanel::fill_line() {
  QString text;
  if (!sums_) {
    text = tr("The range is later than the step that is shown.");
  } else {
    text = range_words(sums_->range);
    if (sums_->modelled) text += tr(" (modelled)");
    if (folded_) text += QStringLiteral(" · ") + sums_line(*sums_);
  }
  const int room = line_->width() - 2;
  line_->setText(QFontMetrics(line_->font()).elidedText(text, Qt::ElideRight, std::max(0, room)));
  line_->setToolTip(text);
  line_->setAccessibleName(text);
}

void RangePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layout()->activate();  // sets the line's width
  fill_line();
}

}  // namespace attn::gui

#include "moc_range_panel.cpp"
