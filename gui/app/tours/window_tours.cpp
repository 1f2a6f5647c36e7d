// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/tours/window_tours.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>
#include <utility>

namespace attn::gui {
namespace {

constexpr int kBetweenLooks_ms = 150;

}  // namespace

WindowTours::WindowTours(EngineBridge& bridge, MessageBar& messages, QWidget& window)
    : QObject(nullptr),
      messages_(messages),
      window_(window),
      spotlight_(new Spotlight(&window)),
      card_(new TourCard(&window)) {
  card_->hide();
  look_.setInterval(kBetweenLooks_ms);
  connect(&look_, &QTimer::timeout, this, &WindowTours::refresh);
  connect(card_, &TourCard::next_asked, this, [this] { go(1); });
  connect(card_, &TourCard::back_asked, this, [this] { go(-1); });
  connect(card_, &TourCard::end_asked, this, &WindowTours::end);
  connect(&bridge, &EngineBridge::run_started, this, [this] {
    if (!is_on()) return;
    const QString title = view_->title();
    end();
    messages_.show_message(MessageKind::kInfo,
                           tr("The tour of %1 ended because another run began. Click into the view "
                              "and press Ctrl+F1 to begin it again.")
                               .arg(title),
                           QStringLiteral("tour"));
  });
}

void WindowTours::begin(View& view) {
  end();
  view_ = &view;
  stop_ = 0;
  if (!spotlight_)
    spotlight_ = new Spotlight(&window_);  // the earlier one was deleted with its view
  messages_.withdraw(QStringLiteral("tour"));
  messages_.withdraw(QStringLiteral("start here"));
  look_.start();
  qApp->installEventFilter(this);
  refresh();
  if (!is_on()) return;
  card_->show();
  card_->raise();
  card_->next_button()->setFocus();
}

void WindowTours::end() {
  if (!look_.isActive()) return;
  look_.stop();
  qApp->removeEventFilter(this);
  if (spotlight_) {
    spotlight_->show_on(nullptr);
    spotlight_->setParent(&window_);
  }
  const bool had_focus = card_->isAncestorOf(window_.focusWidget());
  card_->hide();
  View* view = std::exchange(view_, nullptr);
  if (view && had_focus && view->isVisible()) view->setFocus();
}

void WindowTours::go(int stops) {
  if (!is_on()) return;
  const auto next = static_cast<int64_t>(stop_) + stops;
  if (next >= card_->words().count) return end();
  stop_ = static_cast<size_t>(std::max<int64_t>(0, next));
  refresh();
}

void WindowTours::refresh() {
  if (!view_) return end();  // the view was deleted
  // Qt moves a panel that is behind another panel's tab outside the window.
  const QRect whole(view_->mapTo(&window_, QPoint()), view_->size());
  if (!view_->isVisible() || !window_.rect().intersects(whole)) return end();
  const Tour tour = view_->tour();
  if (tour.stops().empty()) return end();
  const size_t count = tour.stops().size();
  stop_ = std::min(stop_, count - 1);
  const TourStop& stop = tour.stops()[stop_];
  spotlight_->show_on(view_, stop.place);
  card_->show_words(
      {view_->title(), stop.title, stop.text, static_cast<int>(stop_) + 1, static_cast<int>(count)},
      stop.place.translated(whole.topLeft()));
  card_->raise();  // a message may have come meanwhile
}

// Esc ends the tour wherever the keyboard focus is in the window.
bool WindowTours::eventFilter(QObject* watched, QEvent* event) {
  const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!key || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape || !is_on())
    return QObject::eventFilter(watched, event);
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (!widget || widget->window() != &window_ || QApplication::activePopupWidget())
    return QObject::eventFilter(watched, event);
  event->accept();
  if (event->type() == QEvent::KeyPress) end();
  return true;
}

}  // namespace attn::gui

#include "moc_window_tours.cpp"
