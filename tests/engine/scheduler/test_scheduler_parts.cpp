// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a scheduler, each without a Scheduler: queues, seats, sequences and limits.
#include <gmock/gmock.h>

#include "engine/scheduler/parts/scheduler_parts.h"

namespace attn {
namespace {

using ::testing::ElementsAre;

Request request_of(uint32_t id, int64_t priority, uint64_t arrival_ns) {
  Request request;
  request.id = id;
  request.prompt_ids = {1, 2, 3, 4, 5};
  request.priority = priority;
  request.arrival_ns = arrival_ns;
  return request;
}

class SchedulerPart : public ::testing::Test {
 protected:
  Request& arrive(Request request) {
    Request& added = parts_.sequences.add(std::move(request));
    EXPECT_EQ(parts_.queues.take_arrived(added.arrival_ns), &added);
    parts_.queues.enter(added);
    return added;
  }
  void run(Request& request) {
    ASSERT_TRUE(parts_.manager.allocate(request.id, request.prompt_ids, 5));
    parts_.queues.move(request, RequestState::kRunning);
  }

  BlockManager manager_{{.block_size = 4, .num_blocks = 8}};
  SchedulerParts parts_{{.max_num_seqs = 4}, manager_, {}};
};

TEST_F(SchedulerPart, QueuesAreInTheOrderOfTheLine) {
  RequestQueues& queues = parts_.queues;
  Request &late = parts_.sequences.add(request_of(0, 0, 20)),
          &first = parts_.sequences.add(request_of(1, 1, 10)),
          &urgent = parts_.sequences.add(request_of(2, 0, 15));
  EXPECT_EQ(queues.next_arrival_ns(), 10u);
  EXPECT_EQ(queues.take_arrived(9), nullptr);
  for (Request* expected : {&first, &urgent, &late}) {
    ASSERT_EQ(queues.take_arrived(20), expected);
    queues.enter(*expected);
  }
  EXPECT_THAT(queues.waiting(), ElementsAre(&urgent, &late, &first));
  for (Request* request : {&first, &late, &urgent}) queues.move(*request, RequestState::kRunning);
  EXPECT_THAT(queues.running(), ElementsAre(&urgent, &late, &first));
  queues.move(late, RequestState::kSwapped);
  EXPECT_THAT(queues.swapped(), ElementsAre(&late));
  EXPECT_NO_THROW(queues.check(parts_.sequences.all()));
  first.state = RequestState::kWaiting;
  EXPECT_THROW(queues.check(parts_.sequences.all()), std::logic_error);
}

TEST_F(SchedulerPart, ARunningRequestBehindAWaitingOneIsNoticed) {
  Request &first = arrive(request_of(0, 0, 0)), &second = arrive(request_of(1, 0, 0));
  run(first);
  EXPECT_NO_THROW(parts_.queues.check_line());
  run(second);
  parts_.queues.move(first, RequestState::kWaiting);
  EXPECT_THROW(parts_.queues.check_line(), std::logic_error);
}

TEST_F(SchedulerPart, SeatsCountSamplesAndBeamsToCome) {
  Request two = request_of(0, 0, 0), beams = request_of(1, 0, 0);
  two.n = 2;
  beams.beam_width = 3;
  Request &first = arrive(two), &second = arrive(beams), &third = arrive(request_of(2, 0, 0));
  EXPECT_TRUE(parts_.seats.are_free_for(second));
  run(first);
  EXPECT_EQ(parts_.seats.taken(), 2);
  EXPECT_FALSE(parts_.seats.are_free_for(second));
  EXPECT_TRUE(parts_.seats.are_free_for(third));
}

TEST_F(SchedulerPart, AForkRunsWithTheBlocksOfItsParentAndEndsAlone) {
  Request& parent = arrive(request_of(0, 0, 0));
  run(parent);
  const int64_t free = manager_.num_available();
  Request& child = parts_.sequences.fork(parent, 1);
  EXPECT_EQ(manager_.num_available(), free);
  EXPECT_THAT(parts_.queues.running(), ElementsAre(&parent, &child));
  EXPECT_EQ(&parts_.sequences.root_of(child), &parent);
  parts_.sequences.end(child, RequestState::kFinishedStopped, 7);
  EXPECT_THAT(parts_.queues.running(), ElementsAre(&parent));
  EXPECT_EQ(manager_.num_available(), free);
  EXPECT_THAT(parts_.sequences.take_finished(), ElementsAre(child.id));
  EXPECT_THAT(parts_.sequences.take_forked(), ElementsAre(Fork{parent.id, child.id}));
  EXPECT_TRUE(parts_.sequences.take_finished().empty());
}

TEST_F(SchedulerPart, LimitsTellRequestsWithOtherEncodersApart) {
  Request plain = request_of(0, 0, 0), one = plain, same = plain, other = plain;
  one.encoder_ids = same.encoder_ids = {7, 8};
  other.encoder_ids = {7, 9};
  RequestLimits& limits = parts_.limits;
  EXPECT_EQ(limits.prefix_key(plain), plain.cache_key);
  EXPECT_EQ(limits.prefix_key(one), limits.prefix_key(same));
  EXPECT_NE(limits.prefix_key(one), limits.prefix_key(other));
  EXPECT_NE(limits.prefix_key(one), limits.prefix_key(plain));
  EXPECT_EQ(limits.blocks_of(plain), 2);
  EXPECT_EQ(limits.blocks_of(one), 3);
}

}  // namespace
}  // namespace attn
