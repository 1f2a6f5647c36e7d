// SPDX-License-Identifier: GPL-3.0-or-later
// Selection: what the views of a run share: the selected thing, an explained number, what is
// pointed at, and the request, layer and head that the attention views show. GUI thread; no
// Widgets.
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <string>

#include "gui/models/explore/explanation.h"

namespace attn {
struct EngineSnapshot;
struct Scenario;
}  // namespace attn

namespace attn::gui {

enum class SelectionKind { kNothing, kToken, kCell, kBlock, kSpan };

// -1: the selection names none. Positions are absolute in the sequence.
struct SelectionState {
  SelectionKind kind = SelectionKind::kNothing;
  int64_t request = -1;  // request id
  int64_t layer = -1, head = -1;
  int64_t query = -1;         // kCell: position of the query (row); kToken: position of the token
  int64_t key = -1;           // kCell: position of the key (column)
  int64_t block = -1;         // physical block, of the device pool unless in_host_pool
  int64_t event = -1;         // index into EngineBridge::events()
  bool in_host_pool = false;  // kBlock: true if it is in the swap pool (host memory)
  bool operator==(const SelectionState&) const = default;
};

// The request and positions that are pointed at in a view, by mouse or keys. -1: none.
struct PointedState {
  int64_t request = -1;
  int64_t query = -1;       // the token, or the row of the cell
  int64_t key = -1;         // a key, or the column of the cell
  bool of_encoder = false;  // the key is a token of the encoder (cross attention, encoder layers)
  bool query_of_encoder = false;  // the query is a token of the encoder
  bool operator==(const PointedState&) const = default;
};

class Selection : public QObject {
  Q_OBJECT
 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}
  const SelectionState& state() const { return state_; }
  // The request, layer and head that the attention views show; they can differ from those of
  // state().
  int64_t shown_request() const { return shown_request_; }
  int64_t shown_layer() const { return shown_layer_; }
  int64_t shown_head() const { return shown_head_; }

  // Selects `state` and shows the request, layer and head that it names. If `state` is selected
  // already, only explained() becomes null.
  void select(const SelectionState& state);
  // The explanation of the number that was chosen last; null: none. Each select(), and each change
  // of state() or shown_request(), resets it to null.
  const std::shared_ptr<const Explanation>& explained() const { return explained_; }
  void explain(std::shared_ptr<const Explanation> number);
  void clear() { select({}); }
  // If a cell of the shown head is selected, and only the head changes, the same cell of the new
  // head is selected.
  void show(int64_t request, int64_t layer, int64_t head);
  // Shows this layer and head of the shown request, clamped to num_layers layers with num_heads
  // heads each. Does nothing if one of these counts is below 1.
  void show_head(int64_t layer, int64_t head, int64_t num_layers, int64_t num_heads);

  void leave_run();
  // Does nothing if a request is shown already, or the run has none yet. Otherwise shows the first
  // request of the run, at the layer and head that the run's scenario names. But if the scenario of
  // the run before has the same title, source, layer and head, the layer and head are those that
  // were shown last, clamped to those of this run, and the request is the first with the name of
  // the one that was shown last, if there is one.
  void show_run(const std::shared_ptr<const EngineSnapshot>& run);
  // Makes the next run begin at its first request and at the layer and head that its scenario
  // names, whatever was shown last.
  void begin_anew() { scenario_.reset(); }

  const PointedState& pointed() const { return pointed_; }
  void point(const PointedState& state);

 signals:
  void changed();  // state() changed
  void explained_changed();
  void shown_changed();  // shown_request(), shown_layer() or shown_head() changed
  void pointed_changed();

 private:
  SelectionState state_;
  PointedState pointed_;
  std::shared_ptr<const Explanation> explained_;
  int64_t shown_request_ = -1, shown_layer_ = 0, shown_head_ = 0;
  std::shared_ptr<const Scenario> scenario_;
  std::shared_ptr<const EngineSnapshot> run_;  // given to show_run() last; null after leave_run()
  int64_t last_layer_ = 0, last_head_ = 0;     // shown last before leave_run()
  std::string last_request_;                   // name of the request shown last before leave_run()
};

class EngineBridge;

// From now on, calls leave_run() when a run begins, and show_run() for each new snapshot.
void follow_runs(EngineBridge& bridge, Selection& selection);

}  // namespace attn::gui
