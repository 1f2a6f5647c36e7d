// SPDX-License-Identifier: GPL-3.0-or-later
// WindowTours: the command "What am I looking at?". It goes through the stops of a view's tour
// (View::tour()); a ring marks the place of a stop, and a card has its text. GUI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "gui/app/bars/message_bar.h"
#include "gui/app/tours/tour_card.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/widgets/spotlight/spotlight.h"

namespace attn::gui {

class WindowTours : public QObject {
  Q_OBJECT
 public:
  WindowTours(EngineBridge& bridge, MessageBar& messages, QWidget& window);

  // Begins the tour of this view, which must be visible. Ends another tour first.
  void begin(View& view);
  void end();
  bool is_on() const { return view_ != nullptr; }
  View* view() const { return view_; }
  TourCard& card() { return *card_; }
  Spotlight& spotlight() { return *spotlight_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void go(int stops);
  void refresh();

  MessageBar& messages_;
  QWidget& window_;
  QPointer<Spotlight> spotlight_;
  TourCard* card_;
  QPointer<View> view_;  // the view whose tour is on; null: none
  size_t stop_ = 0;
  QTimer look_;
};

}  // namespace attn::gui
