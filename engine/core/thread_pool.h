// SPDX-License-Identifier: GPL-3.0-or-later
// The workers on which the kernels of a run compute. Worker 0 is the calling (engine) thread;
// workers 1..n-1 are threads of the pool. Each worker is one lane of the timeline. Tasks must not
// throw and must not call parallel_for.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace attn {

enum class TaskOrder {
  kDynamic,  // a worker takes the next task when it is free: fastest on ragged work
  // Worker w runs tasks w, w + n, ...: a task has the same lane in every run. For the virtual
  // clock.
  kStatic,
};

class ThreadPool {
 public:
  // num_workers below 1 counts as 1. Throws Error(kFailed) when the system refuses a thread.
  explicit ThreadPool(int num_workers);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_workers() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls fn(task, worker) for task in [0, num_tasks) and returns when all are done. One caller at
  // a time.
  template <class Fn>
  void parallel_for(int64_t num_tasks, TaskOrder order, Fn&& fn) {
    using Callable = std::remove_reference_t<Fn>;
    run(
        num_tasks, order,
        [](void* f, int64_t task, int worker) { (*static_cast<Callable*>(f))(task, worker); },
        const_cast<void*>(static_cast<const void*>(&fn)));
  }

  // The number of hardware threads, at least 1.
  static int hardware_workers();

 private:
  using Invoke = void (*)(void*, int64_t, int);
  void run(int64_t num_tasks, TaskOrder order, Invoke invoke, void* fn);
  void work(int worker);
  void worker_main(int worker);
  void stop();

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::atomic<uint64_t> generation_{0};
  std::atomic<int> running_{0};
  bool quit_ = false;
  int64_t num_tasks_ = 0;
  TaskOrder order_ = TaskOrder::kDynamic;
  Invoke invoke_ = nullptr;
  void* fn_ = nullptr;
  std::atomic<int64_t> next_{0};
};

}  // namespace attn
