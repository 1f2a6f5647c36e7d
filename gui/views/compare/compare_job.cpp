// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_job.h"

#include <atomic>
#include <mutex>

namespace attn::gui {

// Written on the engine thread, read on the GUI thread.
struct CompareJob::Shared {
  std::atomic<bool> cancelled{false}, begun{false}, ended{false};
  std::mutex mutex;
  double fraction = 0;
  std::string doing, trouble;
  ErrorCode code = ErrorCode::kFailed;
  std::shared_ptr<const CompareResult> result;
  std::shared_ptr<const CacheCompareResult> cache_result;
};

CompareJob::CompareJob(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
  timer_.setInterval(30);
  connect(&timer_, &QTimer::timeout, this, &CompareJob::look);
}

CompareJob::~CompareJob() {
  if (state_ == State::kIdle) return;
  shared_->cancelled = true;
  bridge_.runner().cancel_job();
}

template <class Result>
void CompareJob::keep(Shared& shared, Result result, std::shared_ptr<const Result>& place) {
  if (result.cancelled) {
    shared.cancelled = true;
    return;
  }
  std::lock_guard lock(shared.mutex);
  place = std::make_shared<const Result>(std::move(result));
}

void CompareJob::start(CompareSpec spec) {
  auto shared = std::make_shared<Shared>();
  launch(shared, [shared, spec = std::move(spec)](RunGate& gate, const CompareProgress& progress) {
    keep(*shared, run_compare(spec, &gate, progress), shared->result);
  });
}

void CompareJob::start(CacheCompareSpec spec) {
  auto shared = std::make_shared<Shared>();
  launch(shared, [shared, spec = std::move(spec)](RunGate& gate, const CompareProgress& progress) {
    keep(*shared, compare_cache(spec, &gate, progress), shared->cache_result);
  });
}

void CompareJob::launch(std::shared_ptr<Shared> of_job, Work work) {
  if (state_ != State::kIdle) cancel();
  shared_ = std::move(of_job);
  state_ = State::kWaiting;
  fraction_ = 0;
  doing_.clear();
  trouble_.clear();
  const auto& snapshot = bridge_.snapshot();
  const bool in_a_step =
      snapshot && snapshot->layer >= 0 &&
      (snapshot->phase == EnginePhase::kRunning || snapshot->phase == EnginePhase::kPaused);
  const bool slow = bridge_.gate_state() == RunGate::State::kPaused || bridge_.pace() > 0;
  resume_ = in_a_step && bridge_.gate_state() == RunGate::State::kRunning;
  bridge_.runner().run_job([shared = shared_, work = std::move(work)](RunGate& gate) {
    shared->begun = true;
    try {
      if (!shared->cancelled)
        work(gate, [&shared, &gate](double fraction, const std::string& doing) {
          if (shared->cancelled) gate.cancel();
          std::lock_guard lock(shared->mutex);
          shared->fraction = fraction;
          shared->doing = doing;
        });
    } catch (const Error& error) {
      std::lock_guard lock(shared->mutex);
      shared->trouble = error.what();
      shared->code = error.code();
    } catch (const std::exception& error) {
      std::lock_guard lock(shared->mutex);
      shared->trouble = message_of(error);
    }
    shared->ended = true;
  });
  if (in_a_step && slow)
    bridge_.step(Granularity::kStep);
  else
    resume_ = false;
  timer_.start();
  emit progressed();
}

void CompareJob::cancel() {
  if (state_ == State::kIdle) return;
  shared_->cancelled = true;
  bridge_.runner().cancel_job();
}

void CompareJob::look() {
  if (!shared_->ended) {
    if (shared_->begun) state_ = State::kRunning;
    std::lock_guard lock(shared_->mutex);
    fraction_ = shared_->fraction;
    doing_ = QString::fromStdString(shared_->doing);
  } else {
    timer_.stop();
    state_ = State::kIdle;
    trouble_ = QString::fromStdString(shared_->trouble);
    trouble_code_ = shared_->code;
    if (trouble_.isEmpty() && shared_->cancelled) trouble_ = tr("The comparison was cancelled.");
    if (shared_->result) result_ = shared_->result;
    if (shared_->cache_result) cache_result_ = shared_->cache_result;
    if (resume_) bridge_.run();
    emit finished();
  }
  emit progressed();
}

}  // namespace attn::gui

#include "moc_compare_job.cpp"
