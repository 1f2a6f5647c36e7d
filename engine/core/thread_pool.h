// SPDX-License-Identifier: GPL-3.0-or-later
// ThreadPool: workers that share the tasks of a loop. Worker 0 is the calling thread; workers
// 1..n-1 are threads of the pool. Tasks must not throw and must not call parallel_for.
//
// In the order kDynamic a small call does not wait for a sleeping thread:
// - the caller begins at once, and waits at the end only for workers that have begun;
// - a call of less than kAloneNs is done by the caller alone;
// - at most one sleeping worker is woken for each kWakeNs of work;
// - after a call the workers wait awake for kAwakeUs and then sleep. (With fewer processors than
//   workers, they sleep at once.)
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace attn {

enum class TaskOrder {
  kDynamic,  // a worker takes the next task when it is free
  // Of n workers, worker w runs the tasks w, w + n, ... in every run.
  kStatic,
};

class ThreadPool {
 public:
  // In kDynamic order the caller runs all tasks alone if they take less than kAloneNs. kAloneNs and
  // kWakeNs are ns of one worker, as the caller of parallel_for() estimates them.
  static constexpr uint64_t kAloneNs = 2'000;
  static constexpr uint64_t kWakeNs = 50'000;
  static constexpr uint64_t kMuchWork = std::numeric_limits<uint64_t>::max();
  static constexpr int kAwakeUs = 50;

  // num_workers below 1 counts as 1. Throws Error(kFailed) when the system refuses a thread.
  explicit ThreadPool(int num_workers);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_workers() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls fn(task, worker) for task in [0, num_tasks) and returns when all are done. One caller at
  // a time. work_ns: estimated time of all tasks together; in kDynamic order it limits how many
  // workers are woken.
  template <class Fn>
  void parallel_for(int64_t num_tasks, TaskOrder order, uint64_t work_ns, Fn&& fn) {
    using Callable = std::remove_reference_t<Fn>;
    run({num_tasks, order,
         [](void* f, int64_t task, int worker) { (*static_cast<Callable*>(f))(task, worker); },
         const_cast<void*>(static_cast<const void*>(&fn))},
        work_ns);
  }
  template <class Fn>
  void parallel_for(int64_t num_tasks, TaskOrder order, Fn&& fn) {
    parallel_for(num_tasks, order, kMuchWork, std::forward<Fn>(fn));
  }

  // std::thread::hardware_concurrency(), at least 1.
  static int hardware_workers();

 private:
  struct Job {
    int64_t num_tasks = 0;
    TaskOrder order = TaskOrder::kDynamic;
    void (*invoke)(void* fn, int64_t task, int worker) = nullptr;
    void* fn = nullptr;
  };
  void run(const Job& job, uint64_t work_ns);
  void open(const Job& job);
  void wake(int64_t workers);
  void close();
  void work(int worker);
  void worker_main(int worker);
  bool enter(uint64_t generation);
  void leave();
  template <class Condition>
  bool wait_awake(Condition&& condition) const;
  void stop();

  std::vector<std::thread> threads_;
  int awake_us_ = 0;  // 0: fewer processors than workers, so none waits awake
  Job job_;           // written by the caller while nobody is in the job
  // The number of workers that entered the job, the number that left it, whether it is open, and
  // its generation. They share one word because "enter if it is open" must be one atomic step.
  alignas(64) std::atomic<uint64_t> state_{0};
  alignas(64) std::atomic<int64_t> next_{0};  // the next task, in kDynamic order
  alignas(64) std::atomic<int> sleeping_{0};  // workers that sleep
  std::atomic<bool> caller_sleeps_{false};
  std::atomic<bool> quit_{false};
  std::mutex mutex_;
  std::condition_variable wake_, done_;
};

}  // namespace attn
