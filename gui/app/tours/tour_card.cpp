// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/tours/tour_card.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <vector>

#include "gui/theme/icons.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr double kWidth = 360;  // px at 100%
constexpr int kEdge = 8;        // least distance to the window's edge, px
constexpr int kApart = 14;      // distance to the place with the ring, px

int64_t common_area(const QRect& a, const QRect& b) {
  const QRect both = a & b;
  return both.isEmpty() ? 0 : int64_t{both.width()} * both.height();
}

bool is_next(int key) {
  return key == Qt::Key_Right || key == Qt::Key_Down || key == Qt::Key_PageDown;
}
bool is_back(int key) {
  return key == Qt::Key_Left || key == Qt::Key_Up || key == Qt::Key_PageUp ||
         key == Qt::Key_Backspace;
}

}  // namespace

TourCard::TourCard(QWidget* window)
    : QFrame(window),
      count_(new QLabel),
      title_(new QLabel),
      text_(new QLabel),
      back_(new QPushButton(tr("Back"))),
      next_(new QPushButton),
      close_(new QToolButton) {
  setObjectName(QStringLiteral("tour"));
  setFrameShape(QFrame::Box);
  setAutoFillBackground(true);
  for (QLabel* label : {count_, title_, text_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  close_->setIcon(icon(Icon::kClose));
  close_->setAutoRaise(true);
  close_->setAccessibleName(tr("End the tour"));
  close_->setToolTip(tr("End the tour (Esc)"));
  auto* top = new QHBoxLayout;
  top->addWidget(count_, 1);
  top->addWidget(close_, 0, Qt::AlignTop);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(back_);
  buttons->addWidget(next_);
  auto* column = new QVBoxLayout(this);
  column->addLayout(top);
  column->addWidget(title_);
  column->addWidget(text_);
  column->addLayout(buttons);
  connect(next_, &QPushButton::clicked, this, &TourCard::next_asked);
  connect(back_, &QPushButton::clicked, this, &TourCard::back_asked);
  connect(close_, &QToolButton::clicked, this, &TourCard::end_asked);
  connect(&Theme::instance(), &Theme::changed, this, &TourCard::restyle);
  for (QWidget* button : std::initializer_list<QWidget*>{back_, next_, close_})
    button->installEventFilter(this);
  restyle();
}

void TourCard::restyle() {
  const Theme& theme = Theme::instance();
  const ThemeColors& c = theme.colors();
  const auto style = [](QLabel* label, const QFont& font, const QColor& color) {
    label->setFont(font);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, color);
    label->setPalette(palette);
  };
  QPalette ground = palette();
  ground.setColor(QPalette::Window, c.raised);
  ground.setColor(QPalette::WindowText, c.accent);  // the frame
  setPalette(ground);
  setLineWidth(std::max(1, static_cast<int>(theme.line(2))));
  style(count_, theme.font(TextRole::kSmall), c.muted);
  style(title_, theme.font(TextRole::kTitle, QFont::DemiBold), c.text);
  style(text_, theme.font(), c.text);
  const int edge = theme.px(12);
  layout()->setContentsMargins(edge, theme.px(8), edge, edge);
  layout()->setSpacing(theme.px(6));
  for (QPushButton* button : {back_, next_}) button->setFont(theme.font());
}

void TourCard::show_words(const Words& words, const QRect& ringed) {
  if (words != words_) {
    words_ = words;
    count_->setText(words.count > 1
                        ? tr("%1: %2 of %3").arg(words.view).arg(words.number).arg(words.count)
                        : words.view);
    title_->setText(words.title);
    text_->setText(words.text);
    next_->setText(words.number == words.count ? tr("Done") : tr("Next"));
    back_->setEnabled(words.number > 1);
    back_->setVisible(words.count > 1);
    setAccessibleName(words.title);
    setAccessibleDescription(words.text);
    // For screen readers, because this button has the focus.
    next_->setAccessibleDescription(QStringLiteral("%1. %2").arg(words.title, words.text));
  }
  place(ringed);
}

// Tries several places for the card and takes the one at which it covers least of the ringed place.
void TourCard::place(const QRect& ringed) {
  // The layouts may not notice that the size of a button changed with the style.
  for (QLayout* part : findChildren<QLayout*>()) part->invalidate();
  const QRect room = parentWidget()->rect().adjusted(kEdge, kEdge, -kEdge, -kEdge);
  const int width = std::min(Theme::instance().px(kWidth), room.width());
  const QSize size(width,
                   std::min(std::max(layout()->totalHeightForWidth(width), 1), room.height()));
  const int left = ringed.center().x() - width / 2, top = ringed.center().y() - size.height() / 2;
  const std::vector<QPoint> places{geometry().topLeft(),
                                   {left, ringed.bottom() + kApart},
                                   {left, ringed.top() - kApart - size.height()},
                                   {ringed.right() + kApart, top},
                                   {ringed.left() - kApart - width, top},
                                   {room.right() - width, room.bottom() - size.height()},
                                   {room.left(), room.bottom() - size.height()},
                                   {room.right() - width, room.top()},
                                   {room.left(), room.top()}};
  const QRect around = ringed.adjusted(-kEdge, -kEdge, kEdge, kEdge);
  QRect best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t i = isVisible() ? 0 : 1; i < places.size(); ++i) {
    QRect at(places[i], size);
    at.moveLeft(
        std::clamp(at.left(), room.left(), std::max(room.left(), room.right() - width + 1)));
    at.moveTop(
        std::clamp(at.top(), room.top(), std::max(room.top(), room.bottom() - size.height() + 1)));
    if (const int64_t covered = common_area(at, around); covered < least) {
      least = covered;
      best = at;
    }
  }
  if (geometry() != best) setGeometry(best);
}

bool TourCard::take_key(int key) {
  if (key == Qt::Key_Escape)
    emit end_asked();
  else if (is_next(key))
    emit next_asked();
  else if (is_back(key))
    emit back_asked();
  else
    return false;
  return true;
}

bool TourCard::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape || is_next(key) || is_back(key)) {
      event->accept();
      return true;
    }
  }
  return QFrame::event(event);
}

// Takes keys before a button does: a button would move the focus with the arrow keys.
bool TourCard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto& press = *static_cast<QKeyEvent*>(event);
    if (press.modifiers() == Qt::NoModifier || press.modifiers() == Qt::KeypadModifier)
      if (take_key(press.key())) return true;
    if (auto* button = qobject_cast<QAbstractButton*>(watched);
        button && (press.key() == Qt::Key_Return || press.key() == Qt::Key_Enter)) {
      button->click();
      return true;
    }
  }
  return QFrame::eventFilter(watched, event);
}

}  // namespace attn::gui

#include "moc_tour_card.cpp"
