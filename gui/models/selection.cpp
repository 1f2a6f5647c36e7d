// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/selection.h"

#include <algorithm>
#include <utility>

#include "gui/bridge/engine_bridge.h"

namespace attn::gui {
namespace {

bool is_again(const Scenario& before, const Scenario& now) {
  return before.title == now.title && before.source == now.source &&
         before.view.layer == now.view.layer && before.view.head == now.view.head;
}

}  // namespace

void Selection::select(const SelectionState& state) {
  explain(nullptr);
  if (state == state_) return;
  state_ = state;
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
  const bool follows = state_.kind == SelectionKind::kCell && request == shown_request_ &&
                       state_.request == request && layer == shown_layer_ &&
                       state_.layer == layer && state_.head == shown_head_;
  const bool leaves = request != shown_request_;
  shown_request_ = request;
  shown_layer_ = layer;
  shown_head_ = head;
  if (leaves) explain(nullptr);
  emit shown_changed();
  if (!follows) return;
  state_.head = head;
  explain(nullptr);
  emit changed();
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

// Nothing is told until all of it belongs to no run: the next run may have fewer layers and heads.
void Selection::leave_run() {
  if (shown_request_ >= 0) {
    last_layer_ = shown_layer_;
    last_head_ = shown_head_;
    const RequestView* shown = run_ ? request_by_id(*run_, shown_request_) : nullptr;
    last_request_ = shown ? shown->name : std::string();
  }
  run_ = nullptr;
  const bool was_selected = std::exchange(state_, {}) != SelectionState{};
  const bool was_shown =
      std::exchange(shown_request_, -1) != -1 || shown_layer_ != 0 || shown_head_ != 0;
  shown_layer_ = shown_head_ = 0;
  explain(nullptr);
  point({});
  if (was_shown) emit shown_changed();
  if (was_selected) emit changed();
}

void Selection::show_run(const std::shared_ptr<const EngineSnapshot>& snapshot) {
  run_ = snapshot;
  const EngineSnapshot& run = *snapshot;
  if (shown_request_ >= 0 || run.requests.empty() || !run.scenario) return;
  const auto before = std::exchange(scenario_, run.scenario);
  const int64_t request = run.requests.front().id;
  const ScenarioView& view = run.scenario->view;
  if (!before || !is_again(*before, *run.scenario)) return show(request, view.layer, view.head);
  // The model in the folder may have changed since, and may have fewer layers or heads.
  const auto last = [](int64_t count) { return std::max<int64_t>(0, count - 1); };
  const auto same = std::ranges::find(run.requests, last_request_, &RequestView::name);
  show(same == run.requests.end() ? request : int64_t{same->id},
       std::min(last_layer_, last(run.source.num_layers)),
       std::min(last_head_, last(run.source.num_heads)));
}

void follow_runs(EngineBridge& bridge, Selection& selection) {
  QObject::connect(&bridge, &EngineBridge::run_started, &selection, &Selection::leave_run);
  QObject::connect(&bridge, &EngineBridge::snapshot_changed, &selection,
                   [&bridge, &selection] { selection.show_run(bridge.snapshot()); });
}

}  // namespace attn::gui

#include "moc_selection.cpp"
