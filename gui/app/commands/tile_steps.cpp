// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/tile_steps.h"

namespace attn::gui {
namespace {

constexpr int kPollMs = 4;

}  // namespace

TileSteps::TileSteps(RunControl& control, Selection& selection, QObject* parent)
    : QObject(parent), control_(control), selection_(selection) {
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, &TileSteps::look);
  connect(&control.bridge(), &EngineBridge::run_started, &poll_, &QTimer::stop);
}

void TileSteps::next(Granularity unit) {
  const bool waits = unit == Granularity::kTile && !control_.has_ended();
  seen_ = control_.bridge().events().size();
  control_.step(unit);
  if (waits)
    poll_.start();
  else
    poll_.stop();
}

// A step of the run gate is a tile of any head, so tiles are stepped until one has the shown head.
void TileSteps::look() {
  EngineBridge& bridge = control_.bridge();
  if (control_.has_ended() || bridge.gate_state() == RunGate::State::kRunning) return poll_.stop();
  if (bridge.gate_state() != RunGate::State::kPaused || bridge.runner().gate().held() == 0) return;
  bridge.catch_up();
  if (show_new_tile()) return poll_.stop();
  bridge.step(Granularity::kTile);
}

bool TileSteps::show_new_tile() {
  const std::vector<TraceEvent>& events = control_.bridge().events();
  const int64_t head = selection_.shown_head();
  for (; seen_ < events.size(); ++seen_) {
    if (events[seen_].kind != EventKind::kTile) continue;
    const TileEvent tile = unpack_tile(events[seen_]);
    if (head < tile.head || head >= int64_t{tile.head} + tile.heads) continue;
    selection_.show(tile.request, events[seen_].layer, head);
    return true;
  }
  return false;
}

}  // namespace attn::gui

#include "moc_tile_steps.cpp"
