// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/thread_pool.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "engine/core/error.h"

namespace attn {
namespace {

// A worker that has just finished looks for the next job kSpins times before it sleeps: kernels of
// one layer follow each other within microseconds, and a futex wake costs about as much as a small
// kernel.
constexpr int kSpins = 2000;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int num_workers) {
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
    quit_ = true;
    generation_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

int ThreadPool::hardware_workers() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void ThreadPool::run(int64_t num_tasks, TaskOrder order, Invoke invoke, void* fn) {
  if (num_tasks <= 0) return;
  if (threads_.empty() || (num_tasks == 1 && order == TaskOrder::kDynamic)) {
    for (int64_t task = 0; task < num_tasks; ++task) invoke(fn, task, 0);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    num_tasks_ = num_tasks;
    order_ = order;
    invoke_ = invoke;
    fn_ = fn;
    next_.store(0, std::memory_order_relaxed);
    running_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  work(0);
  for (int spin = 0; spin < kSpins; ++spin) {
    if (running_.load(std::memory_order_acquire) == 0) return;
    relax();
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return running_.load(std::memory_order_acquire) == 0; });
}

void ThreadPool::work(int worker) {
  if (order_ == TaskOrder::kStatic) {
    for (int64_t task = worker; task < num_tasks_; task += num_workers())
      invoke_(fn_, task, worker);
    return;
  }
  for (;;) {
    const int64_t task = next_.fetch_add(1, std::memory_order_relaxed);
    if (task >= num_tasks_) return;
    invoke_(fn_, task, worker);
  }
}

void ThreadPool::worker_main(int worker) {
  uint64_t seen = 0;
  for (;;) {
    for (int spin = 0; spin < kSpins && generation_.load(std::memory_order_acquire) == seen; ++spin)
      relax();
    if (generation_.load(std::memory_order_acquire) == seen) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return generation_.load(std::memory_order_relaxed) != seen; });
    }
    {
      std::lock_guard lock(mutex_);
      if (quit_) return;
      seen = generation_.load(std::memory_order_relaxed);
    }
    work(worker);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      std::lock_guard lock(mutex_);
      done_.notify_one();
    }
  }
}

}  // namespace attn
