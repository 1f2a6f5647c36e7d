// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/bars/message_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QPainter>
#include <algorithm>

#include "gui/theme/icons.h"
#include "gui/theme/theme.h"
#include "gui/widgets/view.h"

namespace attn::gui {
namespace {

constexpr size_t kMost = 1000;
constexpr int kPartBelow = 4;  // the bar may hide 1/4 of height_below()

}  // namespace

MessageRow::MessageRow(QWidget* parent)
    : QWidget(parent),
      icon_(new QLabel),
      text_(new QLabel),
      more_(new QLabel),
      offered_(new QToolButton),
      copy_(new QToolButton),
      close_(new QToolButton) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 4, 4, 4);
  layout->setSpacing(8);
  layout->addWidget(icon_);
  layout->addWidget(text_, 1);
  layout->addWidget(more_);
  layout->addWidget(offered_);
  layout->addWidget(copy_);
  layout->addWidget(close_);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  offered_->hide();
  connect(offered_, &QToolButton::clicked, this, &MessageRow::offer_taken);
  copy_->setText(tr("Copy"));
  copy_->setAutoRaise(true);
  close_->setIcon(icon(Icon::kClose));
  close_->setAutoRaise(true);
  close_->setToolTip(tr("Close this message"));
  close_->setAccessibleName(tr("Close this message"));
  connect(copy_, &QToolButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(text_->text()); });
  connect(close_, &QToolButton::clicked, this, &MessageRow::closed);
  connect(&Theme::instance(), &Theme::changed, this, &MessageRow::restyle);
}

void MessageRow::show_message(MessageKind kind, const QString& text, const QAction* offered,
                              size_t waiting) {
  kind_ = kind;
  text_->setText(text);
  more_->setText(tr("%1 more").arg(waiting));
  more_->setVisible(waiting > 0);
  offered_->setVisible(offered);
  if (offered) {
    offered_->setText(offered->text());
    offered_->setToolTip(offered->toolTip());
  }
  setAccessibleName(text);
  restyle();
}

void MessageRow::restyle() {
  const Theme& theme = Theme::instance();
  const ThemeColors& c = theme.colors();
  const auto [which, color] = kind_ == MessageKind::kError ? std::pair{Icon::kError, c.bad}
                              : kind_ == MessageKind::kWarning
                                  ? std::pair{Icon::kWarning, c.warning}
                                  : std::pair{Icon::kInfo, c.accent};
  icon_->setPixmap(icon_pixmap(which, theme.px(16), color, devicePixelRatioF()));
  text_->setFont(theme.font());
  more_->setFont(theme.font(TextRole::kSmall));
  update();
}

void MessageRow::paintEvent(QPaintEvent*) {
  const ThemeColors& c = Theme::instance().colors();
  const QColor edge = kind_ == MessageKind::kError     ? c.bad
                      : kind_ == MessageKind::kWarning ? c.warning
                                                       : c.accent;
  QPainter painter(this);
  painter.fillRect(rect(), c.raised);
  painter.fillRect(0, 0, 4, height(), edge);
  painter.fillRect(0, 0, width(), 1, c.line);
}

MessageBar::MessageBar(QWidget* window, QWidget& status) : QWidget(window), status_(status) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  for (size_t i = 0; i < kMostShown; ++i) {
    auto* row = new MessageRow;
    row->hide();
    column->addWidget(row);
    rows_.push_back(row);
    connect(row, &MessageRow::closed, this, [this, i] {
      const QString action = i < messages_.size() ? messages_[i].action : QString();
      close(i);
      emit refused(action);
    });
    connect(row, &MessageRow::offer_taken, this, [this, i] {
      const QPointer<QAction> action = i < messages_.size() ? messages_[i].offered : nullptr;
      close(i);
      if (action) action->trigger();
    });
  }
  leave_.setSingleShot(true);
  leave_.setInterval(8000);
  connect(&leave_, &QTimer::timeout, this, &MessageBar::close_shown);
  connect(&Theme::instance(), &Theme::changed, this, &MessageBar::show_all);
  status_.installEventFilter(this);
  qApp->installEventFilter(this);  // to see Esc, raised panels, and moves of panels
  hide();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  const bool is_key =
      event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (is_key && closes_error(watched, *static_cast<QKeyEvent*>(event))) {
    if (event->type() == QEvent::KeyPress) close_shown();
    event->accept();
    return true;
  }
  const bool moves = event->type() == QEvent::Move || event->type() == QEvent::Resize ||
                     event->type() == QEvent::Show || event->type() == QEvent::Hide;
  if (moves && (watched == &status_ || (free_ && watched == free_) ||
                (middle_ && watched == middle_) || (control_ && watched == control_)))
    lie_down();
  // A panel that comes to the front would hide the messages. The bar is raised after the event: the
  // panel's tab comes to the front only if the panel is still on top when it handles the event.
  if (event->type() == QEvent::ZOrderChange && isVisible() && qobject_cast<QDockWidget*>(watched) &&
      watched->parent() == parent())
    QMetaObject::invokeMethod(this, &MessageBar::raise, Qt::QueuedConnection);
  return QWidget::eventFilter(watched, event);
}

