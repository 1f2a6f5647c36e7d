// SPDX-License-Identifier: GPL-3.0-or-later
// Long random walks of the scheduler against a model of the world: a fake sampler whose token
// depends only on the request and the position, and a fake cache that remembers which token of
// which request each slot holds. Whatever the pool, budgets, preemptions, cancelled steps and
// aborts, every request must end with the outputs it has alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/rng.h"
#include "engine/scheduler/scheduler.h"

namespace attn {
namespace {

constexpr int32_t kStopToken = 0;

int32_t fake_token(uint32_t request, int64_t position) {
  uint64_t x = (uint64_t{request} << 32) ^ static_cast<uint64_t>(position);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<int32_t>((x ^ (x >> 31)) % 40);  // one in 40 is the stop token
}

struct Ending {
  std::vector<int32_t> outputs;
  RequestState state;
};

class World {
 public:
  explicit World(uint64_t seed)
      : rng_(seed),
        block_size_(static_cast<int64_t>(1 + rng_.below(6))),
        config_{.max_num_batched_tokens = static_cast<int64_t>(1 + rng_.below(40)),
                .max_num_seqs = static_cast<int64_t>(1 + rng_.below(8)),
                .max_model_len = static_cast<int64_t>(2 + rng_.below(60))},
        pool_(static_cast<int64_t>(1 + rng_.below(24))),
        scheduler_(config_, pool_, block_size_, events()),
        slots_(static_cast<size_t>(pool_.num_blocks() * block_size_), {0, -1}) {}

  int64_t steps() const { return steps_; }
  int64_t preemptions() const { return preemptions_; }
  int64_t replays() const { return replays_; }

  void random_operation() {
    switch (rng_.below(8)) {
      case 0:
      case 1:
        if (scheduler_.num_waiting() < 12) add();
        break;
      case 2:
        abort_somebody();
        break;
      default:
        step();
    }
    check();
  }

