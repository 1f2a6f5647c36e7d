// SPDX-License-Identifier: GPL-3.0-or-later
// Inside: what goes through the model for the shown request, for the views that explain what
// attention does. It is a switch, because it takes memory and work. While it is on, it follows the
// shown request and the time cursor: now() has the residual stream, the heads and the attention of
// all rows that the request had at this moment, computed by explore_request(). Views compute with
// it on the engine thread, between two steps (compute()). GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "engine/explore/request/explored_request.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/explore/what_if_list.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

// A request as one snapshot has it, and what the model computed inside (residual stream, logits)
// for its tokens. Immutable.
struct InsideRequest {
  std::shared_ptr<const EngineSnapshot> moment;  // the snapshot that views show
  RequestView request;  // its tokens as in `moment`, the rest as in the newest snapshot
  ExploredRun run;      // of the first rows() tokens; the request may have more
  int64_t rows() const { return run.num_tokens(); }
  Model& model() const { return run.model(); }
};

// Whether runs of these two scenarios of a model compute the same numbers for the same prompt.
inline bool same_settings(const Scenario& a, const Scenario& b) {
  return a.source == b.source && a.engine == b.engine && a.attention == b.attention;
}

class Inside : public QObject {
  Q_OBJECT
 public:
  // cursor: null: always the newest state.
  Inside(EngineBridge& bridge, Selection& selection, TimeCursor* cursor, QObject* parent = nullptr);
  ~Inside() override;

  // --- the switch ---
  bool is_on() const { return on_; }
  void set_on(bool on);
  // Bytes that the residual store of the shown request takes; 0: not known before the model is
  // loaded.
  double bytes() const;
  // A sentence why there is no inside to be shown, for example no run, or a source that is not a
  // model. Empty: nothing is wrong.
  QString refusal() const;

  // --- what there is ---
  // Null: switched off, not computed yet, failed or refused. When the request has more tokens, the
  // old result stays until the new one is complete.
  const std::shared_ptr<const InsideRequest>& now() const { return now_; }
  // How many rows of now() may be shown: those that the request had at the step that is shown. 0:
  // now() is null, or the request had not arrived.
  int64_t rows_shown() const;
  // The request as it was at the step that is shown; null: it had not arrived.
  const RequestView* request_then() const;
  QString trouble() const { return trouble_; }  // why now() could not be computed; empty: no error
  // Whether something is still to be computed: now(), or what a view has asked for.
  bool is_behind() const;
  // Switches on and returns when nothing is left to compute; for `run` and pictures, which have no
  // user.
  void show_all();

  // What a person tries on the shown request. A new run begins without any.
  WhatIfList& what_if() { return what_if_; }

  // --- work with it ---
  // Calls work on the engine thread, as soon as that is between two steps, and then done on the GUI
  // thread, with the message of the error if work threw one. work returns false when it was
  // cancelled; then done is not called. A newer call for the same owner replaces one that has not
  // begun. Where the owner is destroyed, done is not called. now() must not be null.
  using Work = std::function<bool(const InsideRequest& inside, const Execution& execution)>;
  using Done = std::function<void(const QString& trouble)>;
  void compute(QObject* owner, Work work, Done done);
  // As compute(), but `work` gets the model instead of now(), for work that runs it by itself.
  using RunWork =
      std::function<bool(const std::shared_ptr<Source>& source, const Execution& execution)>;
  void compute_alone(QObject* owner, RunWork work, Done done);
  // Whether what this owner has asked for is still to be done.
  bool is_computing(const QObject* owner) const;
  // Returns when what this owner has asked for is done; for `run` and pictures, which have no user.
  void wait_for(const QObject* owner);
  // Drops what this owner has asked for; cancels it where it has begun.
  void cancel(QObject* owner);

 signals:
  void switched();  // is_on()
  void changed();   // now(), trouble(), refusal(), bytes(), is_behind() may have changed, or not

 private:
  struct Job;
  std::shared_ptr<const EngineSnapshot> moment() const;
  const RequestView* live_request() const;
  bool is_shown(const InsideRequest& inside) const;
  void look();
  void start();
  void enqueue(QObject* owner, RunWork work, Done done);
  void collect();

  EngineBridge& bridge_;
  Selection& selection_;
  TimeCursor* cursor_;
  bool on_ = false;
  WhatIfList what_if_;
  std::shared_ptr<const InsideRequest> now_;
  QString trouble_;
  std::vector<std::shared_ptr<Job>> jobs_;
  QTimer timer_;  // while there are jobs
  QTimer later_;  // until the inside of a run that goes on may be computed again
  std::chrono::steady_clock::time_point begun_, ended_;  // of the last start()
  bool computing_ = false;
  // What the last start() was for. If it failed, it is not tried again for the same values.
  uint64_t refused_run_ = 0;
  int64_t refused_request_ = -1, refused_rows_ = 0;
};

}  // namespace attn::gui
