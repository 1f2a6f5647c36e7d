// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/explore/inside.h"

#include <QCoreApplication>
#include <QPointer>
#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "gui/models/text.h"

namespace attn::gui {
namespace {

constexpr int kLookMs = 15;
// During a run the next computation waits for kShareOfRun times the duration of the last one, so
// the run keeps most of the time.
constexpr int kShareOfRun = 9;

bool same_tokens(const std::vector<int32_t>& rows, const std::vector<TokenView>& tokens) {
  return rows.size() <= tokens.size() &&
         std::equal(rows.begin(), rows.end(), tokens.begin(),
                    [](int32_t id, const TokenView& token) { return id == token.id; });
}

}  // namespace

// The engine thread writes `complete` and `trouble`; the GUI thread reads them once `ended` is set.
struct Inside::Job {
  QPointer<QObject> owner;  // GUI thread only
  Done done;                // GUI thread only
  RunWork work;
  std::atomic<bool> dropped{false}, begun{false}, ended{false};
  bool complete = false;
  std::string trouble;
};

Inside::Inside(EngineBridge& bridge, Selection& selection, TimeCursor* cursor, QObject* parent)
    : QObject(parent), bridge_(bridge), selection_(selection), cursor_(cursor) {
  timer_.setInterval(kLookMs);
  later_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &Inside::collect);
  connect(&later_, &QTimer::timeout, this, &Inside::look);
  connect(&bridge, &EngineBridge::run_started, this, &Inside::begin_run);
  connect(&selection, &Selection::shown_changed, this, &Inside::look);
  if (cursor)
    connect(cursor, &TimeCursor::changed, this, &Inside::look);
  else
    connect(&bridge, &EngineBridge::snapshot_changed, this, &Inside::look);
}

Inside::~Inside() {
  for (const auto& job : jobs_) job->dropped = true;
  if (!jobs_.empty()) bridge_.runner().cancel_job();
}

void Inside::begin_run() {
  now_ = nullptr;
  if (brings_list()) what_if_.clear();
  look();
}

// Whether the shown run was saved with what the views showed, and so with its own list of changes.
bool Inside::brings_list() const {
  const auto session = bridge_.session();
  return session && !session->view.empty();
}

// At the first snapshot of a run without a list of its own, keeps the changes that fit it.
void Inside::fit_changes() {
  const auto& snapshot = bridge_.snapshot();
  if (!snapshot || !snapshot->scenario) return;
  const auto before = std::exchange(scenario_, snapshot->scenario);
  const bool is_new = std::exchange(run_, snapshot->run) != snapshot->run;
  if (!is_new || !before || brings_list()) return;
  const std::vector<Intervention> earlier = what_if_.list();
  const std::vector<Intervention> kept = kept_changes(earlier, *before, *scenario_);
  QStringList removed;
  for (const Intervention& what : earlier)
    if (std::ranges::find(kept, what) == kept.end())
      removed += QString::fromStdString(text_of(what));
  if (removed.isEmpty()) return;
  what_if_.set(kept);
  emit changes_removed(
      before->source != scenario_->source
          ? tr("Knock-out: the list of changes was emptied, because this run has another model.")
          : tr("Knock-out: the list lost the changes that name tokens, requests or sinks of the "
               "earlier run: %1.")
                .arg(removed.join(QStringLiteral(", "))));
}

std::shared_ptr<const EngineSnapshot> Inside::moment() const {
  return cursor_ ? cursor_->snapshot() : bridge_.snapshot();
}

const RequestView* Inside::live_request() const {
  const auto& snapshot = bridge_.snapshot();
  if (!snapshot || snapshot->requests.empty()) return nullptr;
  const RequestView* shown = request_by_id(*snapshot, selection_.shown_request());
  return shown ? shown : &snapshot->requests.front();
}

const RequestView* Inside::request_then() const {
  const auto shown = moment();
  const RequestView* live = live_request();
  return shown && live ? request_by_id(*shown, live->id) : nullptr;
}

int64_t Inside::rows_shown() const {
  const RequestView* then = request_then();
  return now_ && then ? std::min(now_->rows(), rows_inside(*then)) : 0;
}

double Inside::bytes() const {
  const auto& snapshot = bridge_.snapshot();
  const RequestView* request = live_request();
  return request ? inside_bytes(*snapshot, std::max<int64_t>(1, rows_inside(*request))) : 0;
}

QString Inside::refusal() const {
  const auto& snapshot = bridge_.snapshot();
  if (!snapshot || !snapshot->scenario || !live_request()) return tr("No request has arrived yet.");
  if (!snapshot->scenario->source.reads_text())
    return tr(
        "This run has no model: its queries, keys and values come from a generator or from "
        "files, so there is no residual stream and no next token to explain.");
  const RequestView* then = request_then();
  if (!then) return tr("At this step the request had not arrived.");
  if (!then->tokens || rows_inside(*then) == 0) return tr("The request has no tokens.");
  return {};
}

void Inside::set_on(bool on) {
  if (on == on_) return;
  on_ = on;
  if (!on) {
    now_ = nullptr;
    trouble_.clear();
    refused_request_ = -1;
    for (const auto& job : jobs_) job->dropped = true;
    if (computing_) bridge_.runner().cancel_job();
  }
  emit switched();
  look();
}

bool Inside::is_shown(const InsideRequest& inside) const {
  const auto shown = moment();
  const RequestView* live = live_request();
  if (!shown || !live || inside.moment->run != shown->run || inside.request.id != live->id)
    return false;
  const RequestView* then = request_by_id(*shown, live->id);
  return then && then->tokens && inside.rows() >= rows_inside(*then) &&
         same_tokens(inside.run.tokens, *live->tokens);
}

