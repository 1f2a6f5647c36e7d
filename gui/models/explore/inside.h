// SPDX-License-Identifier: GPL-3.0-or-later
// Inside: what the model computes inside for the shown request, or else the first (residual stream,
// outputs of the heads), for the views that explain the model. now() is computed only while Inside
// is switched on. It also runs further work of views with the model, and has the what-if list. GUI
// thread; no Widgets.
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

// A request with its tokens in one snapshot, and what the model computed inside for the first of
// them. Immutable once it is computed.
struct InsideRequest {
  std::shared_ptr<const EngineSnapshot> moment;  // what the views showed at start()
  RequestView request;  // tokens as in `moment`, the rest as in the newest snapshot at start()
  ExploredRun run;      // of the first rows() tokens; the request may have more
  int64_t rows() const { return run.num_tokens(); }
  Model& model() const { return run.model(); }
};

inline bool same_settings(const Scenario& a, const Scenario& b) {
  return a.source == b.source && a.engine == b.engine && a.attention == b.attention;
}

class Inside : public QObject {
  Q_OBJECT
 public:
  // cursor: the step for which now() is computed; null: always the newest state.
  Inside(EngineBridge& bridge, Selection& selection, TimeCursor* cursor, QObject* parent = nullptr);
  ~Inside() override;

  // --- the switch ---
  bool is_on() const { return on_; }
  void set_on(bool on);
  // Bytes of the residual stream and the heads' outputs of the shown request; 0: not known.
  double bytes() const;
  // Why there is nothing to compute, such as a source without a model. Empty: no reason.
  QString refusal() const;

  // --- the result ---
  // Null: switched off, not computed yet, failed or refused. An old result stays until the
  // computation of the next one of the same request ends.
  const std::shared_ptr<const InsideRequest>& now() const { return now_; }
  // The rows of now() that may be shown: those of the request at the shown step. 0: now() is null,
  // or the request had not arrived.
  int64_t rows_shown() const;
  // The shown request, or else the first, at the shown step. Null: it had not arrived, or there is
  // no request.
  const RequestView* request_then() const;
  QString trouble() const { return trouble_; }  // why now() could not be computed; empty: no error
  bool is_behind() const;
  // Switches on and returns when nothing is left to compute; for the command `run` and pictures.
  void show_all();

  WhatIfList& what_if() { return what_if_; }

  // --- further work with the model ---
  // Calls `work` on the engine thread between two steps, and then `done` on the GUI thread with the
  // error message of `work` or of loading the model, or an empty text. Does not call `done` if the
  // work was dropped or cancelled, if `work` returned false, or if the owner is gone. A call
  // replaces an earlier one of the same owner whose work has not begun. now() must not be null.
  using Work = std::function<bool(const InsideRequest& inside, const Execution& execution)>;
  using Done = std::function<void(const QString& trouble)>;
  void compute(QObject* owner, Work work, Done done);
  // As compute(), but `work` gets the model instead of now(), which may be null.
  using RunWork =
      std::function<bool(const std::shared_ptr<Source>& source, const Execution& execution)>;
  void compute_alone(QObject* owner, RunWork work, Done done);
  bool is_computing(const QObject* owner) const;
  // Returns when the jobs of this owner are done; for the command `run` and pictures.
  void wait_for(const QObject* owner);
  // Drops the jobs of this owner; cancels one that has begun.
  void cancel(QObject* owner);

 signals:
  void switched();  // is_on() changed
  void changed();   // now(), trouble(), refusal(), bytes() or is_behind() may have changed
  // A new run began, and changes that do not fit it were removed from what_if(). text: which ones
  // and why.
  void changes_removed(const QString& text);

 private:
  struct Job;
  std::shared_ptr<const EngineSnapshot> moment() const;
  const RequestView* live_request() const;
  bool is_shown(const InsideRequest& inside) const;
  void begin_run();
  bool brings_list() const;
  void fit_changes();
  void look();
  void start();
  void enqueue(QObject* owner, RunWork work, Done done);
  void collect();

  EngineBridge& bridge_;
  Selection& selection_;
  TimeCursor* cursor_;
  bool on_ = false;
  WhatIfList what_if_;
  // The scenario and the number of the run of the newest snapshot with a scenario.
  std::shared_ptr<const Scenario> scenario_;
  uint64_t run_ = 0;
  std::shared_ptr<const InsideRequest> now_;
  QString trouble_;
  std::vector<std::shared_ptr<Job>> jobs_;
  QTimer timer_;  // runs while there are jobs, and calls collect()
  QTimer later_;  // runs out when the next computation during a run may begin
  std::chrono::steady_clock::time_point begun_, ended_;  // of the last computation of now()
  bool computing_ = false;
  // The run, request and number of rows of the last start(). If its computation failed, start() is
  // not called again for the same three, until set_on(false).
  uint64_t refused_run_ = 0;
  int64_t refused_request_ = -1, refused_rows_ = 0;
};

}  // namespace attn::gui
