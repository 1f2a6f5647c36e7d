// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/key_list.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

QLabel* label(const QString& text, const QFont& font, const QColor& color) {
  auto* result = new QLabel(text);
  result->setTextFormat(Qt::PlainText);
  result->setFont(font);
  result->setWordWrap(true);
  QPalette palette = result->palette();
  palette.setColor(QPalette::WindowText, color);
  result->setPalette(palette);
  return result;
}

}  // namespace

KeyList::KeyList(std::vector<KeySection> sections, QWidget* window)
    : QWidget(window),
      sections_(std::move(sections)),
      scroll_(new QScrollArea(this)),
      before_(window->focusWidget()) {
  setAttribute(Qt::WA_DeleteOnClose);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("All keys"));
  QString spoken;
  for (const KeySection& section : sections_)
    for (const KeyHelp& help : section.keys)
      spoken += QStringLiteral("%1: %2. ").arg(help.keys, help.action);
  setAccessibleDescription(spoken);
  setGeometry(window->rect());
  build();
  window->installEventFilter(this);
  show();
  raise();
  setFocus();
}

QWidget* KeyList::build_section(const KeySection& section) const {
  const Theme& theme = Theme::instance();
  const ThemeColors& c = theme.colors();
  const QFont mono = theme.mono(TextRole::kSmall);
  int key_width = 0;
  for (const KeyHelp& help : section.keys)
    key_width = std::max(key_width, QFontMetrics(mono).horizontalAdvance(help.keys) + 4);
  auto* widget = new QWidget;
  auto* grid = new QGridLayout(widget);
  grid->setContentsMargins(0, 0, 0, theme.px(8));
  grid->setHorizontalSpacing(theme.px(12));
  grid->setVerticalSpacing(theme.px(4));
  grid->setColumnMinimumWidth(0, std::min(key_width, theme.px(170)));
  grid->setColumnStretch(1, 1);
  grid->addWidget(label(section.title, theme.font(TextRole::kBody, QFont::DemiBold), c.accent), 0,
                  0, 1, 2);
  int row = 1;
  for (const KeyHelp& help : section.keys) {
    QLabel* keys = label(help.keys, mono, c.text);
    keys->setFixedWidth(std::min(key_width, theme.px(170)));
    grid->addWidget(keys, row, 0, Qt::AlignTop);
    grid->addWidget(label(help.action, theme.font(), c.muted), row++, 1, Qt::AlignTop);
  }
  return widget;
}

void KeyList::build() {
  const Theme& theme = Theme::instance();
  const int gap = theme.px(24), room = width() - 4 * gap;
  const int columns = std::clamp(room / theme.px(360), 1, 3);
  size_t rows = 0;
  for (const KeySection& section : sections_) rows += section.keys.size() + 2;
  auto* content = new QWidget;
  auto* across = new QHBoxLayout(content);
  across->setContentsMargins(gap, gap, gap, 0);
  across->setSpacing(gap);
  QVBoxLayout* column = nullptr;
  size_t used = 0, taken = 0;
  for (const KeySection& section : sections_) {
    const size_t needed = section.keys.size() + 2;
    const size_t end = rows * static_cast<size_t>(across->count()) / static_cast<size_t>(columns);
    if (!column || (used > 0 && taken + needed / 2 > end && across->count() < columns)) {
      column = new QVBoxLayout;
      across->addLayout(column, 1);
      used = 0;
    }
    column->addWidget(build_section(section));
    used += needed;
    taken += needed;
  }
  for (int i = 0; i < across->count(); ++i)
    static_cast<QVBoxLayout*>(across->itemAt(i)->layout())->addStretch(1);

  auto* hint =
      label(tr("Esc closes this list"), theme.font(TextRole::kSmall), theme.colors().muted);
  hint->setAlignment(Qt::AlignRight);
  hint->setContentsMargins(gap, theme.px(4), gap, theme.px(8));
  auto* all = new QWidget;
  auto* down = new QVBoxLayout(all);
  down->setContentsMargins(0, 0, 0, 0);
  down->setSpacing(0);
  down->addWidget(content, 1);
  down->addWidget(hint);

  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->verticalScrollBar()->setFocusPolicy(Qt::NoFocus);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setWidgetResizable(true);
  scroll_->setWidget(all);
  for (QWidget* ground : {static_cast<QWidget*>(all), scroll_->viewport()}) {
    ground->setAutoFillBackground(true);
    QPalette palette = ground->palette();
    palette.setColor(QPalette::Window, theme.colors().raised);
    ground->setPalette(palette);
  }
  const int panel = std::min(columns * theme.px(400) + 2 * gap, width() - 2 * gap);
  const int inside = panel - scroll_->verticalScrollBar()->sizeHint().width();
  const int high = std::min(all->heightForWidth(inside), height() - 2 * gap);
  scroll_->setGeometry((width() - panel) / 2, (height() - high) / 2, panel, high);
}

void KeyList::paintEvent(QPaintEvent*) {
  const ThemeColors& c = Theme::instance().colors();
  QPainter painter(this);
  QColor veil = c.background;
  veil.setAlpha(200);
  painter.fillRect(rect(), veil);
  painter.setPen(c.line);
  painter.drawRect(scroll_->geometry().adjusted(-1, -1, 0, 0));
}

bool KeyList::scrolls(int key) {
  QScrollBar* bar = scroll_->verticalScrollBar();
  if (bar->maximum() == 0) return false;
  switch (key) {
    case Qt::Key_Up:
      bar->triggerAction(QAbstractSlider::SliderSingleStepSub);
      return true;
    case Qt::Key_Down:
      bar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
      return true;
    case Qt::Key_PageUp:
      bar->triggerAction(QAbstractSlider::SliderPageStepSub);
      return true;
    case Qt::Key_PageDown:
      bar->triggerAction(QAbstractSlider::SliderPageStepAdd);
      return true;
    default:
      return false;
  }
}

void KeyList::keyPressEvent(QKeyEvent* event) {
  event->accept();
  if (!scrolls(event->key())) close();
}

// If ShortcutOverride is not accepted here, a shortcut of the window may take the key.
bool KeyList::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

bool KeyList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == parent()) close();
  return QWidget::eventFilter(watched, event);
}

void KeyList::mousePressEvent(QMouseEvent*) {
  close();
}

// The focus is elsewhere now, so closeEvent() must not give it back.
void KeyList::focusOutEvent(QFocusEvent*) {
  before_.clear();
  close();
}

void KeyList::closeEvent(QCloseEvent* event) {
  if (before_) before_->setFocus();
  QWidget::closeEvent(event);
}

}  // namespace attn::gui

#include "moc_key_list.cpp"