bool MessageBar::closes_error(QObject* watched, const QKeyEvent& event) const {
  if (event.key() != Qt::Key_Escape || event.modifiers() != Qt::NoModifier) return false;
  const auto* widget = qobject_cast<const QWidget*>(watched);
  if (!widget || widget->window() != window() || QApplication::activePopupWidget()) return false;
  if (messages_.empty() || messages_.front().kind != MessageKind::kError) return false;
  // Esc in another child of the window, such as the command palette, closes no error.
  const QWidget* part = widget;
  while (part != window() && part->parentWidget() != window()) part = part->parentWidget();
  const auto* main = qobject_cast<const QMainWindow*>(window());
  return part == window() || !main || part == main->centralWidget() ||
         qobject_cast<const QDockWidget*>(part);
}

void MessageBar::lie_down() {
  if (messages_.empty()) return;
  const QRect status = status_.geometry();
  const int right = free_ && free_->isVisible() ? free_->geometry().left() : status.right() + 1;
  QRect place(status.left(), 0, right - status.left(), status.top());
  const auto lay = [&] {
    place.setTop(place.bottom() + 1 - layout()->heightForWidth(place.width()));
  };
  lay();
  if (const int below = height_below(); below > 0 && place.height() * kPartBelow > below) {
    place = middle_->geometry();
    lay();
  }
  if (spare(place)) lay();
  setGeometry(place);
  raise();
  tell_views(place);
}

// True: the place has changed, and its top does not fit it any more.
bool MessageBar::spare(QRect& place) const {
  if (!control_ || !control_->isVisible() || control_->window() != window()) return false;
  const QWidget* panel = control_;
  while (panel->parentWidget() != window()) panel = panel->parentWidget();
  const QRect control(control_->mapTo(window(), QPoint()), control_->size());
  if (!panel->geometry().contains(control) || !control.intersects(place)) return false;
  const bool is_left = panel->geometry().right() < place.center().x();
  if (is_left)
    place.setLeft(panel->geometry().right() + 1);
  else
    place.setBottom(control.top() - 1);
  return true;
}

void MessageBar::spare_control(QWidget& control) {
  control_ = &control;
  lie_down();
}

void MessageBar::tell_views(const QRect& covered) {
  if (!middle_) return;
  for (View* view : middle_->findChildren<View*>()) view->set_covered(covered);
}

void MessageBar::spare_below(QWidget& panel) {
  middle_ = &panel;
  lie_down();
}

// The height of the panels below middle_, px. 0: there are none, or middle_ is not in sight. Qt
// moves a panel that is behind another panel's tab outside the window.
int MessageBar::height_below() const {
  if (!middle_ || !middle_->isVisible() || !window()->rect().contains(middle_->geometry()))
    return 0;
  return status_.geometry().top() - middle_->geometry().bottom() - 1;
}

void MessageBar::keep_free(QWidget& panel) {
  free_ = &panel;
  lie_down();
}

void MessageBar::show_message(MessageKind kind, const QString& text, const QString& action) {
  add({kind, text, action});
}

void MessageBar::offer(MessageKind kind, const QString& text, QAction& button,
                       const QString& action, Leaves leaves) {
  add({kind, text, action, &button, leaves});
}

void MessageBar::withdraw(const QString& action) {
  if (std::erase_if(messages_, [&](const Message& old) { return old.action.startsWith(action); }))
    show_all();
}

QStringList MessageBar::texts() const {
  QStringList texts;
  for (size_t i = 0; i < std::min(messages_.size(), rows_with_room()); ++i)
    texts << rows_[i]->text();
  return texts;
}

size_t MessageBar::rows_with_room() const {
  const int room = window()->height() / 5;
  return std::clamp<size_t>(static_cast<size_t>(room / Theme::instance().px(31)), 1, kMostShown);
}

void MessageBar::add(Message message) {
  std::erase_if(messages_, [&](const Message& old) {
    const bool superseded = !message.action.isEmpty() && old.action == message.action;
    return superseded || (message.leaves_by_itself() && old.leaves_by_itself()) ||
           (old.kind == message.kind && old.text == message.text);
  });
  // The order of the messages: information that leaves by itself, errors, messages with a button,
  // other messages.
  const auto rank = [](const Message& of) {
    if (of.leaves_by_itself()) return 0;
    if (of.kind == MessageKind::kError) return 1;
    return of.offered ? 2 : 3;
  };
  const auto place = std::find_if(messages_.begin(), messages_.end(), [&](const Message& other) {
    return rank(message) <= rank(other);
  });
  messages_.insert(place, std::move(message));
  if (messages_.size() > kMost) messages_.pop_back();
  show_all();
}

void MessageBar::close_shown() {
  close(0);
}

void MessageBar::close(size_t at) {
  if (at < messages_.size()) messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(at));
  show_all();
}

void MessageBar::show_all() {
  leave_.stop();
  const size_t shown = std::min(messages_.size(), rows_with_room());
  for (size_t i = 0; i < kMostShown; ++i) {
    if (i < shown) {
      const Message& message = messages_[i];
      rows_[i]->show_message(message.kind, message.text, message.offered,
                             i + 1 == shown ? messages_.size() - shown : 0);
    }
    rows_[i]->setVisible(i < shown);
  }
  setVisible(shown > 0);
  if (shown == 0) return tell_views({});
  layout()->activate();
  lie_down();
  if (messages_.front().leaves_by_itself()) leave_.start();
}

}  // namespace attn::gui

#include "moc_message_bar.cpp"
