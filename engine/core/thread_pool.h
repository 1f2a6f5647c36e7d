// SPDX-License-Identifier: GPL-3.0-or-later
// Workers that share the tasks of a loop: those of the kernels of a run, or of reading weights.
// Worker 0 is the calling thread (in a run the engine thread); workers 1..n-1 are threads of the
// pool. In a run each worker is one lane of the timeline. Tasks must not throw and must not call
// parallel_for.
//
// A small call must not wait for a sleeping thread, which begins tens of us after it is woken. So
// in the order kDynamic:
// - the caller begins at once, and a call never waits for a worker that has not begun;
// - a call of less than kAloneNs is done by the caller alone;
// - sleeping workers are woken only for work that is worth it (kWakeNs);
// - after a call the workers wait awake for kAwakeUs and then sleep, so that the next kernel of a
//   step finds them awake and a run that waits costs nothing. (If there are fewer processors than
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
  kDynamic,  // a worker takes the next task when it is free: best for tasks of unequal length
  // Of n workers, worker w runs the tasks w, w + n, ...: a task has the same worker in every run.
  // For the virtual clock.
  kStatic,
};

class ThreadPool {
 public:
  // With less work than this (in ns of one worker, as the caller of parallel_for() estimates it),
  // the caller runs all tasks alone. Measured (docs/measurements.md, Small calls): an awake worker
  // takes part within 1 us; waking one costs the caller 8 us, and it begins some 40 us later.
  static constexpr uint64_t kAloneNs = 2'000;
  // For each kWakeNs of work it is worth waking one more worker.
  static constexpr uint64_t kWakeNs = 50'000;
  static constexpr uint64_t kMuchWork = std::numeric_limits<uint64_t>::max();
  // How long a worker, and the caller at the end of a call, waits awake before it sleeps. Longer
  // than the time between two kernels of a step.
  static constexpr int kAwakeUs = 50;

  // num_workers below 1 counts as 1. Throws Error(kFailed) when the system refuses a thread.
  explicit ThreadPool(int num_workers);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_workers() const { return static_cast<int>(threads_.size()) + 1; }

  // Calls fn(task, worker) for task in [0, num_tasks) and returns when all are done. One caller at
  // a time. work_ns: estimate of all tasks together; it decides whether workers take part and how
  // many are woken for it, unless the order is kStatic, in which all take part.
  template <class Fn>
  void parallel_for(int64_t num_tasks, TaskOrder order, uint64_t work_ns, Fn&& fn) {
    using Callable = std::remove_reference_t<Fn>;
    run({num_tasks, order,
         [](void* f, int64_t task, int worker) { (*static_cast<Callable*>(f))(task, worker); },
         const_cast<void*>(static_cast<const void*>(&fn))},
        work_ns);
  }
  // The same for much work.
  template <class Fn>
  void parallel_for(int64_t num_tasks, TaskOrder order, Fn&& fn) {
    parallel_for(num_tasks, order, kMuchWork, std::forward<Fn>(fn));
  }

  // The number of hardware threads that this process may use, at least 1.
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
  int awake_us_ = 0;  // 0: there are fewer processors than workers, which then must not wait awake
  Job job_;           // written by the caller while nobody is in the job
  // The number of workers that entered the job, the number of those that left it, whether it is
  // open, and its generation: all in one word, so that "enter if it is open" is one atomic step.
  alignas(64) std::atomic<uint64_t> state_{0};
  alignas(64) std::atomic<int64_t> next_{0};  // the next task, in kDynamic order
  alignas(64) std::atomic<int> sleeping_{0};  // workers that sleep
  std::atomic<bool> caller_sleeps_{false};
  std::atomic<bool> quit_{false};
  std::mutex mutex_;
  std::condition_variable wake_, done_;
};

}  // namespace attn
