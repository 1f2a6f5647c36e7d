// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/time_bar.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>

#include "gui/theme/icons.h"
#include "gui/theme/panel_header.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

// A slider with a preferred width of 140 px and a minimum width of 32 px, at 100% text size.
class StepSlider : public QSlider {
 public:
  StepSlider() : QSlider(Qt::Horizontal) {}
  QSize sizeHint() const override {
    return {Theme::instance().px(140), QSlider::sizeHint().height()};
  }
  QSize minimumSizeHint() const override {
    return {Theme::instance().px(32), QSlider::minimumSizeHint().height()};
  }
};

}  // namespace

TimeBar::TimeBar(TimeCursor& cursor, QWidget* parent)
    : QWidget(parent),
      cursor_(cursor),
      back_(new QToolButton),
      forward_(new QToolButton),
      live_(new QToolButton),
      slider_(new StepSlider),
      step_(new QLabel) {
  set_up_tool(back_, Icon::kChevronLeft, tr("Step back"), tr("Show the previous step (Ctrl+Left)"));
  set_up_tool(forward_, Icon::kChevronRight, tr("Step forward"),
              tr("Show the next step (Ctrl+Right)"));
  set_up_switch(live_, tr("Live"), tr("Show the newest step"),
                tr("Show the newest step and follow the run (Ctrl+End)"));
  slider_->setAccessibleName(tr("Step shown"));
  slider_->setToolTip(tr("The step that most views show."));
  slider_->setFocusPolicy(Qt::StrongFocus);
  step_->setToolTip(tr("An engine step computes at most one batch: prefills, decodes or both."));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 8, 0);
  row->setSpacing(4);
  for (QWidget* part : std::initializer_list<QWidget*>{back_, slider_, forward_, step_, live_})
    row->addWidget(part);

  connect(back_, &QToolButton::clicked, &cursor, [&cursor] { cursor.move(-1); });
  connect(forward_, &QToolButton::clicked, &cursor, [&cursor] { cursor.move(1); });
  connect(slider_, &QSlider::valueChanged, &cursor,
          [&cursor](int step) { cursor.go_to(static_cast<uint32_t>(step)); });
  connect(live_, &QToolButton::clicked, this, [this] {
    if (cursor_.is_live()) {
      cursor_.go_to(cursor_.step());
    } else {
      cursor_.go_live();
    }
    refresh();
  });
  connect(&cursor, &TimeCursor::moved, this, &TimeBar::refresh);
  connect(&cursor, &TimeCursor::range_changed, this, &TimeBar::refresh);
  connect(&Theme::instance(), &Theme::changed, this, &TimeBar::restyle);
  restyle();
  refresh();
}

void TimeBar::restyle() {
  const Theme& theme = Theme::instance();
  slider_->updateGeometry();
  step_->setFont(theme.mono(TextRole::kSmall));
  live_->setFont(theme.font(TextRole::kSmall));
  for (QToolButton* button : {back_, forward_}) button->setFixedSize(theme.px(22), theme.px(22));
  live_->setFixedHeight(theme.px(22));
  refresh();
}

void TimeBar::refresh() {
  const StepHistory::Range range = cursor_.range();
  const bool past = !cursor_.is_live();
  const uint32_t step = cursor_.step();
  {
    const QSignalBlocker quiet(slider_);
    slider_->setEnabled(!range.empty());
    if (!range.empty()) {
      slider_->setRange(static_cast<int>(range.first), static_cast<int>(range.last));
      slider_->setValue(static_cast<int>(step));
    }
  }
  back_->setEnabled(!range.empty() && step > range.first);
  back_->setToolTip(range.empty() ? tr("There is no step to go back to")
                                  : tr("Show the previous step (Ctrl+Left)"));
  forward_->setEnabled(past);
  live_->setEnabled(!range.empty());
  live_->setChecked(!past);
  const QLocale locale;
  step_->setText(past ? tr("step %1 of %2").arg(locale.toString(step), locale.toString(range.last))
                      : tr("step %1").arg(locale.toString(step)));
  QPalette palette = step_->palette();
  const ThemeColors& colors = Theme::instance().colors();
  palette.setColor(QPalette::WindowText, past ? colors.accent : colors.text);
  step_->setPalette(palette);
}

}  // namespace attn::gui

#include "moc_time_bar.cpp"
