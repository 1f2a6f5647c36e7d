// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <system_error>

#include "engine/core/error.h"

namespace attn {
namespace {

// One unit of each of the four parts of ThreadPool::state_.
constexpr uint64_t kEntered = 1, kLeft = uint64_t{1} << 12, kOpen = uint64_t{1} << 24,
                   kGeneration = uint64_t{1} << 25;
uint64_t entered(uint64_t state) {
  return state % kLeft;
}
uint64_t left(uint64_t state) {
  return state % kOpen / kLeft;
}
bool is_open(uint64_t state) {
  return (state & kOpen) != 0;
}
uint64_t generation(uint64_t state) {
  return state / kGeneration;
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int num_workers)
    : awake_us_(num_workers <= hardware_workers() ? kAwakeUs : 0) {
  const int extra = std::max(1, num_workers) - 1;
  threads_.reserve(static_cast<size_t>(extra));
  try {
    for (int worker = 1; worker <= extra; ++worker)
      threads_.emplace_back([this, worker] { worker_main(worker); });
  } catch (const std::system_error& error) {
    const size_t started = threads_.size();
    stop();
    throw Error(ErrorCode::kFailed,
                {"the system cannot start more threads", "thread pool", std::to_string(started + 1),
                 "", std::string("Use fewer threads (") + error.what() + ")"});
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  {
    std::lock_guard lock(mutex_);
    quit_.store(true);
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

int ThreadPool::hardware_workers() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// --- the caller

void ThreadPool::run(const Job& job, uint64_t work_ns) {
  if (job.num_tasks <= 0) return;
  const bool dynamic = job.order == TaskOrder::kDynamic;
  if (threads_.empty() || job.num_tasks == 1 || (dynamic && work_ns < kAloneNs)) {
    for (int64_t task = 0; task < job.num_tasks; ++task) job.invoke(job.fn, task, 0);
    return;
  }
  open(job);
  const auto all = static_cast<int64_t>(threads_.size());
  wake(dynamic ? std::min(job.num_tasks - 1, static_cast<int64_t>(work_ns / kWakeNs)) : all);
  work(0);
  close();
}

void ThreadPool::open(const Job& job) {
  job_ = job;
  next_.store(0, std::memory_order_relaxed);
  const uint64_t last = generation(state_.load(std::memory_order_relaxed));
  state_.store((last + 1) * kGeneration | kOpen);
}

// Wakes up to `workers` sleeping workers. A worker first counts itself as sleeping and then looks
// at state_; the caller first changes state_ and then looks at the count. These steps are
// sequentially consistent, so a worker that is not counted here sees the job and does not sleep.
void ThreadPool::wake(int64_t workers) {
  const int sleeping = sleeping_.load();
  if (sleeping == 0 || workers <= 0) return;
  { std::lock_guard lock(mutex_); }  // the counted ones now wait or have seen the job
  if (workers >= sleeping) return wake_.notify_all();
  for (int64_t i = 0; i < workers; ++i) wake_.notify_one();
}

// Returns when all workers that entered the job have left it. In kStatic order it waits for all
// workers of the pool.
void ThreadPool::close() {
  const bool all_come = job_.order == TaskOrder::kStatic;
  if (!all_come) state_.fetch_and(~kOpen);
  const auto done = [&] {
    const uint64_t state = state_.load();
    return left(state) == (all_come ? threads_.size() : entered(state));
  };
  if (!wait_awake(done)) {
    std::unique_lock lock(mutex_);
    caller_sleeps_.store(true);
    done_.wait(lock, done);
    caller_sleeps_.store(false);
  }
  if (all_come) state_.fetch_and(~kOpen);
}

// --- workers

// False: the job of this generation is closed or over.
bool ThreadPool::enter(uint64_t job) {
  uint64_t state = state_.load();
  while (generation(state) == job && is_open(state))
    if (state_.compare_exchange_weak(state, state + kEntered)) return true;
  return false;
}

// As in wake(): either the caller, which first sets caller_sleeps_, sees that this worker left, or
// this worker sees that the caller sleeps.
void ThreadPool::leave() {
  state_.fetch_add(kLeft);
  if (!caller_sleeps_.load()) return;
  std::lock_guard lock(mutex_);
  done_.notify_one();
}

void ThreadPool::work(int worker) {
  if (job_.order == TaskOrder::kStatic) {
    for (int64_t task = worker; task < job_.num_tasks; task += num_workers())
      job_.invoke(job_.fn, task, worker);
    return;
  }
  for (;;) {
    const int64_t task = next_.fetch_add(1, std::memory_order_relaxed);
    if (task >= job_.num_tasks) return;
    job_.invoke(job_.fn, task, worker);
  }
}

void ThreadPool::worker_main(int worker) {
  uint64_t seen = 0;
  const auto called = [&] { return quit_.load() || generation(state_.load()) != seen; };
  for (;;) {
    if (!wait_awake(called)) {
      std::unique_lock lock(mutex_);
      sleeping_.fetch_add(1);
      wake_.wait(lock, called);
      sleeping_.fetch_sub(1);
    }
    if (quit_.load()) return;
    seen = generation(state_.load());
    if (!enter(seen)) continue;
    work(worker);
    leave();
  }
}

// Checks the condition for awake_us_, without sleeping. Returns whether it holds.
template <class Condition>
bool ThreadPool::wait_awake(Condition&& condition) const {
  constexpr int kLooks = 16;
  using Clock = std::chrono::steady_clock;
  if (condition()) return true;
  if (awake_us_ == 0) return false;
  const Clock::time_point end = Clock::now() + std::chrono::microseconds(awake_us_);
  do {
    for (int i = 0; i < kLooks; ++i) {
      relax();
      if (condition()) return true;
    }
  } while (Clock::now() < end);
  return false;
}

}  // namespace attn