  void drain() {
    // A step computes at least one token, and nobody computes the same position again without
    // having been preempted by the progress of an older request; the bound is generous and finite.
    for (int64_t i = 0; scheduler_.has_work(); ++i) {
      ASSERT_LT(i, 200000) << "no end in sight";
      step();
      check();
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_EQ(pool_.num_free(), pool_.num_blocks());
    for (const auto& request : scheduler_.requests()) check_ending(*request);
    EXPECT_EQ(finished_.size(), scheduler_.requests().size());
  }

 private:
  SchedulerEvents events() {
    SchedulerEvents events;
    events.block_allocated = [this](const Request& request, int32_t block, int64_t logical,
                                    int64_t free_after) {
      EXPECT_EQ(request.state, RequestState::kRunning);
      EXPECT_TRUE(owner_.emplace(block, std::pair(request.id, logical)).second)
          << "block " << block << " was taken";
      EXPECT_EQ(free_after, pool_.num_blocks() - static_cast<int64_t>(owner_.size()));
      // What a new block holds is garbage.
      for (int64_t i = 0; i < block_size_; ++i)
        slots_[static_cast<size_t>(block * block_size_ + i)] = {0, -1};
    };
    events.block_freed = [this](const Request& request, int32_t block, int64_t logical,
                                int64_t free_after) {
      const auto held = owner_.find(block);
      ASSERT_NE(held, owner_.end());
      EXPECT_EQ(held->second, std::pair(request.id, logical));
      owner_.erase(held);
      EXPECT_EQ(free_after, pool_.num_blocks() - static_cast<int64_t>(owner_.size()));
    };
    events.before_free = [this](const Request& request) {
      check_cached(request, request.num_computed);
    };
    events.preempted = [this](const Request& request) {
      EXPECT_EQ(request.state, RequestState::kWaiting);
      EXPECT_TRUE(request.table.blocks().empty());
    };
    events.finished = [this](const Request& request) {
      EXPECT_TRUE(is_finished(request.state));
      EXPECT_TRUE(finished_.insert(request.id).second)
          << "request " << request.id << " ended twice";
    };
    return events;
  }

  void add() {
    Request request;
    request.id = ++last_id_;
    // Mostly what fits, sometimes what never can.
    const uint64_t longest = rng_.below(10) == 0 ? 80 : 14;
    request.prompt_ids.assign(rng_.below(longest + 1), 7);
    request.max_tokens = static_cast<int64_t>(1 + rng_.below(25));
    if (rng_.below(2)) request.stop_token = kStopToken;
    scheduler_.add(std::move(request));
  }

  void abort_somebody() {
    if (last_id_ == 0) return;
    const auto id = static_cast<uint32_t>(1 + rng_.below(last_id_ + 1));  // sometimes nobody
    if (rng_.below(3) == 0) scheduler_.abort(id);
  }

  void step() {
    const BatchPlan plan = scheduler_.schedule(++step_);
    check_plan(plan);
    if (testing::Test::HasFatalFailure()) return;
    const uint64_t fate = rng_.below(12);
    if (fate == 0) {  // cancelled: nothing, or only a part, was written
      scheduler_.discard(plan);
      return;
    }
    if (fate == 1) abort_somebody();
    compute(plan);
    std::vector<int32_t> sampled;
    for (const PlannedSequence& planned : plan.sequences) {
      const Request& request = *scheduler_.find(planned.request);
      if (planned.samples) sampled.push_back(fake_token(request.id, request.num_tokens()));
    }
    if (!plan.empty()) scheduler_.update(plan, sampled, step_);
    ++steps_;
  }

  // What the kernels would do: write the slots of the new tokens, read those of all before.
  void compute(const BatchPlan& plan) {
    for (const PlannedSequence& planned : plan.sequences) {
      const Request& request = *scheduler_.find(planned.request);
      if (is_finished(request.state)) continue;
      ASSERT_GE(request.table.num_tokens(), planned.context_len + planned.query_len);
      for (int64_t i = 0; i < planned.query_len; ++i) {
        const int64_t position = planned.context_len + i;
        slots_[static_cast<size_t>(request.table.slot(position))] = {request.id, position};
      }
      check_cached(request, planned.context_len + planned.query_len);
    }
  }

  void check_cached(const Request& request, int64_t tokens) {
    for (int64_t position = 0; position < tokens; ++position) {
      const std::pair<uint32_t, int64_t> expected{request.id, position};
      ASSERT_EQ(slots_[static_cast<size_t>(request.table.slot(position))], expected);
    }
  }

  void check_plan(const BatchPlan& plan) {
    SCOPED_TRACE(to_string(plan));
    ASSERT_LE(plan.num_prefill_tokens() + plan.num_decode_tokens(), config_.max_num_batched_tokens);
    ASSERT_LE(static_cast<int64_t>(plan.sequences.size()), config_.max_num_seqs);
    ASSERT_TRUE(plan.num_prefill_tokens() == 0 || plan.num_decode_tokens() == 0);
    ASSERT_EQ(plan.free_blocks_after, pool_.num_free());
    std::set<uint32_t> seen;
    for (const PlannedSequence& planned : plan.sequences) {
      const Request& request = *scheduler_.find(planned.request);
      ASSERT_TRUE(seen.insert(planned.request).second);
      ASSERT_EQ(request.state, RequestState::kRunning);
      ASSERT_EQ(planned.context_len, request.num_computed);
      ASSERT_EQ(planned.is_prefill, planned.context_len == 0);
      ASSERT_GE(planned.query_len, 1);
      ASSERT_TRUE(planned.is_prefill || planned.query_len == 1);
      ASSERT_LE(planned.context_len + planned.query_len, request.num_tokens());
      ASSERT_EQ(planned.samples, planned.context_len + planned.query_len == request.num_tokens());
      if (!planned.is_prefill && !planned.samples) ++replays_;
    }
    // Ids grow with arrival: first come first served, and the victims are the newest, newest first.
    ASSERT_TRUE(std::is_sorted(plan.admitted.begin(), plan.admitted.end()));
    ASSERT_TRUE(std::is_sorted(plan.preempted.rbegin(), plan.preempted.rend()));
    for (const uint32_t victim : plan.preempted) {
      for (const uint32_t other : seen) ASSERT_LT(other, victim);
    }
    for (const uint32_t id : plan.admitted) {
      const Request& request = *scheduler_.find(id);
      ASSERT_GE(request.table.num_tokens(), request.num_tokens())
          << "admitted without room for what it knows";
    }
    preemptions_ += static_cast<int64_t>(plan.preempted.size());
  }

  void check() { ASSERT_NO_THROW(scheduler_.check_invariants()); }

  // What the request must end with when nobody aborts it, from the rules alone.
  Ending expected_ending(const Request& request) const {
    const auto prompt = static_cast<int64_t>(request.prompt_ids.size());
    const int64_t capacity = pool_.num_blocks() * block_size_;
    Ending ending{{}, RequestState::kFinishedIgnored};
    if (prompt == 0 || prompt + 1 > config_.max_model_len ||
        prompt > config_.max_num_batched_tokens || prompt > capacity) {
      return ending;
    }
    ending.state = RequestState::kFinishedLengthCapped;
    for (int64_t length = prompt;
         length < std::min(prompt + request.max_tokens, config_.max_model_len) &&
         length <= capacity;
         ++length) {
      ending.outputs.push_back(fake_token(request.id, length));
      if (request.stop_token == ending.outputs.back()) {
        ending.state = RequestState::kFinishedStopped;
        break;
      }
    }
    return ending;
  }

  void check_ending(const Request& request) const {
    SCOPED_TRACE(testing::Message() << "request " << request.id);
    const Ending expected = expected_ending(request);
    EXPECT_EQ(request.times.token_ns.size(), request.output_ids.size());
    EXPECT_TRUE(std::is_sorted(request.times.token_ns.begin(), request.times.token_ns.end()));
    if (request.state == RequestState::kFinishedAborted) {
      ASSERT_LE(request.output_ids.size(), expected.outputs.size());
      EXPECT_TRUE(std::equal(request.output_ids.begin(), request.output_ids.end(),
                             expected.outputs.begin()));
      return;
    }
    EXPECT_EQ(request.state, expected.state);
    EXPECT_EQ(request.output_ids, expected.outputs);
    EXPECT_EQ(request.ignored_reason.empty(),
              request.state == RequestState::kFinishedStopped ||
                  (request.state == RequestState::kFinishedLengthCapped &&
                   static_cast<int64_t>(request.output_ids.size()) == request.max_tokens));
  }

  Rng rng_;
  int64_t block_size_;
  SchedulerConfig config_;
  BlockPool pool_;
  Scheduler scheduler_;
  std::vector<std::pair<uint32_t, int64_t>> slots_;  // [slot] request and position stored there
  std::map<int32_t, std::pair<uint32_t, int64_t>>
      owner_;  // of each used block: request and logical block
  std::set<uint32_t> finished_;
  uint32_t step_ = 0, last_id_ = 0;
  int64_t steps_ = 0, preemptions_ = 0, replays_ = 0;
};

TEST(SchedulerWalk, EveryRequestEndsWithItsOwnTokens) {
  int64_t operations = 0, steps = 0, preemptions = 0, replays = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    World world(seed);
    for (int i = 0; i < 250; ++i, ++operations) {
      world.random_operation();
      if (HasFatalFailure()) return;
    }
    world.drain();
    if (HasFailure()) return;
    steps += world.steps();
    preemptions += world.preemptions();
    replays += world.replays();
  }
  // The walk must really go through what it is about.
  EXPECT_GE(operations, 400000);
  EXPECT_GT(steps, 300000);
  EXPECT_GT(preemptions, 5000);
  EXPECT_GT(replays, 1000);
  RecordProperty("steps", std::to_string(steps));
  RecordProperty("preemptions", std::to_string(preemptions));
}

}  // namespace
}  // namespace attn
