// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/beside/run_beside.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

namespace attn::gui {
namespace {

int64_t tokens_of(const RequestView& request) {
  return request.tokens ? static_cast<int64_t>(request.tokens->size()) : 0;
}

bool has(const RequestView& request, const SelectionState& state) {
  const int64_t encoder =
      request.encoder_tokens ? static_cast<int64_t>(request.encoder_tokens->size()) : 0;
  return state.query < tokens_of(request) && state.key < std::max(tokens_of(request), encoder);
}

}  // namespace

RunBeside::RunBeside(const RunContext& main, std::shared_ptr<const Session> session)
    : main_(main), cursor_(bridge_) {
  follow_runs(bridge_, selection_);
  link_time();
  link_selection();
  bridge_.show(std::move(session));
}

void RunBeside::link_time() {
  connect(&main_.cursor, &TimeCursor::moved, this, [this] { follow_time(main_.cursor, cursor_); });
  connect(&cursor_, &TimeCursor::moved, this, [this] { follow_time(cursor_, main_.cursor); });
}

void RunBeside::link_selection() {
  const auto link = [this](RunContext from, RunContext to) {
    connect(&from.selection, &Selection::shown_changed, this,
            [this, from, to] { follow_shown(from, to); });
    connect(&from.selection, &Selection::changed, this,
            [this, from, to] { follow_selected(from, to); });
    connect(&from.selection, &Selection::pointed_changed, this,
            [this, from, to] { follow_pointed(from, to); });
  };
  link(main_, context());
  link(context(), main_);
  // Connected after follow_runs(), so that its slot for this signal runs first.
  connect(&bridge_, &EngineBridge::snapshot_changed, this, [this] {
    if (ready_ || bridge_.snapshot()->requests.empty()) return;
    ready_ = true;
    follow_shown(main_, context());
    follow_selected(main_, context());
    follow_time(main_.cursor, cursor_);
  });
}

void RunBeside::follow_time(const TimeCursor& from, TimeCursor& to) {
  if (following_ || !ready_) return;
  const QScopedValueRollback following(following_, true);
  if (from.is_live()) {
    to.go_live();
  } else {
    to.go_to(from.step());
  }
}

void RunBeside::follow_shown(const RunContext& from, const RunContext& to) {
  const auto& snapshot = to.cursor.snapshot();
  if (following_ || !ready_ || !snapshot) return;
  const QScopedValueRollback following(following_, true);
  const int64_t request = from.selection.shown_request();
  if (request_by_id(*snapshot, request))
    to.selection.show(request, to.selection.shown_layer(), to.selection.shown_head());
  to.selection.show_head(from.selection.shown_layer(), from.selection.shown_head(),
                         snapshot->source.num_layers, snapshot->source.num_heads);
}

// Only tokens and cells are selected in both runs, because blocks and spans of one run have no
// counterpart in the other.
void RunBeside::follow_selected(const RunContext& from, const RunContext& to) {
  const auto& snapshot = to.cursor.snapshot();
  if (following_ || !ready_ || !snapshot) return;
  const QScopedValueRollback following(following_, true);
  SelectionState state = from.selection.state();
  if (state.kind != SelectionKind::kToken && state.kind != SelectionKind::kCell)
    return to.selection.clear();
  const RequestView* request = request_by_id(*snapshot, state.request);
  const bool cell = state.kind == SelectionKind::kCell;
  if (!request || !has(cell ? request->at(state.layer) : *request, state))
    return to.selection.clear();
  if (state.layer >= 0) state.layer = std::min(state.layer, snapshot->source.num_layers - 1);
  if (state.head >= 0) state.head = std::min(state.head, snapshot->source.num_heads - 1);
  to.selection.select(state);
}

void RunBeside::follow_pointed(const RunContext& from, const RunContext& to) {
  const auto& snapshot = to.cursor.snapshot();
  if (following_ || !ready_ || !snapshot) return;
  const QScopedValueRollback following(following_, true);
  const PointedState pointed = from.selection.pointed();
  const RequestView* request = request_by_id(*snapshot, pointed.request);
  const bool of_encoder = request && request->encoder && pointed.query_of_encoder;
  const int64_t tokens = request ? tokens_of(of_encoder ? *request->encoder : *request) : 0;
  to.selection.point(pointed.query < tokens ? pointed : PointedState{});
}

}  // namespace attn::gui

#include "moc_run_beside.cpp"
