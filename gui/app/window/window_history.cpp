// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/window/window_history.h"

namespace attn::gui {
namespace {

constexpr unsigned kTab = 1, kSelected = 2, kShown = 4, kStep = 8, kFirstView = 16;

}  // namespace

WindowHistory::WindowHistory(EngineBridge& bridge, Selection& selection, TimeCursor& cursor,
                             QTabWidget& tabs, std::vector<View*> views)
    : bridge_(bridge),
      selection_(selection),
      cursor_(cursor),
      tabs_(tabs),
      views_(std::move(views)) {
  later_.setSingleShot(true);
  later_.setInterval(0);
  connect(&later_, &QTimer::timeout, this, &WindowHistory::take);
  connect(&bridge_, &EngineBridge::run_started, this, &WindowHistory::begin);
  connect(&selection_, &Selection::changed, this, &WindowHistory::look_later);
  connect(&selection_, &Selection::shown_changed, this, &WindowHistory::look_later);
  connect(&cursor_, &TimeCursor::moved, this, &WindowHistory::look_later);
  connect(&tabs_, &QTabWidget::currentChanged, this, &WindowHistory::look_later);
  begin();
}

void WindowHistory::begin() {
  history_.clear();
  here_ = look();
  last_kind_ = 0;
  emit changed();
}

WindowHistory::Place WindowHistory::look() const {
  Place place;
  place.tab = tabs_.currentWidget();
  place.selected = selection_.state();
  place.request = selection_.shown_request();
  place.layer = selection_.shown_layer();
  place.head = selection_.shown_head();
  if (!cursor_.is_live()) place.step = cursor_.step();
  for (const View* view : views_) place.views.push_back(view->place());
  return place;
}

unsigned WindowHistory::difference(const Place& a, const Place& b) {
  unsigned kinds = 0;
  if (a.tab != b.tab) kinds |= kTab;
  if (a.selected != b.selected) kinds |= kSelected;
  if (a.request != b.request || a.layer != b.layer || a.head != b.head) kinds |= kShown;
  if (a.step != b.step) kinds |= kStep;
  for (size_t i = 0; i < a.views.size() && i < b.views.size(); ++i)
    if (a.views[i] != b.views[i]) kinds |= kFirstView << i;
  return kinds;
}

void WindowHistory::look_later() {
  if (!later_.isActive()) later_.start();
}

void WindowHistory::hand_moves() {
  if (later_.isActive()) {
    later_.stop();
    take();
  } else {
    here_ = look();
  }
  later_.start();
}

void WindowHistory::take() {
  const Place now = look();
  const unsigned kind = difference(here_, now);
  if (kind == 0) return;
  const bool chain = kind == last_kind_ && !(kind & kTab) && since_last_.isValid() &&
                     since_last_.elapsed() < kOneMovement_ms;
  // The time before the run had a request gets no entry.
  if (!chain && here_.request >= 0) history_.leave(here_);
  here_ = now;
  last_kind_ = kind;
  since_last_.start();
  emit changed();
}

void WindowHistory::back() {
  if (later_.isActive()) take();
  go(history_.back(look()));
}

void WindowHistory::forward() {
  if (later_.isActive()) take();
  go(history_.forward(look()));
}

void WindowHistory::go(const std::optional<Place>& place) {
  if (place) {
    if (place->step) {
      cursor_.go_to(*place->step);
    } else {
      cursor_.go_live();
    }
    selection_.select(place->selected);
    selection_.show(place->request, place->layer, place->head);
    if (tabs_.currentWidget() != place->tab) {
      tabs_.setCurrentWidget(place->tab);
      place->tab->setFocus();
    }
    for (size_t i = 0; i < views_.size(); ++i)
      if (views_[i]->place() != place->views[i]) views_[i]->go_to_place(place->views[i]);
  }
  later_.stop();
  here_ = look();
  last_kind_ = 0;
  emit changed();
}

}  // namespace attn::gui

#include "moc_window_history.cpp"
