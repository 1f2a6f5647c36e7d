// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/search/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>

#include "gui/theme/panel_header.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/search/search_terms.h"

namespace attn::gui {

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent),
      line_(new QLineEdit(this)),
      state_(new QLabel(this)),
      previous_(new QToolButton(this)),
      next_(new QToolButton(this)),
      close_(new QToolButton(this)) {
  line_->setPlaceholderText(tr("Find: flash layer 3"));
  line_->setMaxLength(SearchTerms::kMostLetters);
  line_->setTextMargins(6, 0, 4, 0);
  line_->setAccessibleName(tr("Find in the timeline"));
  line_->setToolTip(tr(
      "<qt>Finds the spans that have all these words in the name of the event, kernel or state, "
      "in the lane or the request, or as <b>layer 3</b>, <b>head 0</b> or <b>step</b> with its "
      "number. Enter and F3 go to the next one, with Shift to the one before; Esc closes.</qt>"));
  line_->installEventFilter(this);
  state_->setTextFormat(Qt::PlainText);
  set_up_tool(previous_, Icon::kChevronLeft, tr("Previous match"), tr("Previous match (Shift+F3)"));
  set_up_tool(next_, Icon::kChevronRight, tr("Next match"), tr("Next match (F3)"));
  set_up_tool(close_, Icon::kClose, tr("Close the search"), tr("Close the search (Esc)"));

  auto* bar = new QHBoxLayout(this);
  bar->setContentsMargins(6, 0, 2, 2);
  bar->setSpacing(4);
  bar->addWidget(line_, 1);
  for (QWidget* widget : std::initializer_list<QWidget*>{state_, previous_, next_, close_})
    bar->addWidget(widget);

  connect(line_, &QLineEdit::textChanged, this, &SearchBar::text_changed);
  connect(previous_, &QToolButton::clicked, this, [this] { emit next_asked(-1); });
  connect(next_, &QToolButton::clicked, this, [this] { emit next_asked(1); });
  connect(close_, &QToolButton::clicked, this, &SearchBar::close_bar);
  connect(&Theme::instance(), &Theme::changed, this, &SearchBar::restyle);
  restyle();
}

void SearchBar::restyle() {
  const ThemeColors& colors = Theme::instance().colors();
  line_->setMaximumWidth(Theme::instance().px(420));
  state_->setFont(Theme::instance().font(TextRole::kSmall));
  QPalette palette = state_->palette();
  palette.setColor(QPalette::WindowText, wrong_ ? colors.bad : colors.muted);
  state_->setPalette(palette);
}

void SearchBar::open() {
  show();
  line_->setFocus(Qt::ShortcutFocusReason);
  line_->selectAll();
}

void SearchBar::show_state(const QString& words, bool wrong) {
  state_->setText(words);
  line_->setAccessibleDescription(words);
  previous_->setEnabled(!words.isEmpty() && !wrong);
  next_->setEnabled(!words.isEmpty() && !wrong);
  if (wrong == wrong_) return;
  wrong_ = wrong;
  restyle();
}

void SearchBar::close_bar() {
  line_->clear();
  hide();
  emit closed();
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
  const bool is_key =
      event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (watched != line_ || !is_key) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  // Esc is a key of this field, not of the window.
  if (event->type() == QEvent::ShortcutOverride) {
    if (key->key() == Qt::Key_Escape) event->accept();
    return key->key() == Qt::Key_Escape;
  }
  switch (key->key()) {
    case Qt::Key_Escape:
      close_bar();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit next_asked(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
      return true;
    default:
      return false;
  }
}

}  // namespace attn::gui

#include "moc_search_bar.cpp"
