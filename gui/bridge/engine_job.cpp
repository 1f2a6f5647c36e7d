// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/bridge/engine_job.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace attn::gui {

struct EngineJob::Shared {
  std::atomic<bool> cancelled{false}, begun{false}, ended{false};
  std::mutex mutex;
  double fraction = 0;
  std::string doing, trouble;
  ErrorCode code = ErrorCode::kFailed;
};

EngineJob::EngineJob(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
  timer_.setInterval(30);
  connect(&timer_, &QTimer::timeout, this, &EngineJob::look);
}

EngineJob::~EngineJob() {
  if (state_ == State::kIdle) return;
  shared_->cancelled = true;
  bridge_.runner().cancel_job();
}

void EngineJob::launch(Work work) {
  if (state_ != State::kIdle) cancel();
  shared_ = std::make_shared<Shared>();
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
      const Progress progress = [&shared, &gate](double fraction, const std::string& doing) {
        if (shared->cancelled) gate.cancel();
        std::lock_guard lock(shared->mutex);
        shared->fraction = fraction;
        shared->doing = doing;
      };
      if (!shared->cancelled && !work(gate, progress)) shared->cancelled = true;
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

void EngineJob::cancel() {
  if (state_ == State::kIdle) return;
  shared_->cancelled = true;
  bridge_.runner().cancel_job();
}

void EngineJob::look() {
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
    if (trouble_.isEmpty() && shared_->cancelled)
      trouble_ = cancelled_text();
    else if (trouble_.isEmpty())
      take_result();
    if (resume_) bridge_.run();
    emit finished();
  }
  emit progressed();
}

}  // namespace attn::gui

#include "moc_engine_job.cpp"
