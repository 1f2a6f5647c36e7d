// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/thread_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace attn {
namespace {

class Pool : public ::testing::TestWithParam<int> {};

TEST_P(Pool, RunsEveryTaskOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.num_workers(), GetParam());
  for (const int64_t tasks : {0, 1, 2, 3, 7, 1000}) {
    for (const TaskOrder order : {TaskOrder::kDynamic, TaskOrder::kStatic}) {
      std::vector<int> runs(static_cast<size_t>(tasks));
      pool.parallel_for(tasks, order, [&](int64_t task, int worker) {
        ASSERT_GE(worker, 0);
        ASSERT_LT(worker, pool.num_workers());
        ++runs[static_cast<size_t>(task)];
      });
      for (const int count : runs) EXPECT_EQ(count, 1);
    }
  }
}

TEST_P(Pool, StaticOrderGivesATaskAlwaysToTheSameWorker) {
  ThreadPool pool(GetParam());
  for (int round = 0; round < 200; ++round) {
    std::vector<int> worker_of(11, -1);
    pool.parallel_for(11, TaskOrder::kStatic, [&](int64_t task, int worker) {
      worker_of[static_cast<size_t>(task)] = worker;
    });
    for (int64_t task = 0; task < 11; ++task)
      EXPECT_EQ(worker_of[static_cast<size_t>(task)], task % pool.num_workers());
  }
}

TEST_P(Pool, ManySmallJobsInARow) {
  ThreadPool pool(GetParam());
  std::vector<int64_t> sums(static_cast<size_t>(pool.num_workers()));
  for (int job = 0; job < 20000; ++job)
    pool.parallel_for(5, TaskOrder::kDynamic,
                      [&](int64_t task, int worker) { sums[static_cast<size_t>(worker)] += task; });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), int64_t{0}), 20000 * 10);
}

TEST_P(Pool, JobsOfAllSizesInARow) {
  ThreadPool pool(GetParam());
  constexpr uint64_t kSizes[] = {0, ThreadPool::kAloneNs, ThreadPool::kWakeNs,
                                 3 * ThreadPool::kWakeNs, ThreadPool::kMuchWork};
  std::vector<int64_t> sums(static_cast<size_t>(pool.num_workers()));
  constexpr int kJobs = 1000;
  for (int job = 0; job < kJobs; ++job)
    pool.parallel_for(5, job % 7 == 0 ? TaskOrder::kStatic : TaskOrder::kDynamic, kSizes[job % 5],
                      [&](int64_t task, int worker) { sums[static_cast<size_t>(worker)] += task; });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), int64_t{0}), kJobs * 10);
}

TEST_P(Pool, SleepingWorkersCome) {
  ThreadPool pool(GetParam());
  for (int round = 0; round < 10; ++round) {
    std::this_thread::sleep_for(std::chrono::microseconds(4 * ThreadPool::kAwakeUs));
    std::vector<std::thread::id> threads(static_cast<size_t>(pool.num_workers()));
    pool.parallel_for(pool.num_workers(), TaskOrder::kStatic, [&](int64_t task, int) {
      threads[static_cast<size_t>(task)] = std::this_thread::get_id();
    });
    for (size_t i = 0; i < threads.size(); ++i)
      for (size_t j = 0; j < i; ++j) EXPECT_NE(threads[i], threads[j]);
  }
}

TEST_P(Pool, SmallWorkIsDoneByTheCallerAlone) {
  ThreadPool pool(GetParam());
  const std::thread::id caller = std::this_thread::get_id();
  for (int round = 0; round < 100; ++round)
    pool.parallel_for(20, TaskOrder::kDynamic, ThreadPool::kAloneNs - 1, [&](int64_t, int worker) {
      EXPECT_EQ(worker, 0);
      EXPECT_EQ(std::this_thread::get_id(), caller);
    });
}

TEST_P(Pool, ALongTaskOfAnotherWorkerIsWaitedFor) {
  ThreadPool pool(GetParam());
  std::vector<int> done(static_cast<size_t>(pool.num_workers()));
  for (int round = 1; round <= 5; ++round) {
    pool.parallel_for(pool.num_workers(), TaskOrder::kStatic, [&](int64_t task, int) {
      if (task > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      done[static_cast<size_t>(task)] = round;
    });
    for (const int last : done) EXPECT_EQ(last, round);
  }
}

INSTANTIATE_TEST_SUITE_P(Workers, Pool, ::testing::Values(1, 2, 3, 8));

TEST(ThreadPool, AtLeastOneWorker) {
  EXPECT_EQ(ThreadPool(0).num_workers(), 1);
  EXPECT_GE(ThreadPool::hardware_workers(), 1);
}

}  // namespace
}  // namespace attn
