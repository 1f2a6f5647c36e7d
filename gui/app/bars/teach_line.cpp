// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/teach_line.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "gui/models/words/scenario_words.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr double kHeight = 24;  // px at 100%

QString in_one_line(const std::shared_ptr<const std::string>& text) {
  return text ? QString::fromStdString(*text).simplified() : QString();
}

}  // namespace

TeachLine::TeachLine(const Selection& selection, const TimeCursor& cursor,
                     const std::vector<QAction*>& panels, QWidget* parent)
    : QWidget(parent), selection_(selection), cursor_(cursor) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 0, 4, 0);
  row->setSpacing(4);
  row->addStretch(1);
  for (QAction* panel : panels) {
    auto* button = new QToolButton;
    button->setDefaultAction(panel);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(tr("Show %1").arg(panel->text()));
    row->addWidget(button);
    buttons_.push_back(button);
  }
  setCursor(Qt::PointingHandCursor);
  later_.setSingleShot(true);
  later_.setInterval(100);
  connect(&later_, &QTimer::timeout, this, &TeachLine::refresh);
  connect(&cursor, &TimeCursor::changed, this, [this] {
    if (isVisible() && !later_.isActive()) later_.start();
  });
  connect(&cursor, &TimeCursor::moved, this, &TeachLine::refresh);
  connect(&selection, &Selection::shown_changed, this, &TeachLine::refresh);
  connect(&Theme::instance(), &Theme::changed, this, &TeachLine::restyle);
  restyle();
}

QSize TeachLine::sizeHint() const {
  const Theme& theme = Theme::instance();
  return {theme.px(200), theme.is_projector() ? theme.px(kHeight) : 0};
}

QSize TeachLine::minimumSizeHint() const {
  return {0, sizeHint().height()};
}

void TeachLine::restyle() {
  const Theme& theme = Theme::instance();
  for (QToolButton* button : buttons_) {
    button->setFont(theme.font(TextRole::kSmall));
    button->setFixedHeight(theme.px(kHeight) - 2);
  }
  setVisible(theme.is_projector());
  updateGeometry();
  refresh();
}

void TeachLine::refresh() {
  if (!Theme::instance().is_projector()) return;
  title_.clear();
  prompt_.clear();
  answer_.clear();
  if (const EngineSnapshot* shown = cursor_.snapshot().get()) {
    if (shown->scenario) title_ = title_of(*shown->scenario);
    auto request = std::ranges::find_if(shown->requests, [this](const RequestView& view) {
      return static_cast<int64_t>(view.id) == selection_.shown_request();
    });
    // If the snapshot does not have the shown request, the first one is shown.
    if (request == shown->requests.end()) request = shown->requests.begin();
    if (request != shown->requests.end()) {
      prompt_ = in_one_line(request->prompt_text);
      answer_ = in_one_line(request->output_text);
    }
  }
  QString all = title_;
  if (!prompt_.isEmpty()) all = tr("%1: %2").arg(all, prompt_);
  if (!answer_.isEmpty()) all = tr("%1 → %2").arg(all, answer_);
  setAccessibleName(all);
  setToolTip(tr("%1\n\nClick to write another prompt.").arg(all));
  update();
}

void TeachLine::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton)
    emit prompt_wanted();
  else
    QWidget::mousePressEvent(event);
}

void TeachLine::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  QPainter painter(this);
  painter.fillRect(rect(), colors.surface);
  painter.fillRect(0, height() - 1, width(), 1, colors.line);
  const QFont plain = theme.font(TextRole::kBody);
  const QFont bold = theme.font(TextRole::kBody, QFont::DemiBold);
  const QFontMetrics metrics(plain), bold_metrics(bold);
  int end = width();
  for (const QToolButton* button : buttons_) end = std::min(end, button->x());
  int at = 12;
  const int gap = theme.px(8), right = end - gap;
  const auto draw = [&](const QString& text, const QFont& font, const QColor& color, int room) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QRect(at, 0, room, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
    at += room;
  };
  const int title = std::min(bold_metrics.horizontalAdvance(title_) + 2, (right - at) / 2);
  if (title <= 0) return;
  draw(bold_metrics.elidedText(title_, Qt::ElideRight, title), bold, colors.text, title);
  at += gap;
  const QString arrow = answer_.isEmpty() ? QString() : QStringLiteral(" → ");
  const int room = right - at - metrics.horizontalAdvance(arrow) - 4;
  if (room <= metrics.horizontalAdvance(QLatin1Char('m')) * 4) return;
  const int answer_needs = answer_.isEmpty() ? 0 : metrics.horizontalAdvance(answer_) + 2;
  const int prompt =
      std::min(metrics.horizontalAdvance(prompt_) + 2, std::max(room / 2, room - answer_needs));
  draw(metrics.elidedText(prompt_, Qt::ElideRight, prompt), plain, colors.text, prompt);
  if (answer_.isEmpty()) return;
  draw(arrow, plain, colors.muted, metrics.horizontalAdvance(arrow));
  const int answer = std::min(answer_needs, right - at);
  draw(metrics.elidedText(answer_, Qt::ElideLeft, answer), plain, colors.accent, answer);
}

}  // namespace attn::gui

#include "moc_teach_line.cpp"
