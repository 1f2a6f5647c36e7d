// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/step_progress_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLocale>
#include <chrono>

#include "gui/models/words/run_words.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr std::chrono::milliseconds kLongStep{500};  // the bar is shown for steps that take longer
constexpr int kProgressTick_ms = 100;

}  // namespace

StepProgressBar::StepProgressBar(RunControl& control, QAction& stop, QWidget* parent)
    : QWidget(parent),
      control_(control),
      text_(new QLabel),
      part_(new QProgressBar),
      stop_(new QToolButton) {
  text_->setToolTip(
      tr("The step under way: its layer, and how much of that layer's attention is done."));
  part_->setTextVisible(false);
  part_->setRange(0, 100);
  part_->setToolTip(text_->toolTip());
  part_->setAccessibleName(tr("How much of the layer's attention is done"));
  stop_->setDefaultAction(&stop);
  stop_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 8, 0);
  row->setSpacing(6);
  for (QWidget* part : std::initializer_list<QWidget*>{part_, text_, stop_}) row->addWidget(part);
  hide();
  timer_.setInterval(kProgressTick_ms);
  connect(&timer_, &QTimer::timeout, this, &StepProgressBar::look);
  connect(&control, &RunControl::state_changed, this, &StepProgressBar::look);
  connect(&control.bridge(), &EngineBridge::snapshot_changed, this, [this] {
    if (!timer_.isActive()) look();
  });
  connect(&Theme::instance(), &Theme::changed, this, &StepProgressBar::restyle);
  restyle();
}

void StepProgressBar::restyle() {
  const Theme& theme = Theme::instance();
  text_->setFont(theme.mono(TextRole::kSmall));
  part_->setFixedSize(theme.px(64), theme.px(8));
  stop_->setFont(theme.font(TextRole::kSmall));
  stop_->setFixedHeight(theme.px(22));
}

void StepProgressBar::look() {
  const bool runs = control_.is_running() && control_.bridge().snapshot();
  if (runs != timer_.isActive()) runs ? timer_.start() : timer_.stop();
  const StepProgress::State at = control_.bridge().runner().progress();
  const bool is_long =
      runs && at.in_step && std::chrono::steady_clock::now() - at.begin >= kLongStep;
  const int width = text_->sizeHint().width();
  if (is_long) {
    text_->setText(tr("step %1: %2").arg(QLocale().toString(at.step), progress_words(at)));
    part_->setValue(percent_done(at));
  }
  if (is_long == isHidden()) {
    setVisible(is_long);
    emit shown_changed();
  } else if (is_long && text_->sizeHint().width() != width) {
    emit shown_changed();
  }
}

}  // namespace attn::gui

#include "moc_step_progress_bar.cpp"
