// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/choice_input.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionButton>
#include <QVBoxLayout>

#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kFlags = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap;

}  // namespace

ChoiceButton::ChoiceButton(const QString& letter, const QString& words, QWidget* parent)
    : QAbstractButton(parent), letter_(letter), words_(words) {
  setCheckable(true);
  setAttribute(Qt::WA_Hover);
  setFocusPolicy(Qt::StrongFocus);
  setText(words);
  setAccessibleName(QStringLiteral("%1. %2").arg(letter, words));
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    updateGeometry();
    update();
  });
}

void ChoiceButton::set_verdict(Verdict verdict) {
  verdict_ = verdict;
  const QString said = verdict == Verdict::kRight   ? tr("correct")
                       : verdict == Verdict::kWrong ? tr("not correct")
                                                    : QString();
  setAccessibleDescription(said);
  update();
}

QRect ChoiceButton::words_rect(int width) const {
  const Theme& theme = Theme::instance();
  const int left = theme.px(16) + theme.px(10) + theme.px(22), right = theme.px(26);
  return {left, theme.px(7), std::max(theme.px(40), width - left - right), 100000};
}

int ChoiceButton::heightForWidth(int width) const {
  const QFontMetrics metrics(Theme::instance().font());
  const QRect room = words_rect(width);
  return std::max(Theme::instance().px(32),
                  metrics.boundingRect(room, kFlags, words_).height() + 2 * room.top());
}

QSize ChoiceButton::sizeHint() const {
  const int width = Theme::instance().px(260);
  return {width, heightForWidth(width)};
}

QSize ChoiceButton::minimumSizeHint() const {
  return {Theme::instance().px(120), Theme::instance().px(32)};
}

void ChoiceButton::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool on = isChecked();
  painter.setPen(QPen(hasFocus() ? colors.accent : colors.line, hasFocus() ? 2 : 1));
  painter.setBrush(on                            ? mix(colors.raised, colors.accent, 0.16)
                   : underMouse() && isEnabled() ? mix(colors.raised, colors.text, 0.06)
                                                 : colors.raised);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
  QStyleOptionButton mark;
  mark.initFrom(this);
  mark.state = (isEnabled() ? QStyle::State_Enabled : QStyle::State_None) |
               (on ? QStyle::State_On : QStyle::State_Off);
  const int side = theme.px(16);
  mark.rect = QRect(theme.px(8), (height() - side) / 2, side, side);
  style()->drawPrimitive(QStyle::PE_IndicatorRadioButton, &mark, &painter, this);
  painter.setFont(theme.font(TextRole::kBody, QFont::DemiBold));
  painter.setPen(colors.text);
  painter.drawText(QRect(theme.px(30), 0, theme.px(18), height()), Qt::AlignCenter, letter_);
  painter.setFont(theme.font());
  QRect room = words_rect(width());
  room.setTop(0);
  room.setHeight(height());
  painter.drawText(room, kFlags, words_);
  if (verdict_ == Verdict::kNone) return;
  const bool right = verdict_ == Verdict::kRight;
  painter.drawPixmap(width() - theme.px(8) - side, (height() - side) / 2,
                     icon_pixmap(right ? Icon::kCheck : Icon::kClose, side,
                                 right ? colors.good : colors.bad, devicePixelRatioF()));
}

ChoiceInput::ChoiceInput(QWidget* parent) : QWidget(parent), group_(new QButtonGroup(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  connect(group_, &QButtonGroup::idToggled, this, [this](int, bool on) {
    if (on) emit changed();
  });
}

QString ChoiceInput::letter(int index) {
  return QString(QChar(u'A' + static_cast<char16_t>(index % 26)));
}

void ChoiceInput::set_choices(const QString& question, const QStringList& choices) {
  open_ = true;
  setAccessibleName(question);
  for (ChoiceButton* old : buttons_) {
    group_->removeButton(old);
    old->hide();
    old->deleteLater();
  }
  buttons_.clear();
  for (const QString& words : choices) {
    auto* button = new ChoiceButton(letter(count()), words, this);
    group_->addButton(button, count());
    layout()->addWidget(button);
    buttons_.push_back(button);
  }
  setFocusProxy(buttons_.empty() ? nullptr : buttons_.front());
}

void ChoiceInput::choose(int index) {
  if (!open_) return;
  if (index >= 0 && index < count()) return button(index)->setChecked(true);
  group_->setExclusive(false);
  for (ChoiceButton* one : buttons_) one->setChecked(false);
  group_->setExclusive(true);
}

void ChoiceInput::close(int right) {
  open_ = false;
  for (int i = 0; i < count(); ++i) {
    button(i)->setEnabled(false);
    if (right < 0) continue;
    if (i == right)
      button(i)->set_verdict(ChoiceButton::Verdict::kRight);
    else if (i == chosen())
      button(i)->set_verdict(ChoiceButton::Verdict::kWrong);
  }
}

bool ChoiceInput::take(int index, const QKeyEvent& event) {
  if (!open_ || index < 0 || index >= count() || event.modifiers() != Qt::NoModifier) return false;
  button(index)->setFocus();
  button(index)->setChecked(true);
  return true;
}

bool ChoiceInput::take_key(const QKeyEvent& event) {
  return event.key() <= Qt::Key_9 && take(event.key() - Qt::Key_1, event);
}

void ChoiceInput::keyPressEvent(QKeyEvent* event) {
  const bool is_letter = event->key() >= Qt::Key_A && event->key() <= Qt::Key_Z;
  if (!take_key(*event) && !(is_letter && take(event->key() - Qt::Key_A, *event)))
    QWidget::keyPressEvent(event);
}

}  // namespace attn::gui

#include "moc_choice_input.cpp"
