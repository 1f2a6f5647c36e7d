// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/selection.h"

#include <algorithm>
#include <utility>

#include "gui/bridge/engine_bridge.h"

namespace attn::gui {

void Selection::select(const SelectionState& state) {
  explain(nullptr);
  if (state == state_) return;
  state_ = state;
  // The views show the request, layer and head of the selection, so that none highlights something
  // that it does not draw.
  show(state.request >= 0 ? state.request : shown_request_,
       state.layer >= 0 ? state.layer : shown_layer_, state.head >= 0 ? state.head : shown_head_);
  emit changed();
}

void Selection::explain(std::shared_ptr<const Explanation> number) {
  if (number == explained_) return;
  explained_ = std::move(number);
  emit explained_changed();
}

void Selection::show(int64_t request, int64_t layer, int64_t head) {
  if (request == shown_request_ && layer == shown_layer_ && head == shown_head_) return;
  shown_request_ = request;
  shown_layer_ = layer;
  shown_head_ = head;
  emit shown_changed();
}

void Selection::show_head(int64_t layer, int64_t head, int64_t num_layers, int64_t num_heads) {
  if (num_layers < 1 || num_heads < 1) return;
  show(shown_request_, std::clamp<int64_t>(layer, 0, num_layers - 1),
       std::clamp<int64_t>(head, 0, num_heads - 1));
}

void Selection::point(const PointedState& state) {
  if (state == pointed_) return;
  pointed_ = state;
  emit pointed_changed();
}

void follow_runs(EngineBridge& bridge, Selection& selection) {
  QObject::connect(&bridge, &EngineBridge::run_started, &selection, [&selection] {
    selection.clear();
    selection.point({});
    selection.show(-1, 0, 0);
  });
  QObject::connect(&bridge, &EngineBridge::snapshot_changed, &selection, [&bridge, &selection] {
    const EngineSnapshot& snapshot = *bridge.snapshot();
    if (selection.shown_request() >= 0 || snapshot.requests.empty() || !snapshot.scenario) return;
    const ScenarioView& view = snapshot.scenario->view;
    selection.show(snapshot.requests.front().id, view.layer, view.head);
  });
}

}  // namespace attn::gui

#include "moc_selection.cpp"