void Inside::look() {
  fit_changes();
  if (on_ && !computing_ && refusal().isEmpty()) {
    const auto shown = moment();
    const RequestView* live = live_request();
    const int64_t rows = rows_inside(*request_by_id(*shown, live->id));
    const bool refused = !trouble_.isEmpty() && refused_run_ == shown->run &&
                         refused_request_ == live->id && refused_rows_ == rows;
    if (now_ && (now_->moment->run != shown->run || now_->request.id != live->id)) now_ = nullptr;
    if (!refused && !(now_ && is_shown(*now_))) {
      const auto waited = std::chrono::steady_clock::now() - ended_;
      const auto least = kShareOfRun * (ended_ - begun_);
      const bool goes_on =
          shown->phase == EnginePhase::kRunning && bridge_.gate_state() == RunGate::State::kRunning;
      if (now_ && goes_on && waited < least)
        later_.start(std::chrono::duration_cast<std::chrono::milliseconds>(least - waited));
      else
        start();
    }
  } else if (on_ && !refusal().isEmpty()) {
    now_ = nullptr;
  }
  emit changed();
}

void Inside::start() {
  auto next = std::make_shared<InsideRequest>();
  next->moment = moment();
  next->request = *live_request();
  next->request.tokens = request_by_id(*next->moment, next->request.id)->tokens;
  refused_run_ = next->moment->run;
  refused_request_ = next->request.id;
  refused_rows_ = rows_inside(next->request);
  computing_ = true;
  trouble_.clear();
  const auto begun = std::make_shared<std::chrono::steady_clock::time_point>();
  enqueue(
      this,
      [next, begun](const std::shared_ptr<Source>& source, const Execution& execution) {
        *begun = std::chrono::steady_clock::now();
        auto run = explore_request(*next->moment, next->request, source, execution);
        if (run) next->run = std::move(*run);
        return run.has_value();
      },
      [this, next, begun](const QString& trouble) {
        begun_ = *begun;
        ended_ = std::chrono::steady_clock::now();
        if (on_) {
          trouble_ = trouble;
          now_ = trouble.isEmpty() ? next : nullptr;
        }
      });
}

void Inside::compute(QObject* owner, Work work, Done done) {
  enqueue(
      owner,
      [inside = now_, work = std::move(work)](const std::shared_ptr<Source>&,
                                              const Execution& execution) {
        return work(*inside, execution);
      },
      std::move(done));
}

void Inside::compute_alone(QObject* owner, RunWork work, Done done) {
  enqueue(owner, std::move(work), std::move(done));
}

void Inside::enqueue(QObject* owner, RunWork work, Done done) {
  for (const auto& job : jobs_)
    if (job->owner == owner && !job->begun) job->dropped = true;
  auto job = std::make_shared<Job>();
  job->owner = owner;
  job->work = std::move(work);
  job->done = std::move(done);
  jobs_.push_back(job);
  EngineRunner& runner = bridge_.runner();
  const auto& snapshot = bridge_.snapshot();
  const std::shared_ptr<const Scenario> scenario = snapshot ? snapshot->scenario : nullptr;
  runner.run_job([job, &runner, scenario](RunGate& gate) {
    job->begun = true;
    try {
      if (!job->dropped && !gate.cancelled() && scenario) {
        const std::shared_ptr<Source> source = runner.model_in_job(*scenario, gate);
        ThreadPool pool(num_workers(*scenario));
        Execution execution;
        execution.pool = &pool;
        execution.gate = &gate;
        job->complete = job->work(source, execution);
      }
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCancelled) job->trouble = error.what();
    } catch (const std::exception& error) {
      job->trouble = message_of(error);
    }
    job->work = nullptr;
    job->ended = true;
  });
  timer_.start();
}

bool Inside::is_computing(const QObject* owner) const {
  return std::ranges::any_of(jobs_, [owner](const std::shared_ptr<Job>& job) {
    return job->owner == owner && !job->dropped;
  });
}

void Inside::wait_for(const QObject* owner) {
  while (is_computing(owner)) {
    bridge_.tick();
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    collect();
  }
}

void Inside::cancel(QObject* owner) {
  for (const auto& job : jobs_)
    if (job->owner == owner) {
      job->dropped = true;
      if (job->begun && !job->ended) bridge_.runner().cancel_job();
    }
}

void Inside::collect() {
  std::vector<std::shared_ptr<Job>> ended;
  std::erase_if(jobs_, [&ended](const std::shared_ptr<Job>& job) {
    const bool has_ended = job->ended;  // read once: it can change between two reads
    if (has_ended) ended.push_back(job);
    return has_ended;
  });
  for (const auto& job : ended) {
    if (job->owner == this) computing_ = false;
    if (job->owner && !job->dropped && (job->complete || !job->trouble.empty()))
      job->done(QString::fromStdString(job->trouble));
  }
  if (jobs_.empty()) timer_.stop();
  if (!ended.empty()) look();
}

bool Inside::is_behind() const {
  if (!jobs_.empty()) return true;
  return on_ && trouble_.isEmpty() && refusal().isEmpty() && !(now_ && is_shown(*now_));
}

void Inside::show_all() {
  set_on(true);
  look();
  do {
    bridge_.tick();
    QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    collect();
  } while (is_behind());
}

}  // namespace attn::gui

#include "moc_inside.cpp"
