// SPDX-License-Identifier: GPL-3.0-or-later
// WindowTours: "What am I looking at?": leads through the stops of a view's tour (View::tour())
// with a ring and a card. The words are made anew while the tour goes on, so that they follow the
// run, the time cursor and the size of the window. It changes neither run nor selection. It ends
// when the run is replaced or the view is hidden. GUI thread.
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

  // Begins the tour of this view, which is in sight. A tour that is on ends.
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
  Spotlight* spotlight_;
  TourCard* card_;
  QPointer<View> view_;  // whose tour is on
  size_t stop_ = 0;
  QTimer look_;
};

}  // namespace attn::gui
