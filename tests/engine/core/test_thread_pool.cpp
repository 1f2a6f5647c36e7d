// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/thread_pool.h"

#include <gtest/gtest.h>

#include <numeric>
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

INSTANTIATE_TEST_SUITE_P(Workers, Pool, ::testing::Values(1, 2, 3, 8));

TEST(ThreadPool, AtLeastOneWorker) {
  EXPECT_EQ(ThreadPool(0).num_workers(), 1);
  EXPECT_GE(ThreadPool::hardware_workers(), 1);
}

}  // namespace
}  // namespace attn
