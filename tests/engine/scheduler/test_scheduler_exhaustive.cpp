// SPDX-License-Identifier: GPL-3.0-or-later
// Every sequence of operations for tiny caches, breadth first to closure: from each reachable state
// the books agree, and running on ends every request with the number of tokens it is due.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn {
namespace {

struct Setup {
  int64_t num_blocks, block_size;
  SchedulerConfig config;
  std::vector<std::pair<int64_t, int64_t>> requests;  // prompt tokens, max_tokens
};

constexpr int kAdd = -1, kStep = -2, kCancelledStep = -3;  // 0 and above: abort that request

// One replay of a path of operations. Operations that are not possible leave `possible` false.
class Run {
 public:
  Run(const Setup& setup, const std::vector<int>& path)
      : setup_(setup), pool_(setup.num_blocks), scheduler_(setup.config, pool_, setup.block_size) {
    for (const int operation : path) possible_ = possible_ && apply(operation);
  }

  bool possible() const { return possible_; }
  Scheduler& scheduler() { return scheduler_; }

  // All that decides what can happen next. Which physical block a table holds does not.
  std::string key() const {
    std::string key = fresh_ ? "fresh" : "";
    for (const auto& request : scheduler_.requests()) {
      for (const int64_t number :
           {static_cast<int64_t>(request->state), request->num_computed,
            static_cast<int64_t>(request->output_ids.size()), request->table.num_tokens()}) {
        key += std::to_string(number) + ",";
      }
      key += ';';
    }
    return key;
  }

  void drain() {
    for (int i = 0; scheduler_.has_work(); ++i) {
      ASSERT_LT(i, 200) << "no end in sight";
      step(false);
      ASSERT_NO_THROW(scheduler_.check_invariants());
    }
    ASSERT_EQ(pool_.num_free(), pool_.num_blocks());
    for (const auto& request : scheduler_.requests()) {
      if (request->state == RequestState::kFinishedAborted) continue;
      const auto prompt = static_cast<int64_t>(request->prompt_ids.size());
      const int64_t capacity = setup_.num_blocks * setup_.block_size;
      int64_t due = std::min(
          {request->max_tokens, setup_.config.max_model_len - prompt, capacity + 1 - prompt});
      if (prompt > setup_.config.max_num_batched_tokens || due < 1) due = 0;
      ASSERT_EQ(static_cast<int64_t>(request->output_ids.size()), due) << "request " << request->id;
      ASSERT_EQ(request->state == RequestState::kFinishedIgnored, due == 0);
      for (int64_t i = 0; i < due; ++i)
        ASSERT_EQ(request->output_ids[static_cast<size_t>(i)], prompt + i);
    }
  }

 private:
  bool apply(int operation) {
    if (operation == kAdd) {
      const size_t next = scheduler_.requests().size();
      if (next == setup_.requests.size()) return false;
      Request request;
      request.id = static_cast<uint32_t>(next);
      request.prompt_ids.assign(static_cast<size_t>(setup_.requests[next].first), 1);
      request.max_tokens = setup_.requests[next].second;
      scheduler_.add(std::move(request));
      fresh_ = true;
      return true;
    }
    if (operation >= 0) {
      const Request* request = scheduler_.find(static_cast<uint32_t>(operation));
      if (!request || is_finished(request->state)) return false;
      scheduler_.abort(request->id);
      return true;
    }
    if (!scheduler_.has_work()) return false;
    step(operation == kCancelledStep);
    return true;
  }

  void step(bool cancelled) {
    const BatchPlan plan = scheduler_.schedule(++step_);
    fresh_ = false;
    EXPECT_LE(plan.num_prefill_tokens() + plan.num_decode_tokens(),
              setup_.config.max_num_batched_tokens);
    EXPECT_LE(static_cast<int64_t>(plan.sequences.size()), setup_.config.max_num_seqs);
    if (cancelled) return scheduler_.discard(plan);
    std::vector<int32_t> sampled;
    for (const PlannedSequence& planned : plan.sequences) {
      if (planned.samples)
        sampled.push_back(static_cast<int32_t>(scheduler_.find(planned.request)->num_tokens()));
    }
    scheduler_.update(plan, sampled, step_);
  }

  const Setup& setup_;
  BlockPool pool_;
  Scheduler scheduler_;
  uint32_t step_ = 0;
  bool possible_ = true, fresh_ = false;
};

// Returns the number of reachable states.
size_t explore(const Setup& setup) {
  std::set<std::string> seen;
  std::deque<std::vector<int>> frontier = {{}};
  while (!frontier.empty()) {
    const std::vector<int> path = frontier.front();
    frontier.pop_front();
    Run(setup, path).drain();
    if (testing::Test::HasFailure()) return seen.size();
    for (int operation = kCancelledStep; operation < static_cast<int>(setup.requests.size());
         ++operation) {
      std::vector<int> longer = path;
      longer.push_back(operation);
      Run run(setup, longer);
      if (!run.possible() || !seen.insert(run.key()).second) continue;
      EXPECT_NO_THROW(run.scheduler().check_invariants());
      frontier.push_back(std::move(longer));
    }
  }
  return seen.size();
}

TEST(SchedulerExhaustive, TinyCachesToClosure) {
  size_t states = 0;
  for (const int64_t num_blocks : {1, 2, 3, 4}) {
    for (const int64_t block_size : {1, 2}) {
      for (const int64_t budget : {1, 2, 4}) {
        for (const int64_t seqs : {1, 2, 3}) {
          SCOPED_TRACE(testing::Message()
                       << num_blocks << " blocks of " << block_size << ", " << budget
                       << " tokens per step, " << seqs << " sequences");
          states += explore({.num_blocks = num_blocks,
                             .block_size = block_size,
                             .config = {.max_num_batched_tokens = budget,
                                        .max_num_seqs = seqs,
                                        .max_model_len = 6},
                             .requests = {{2, 3}, {1, 4}, {3, 1}}});
          if (HasFailure()) return;
        }
      }
    }
  }
  RecordProperty("states", std::to_string(states));
  EXPECT_GT(states, 5000u);
}

}  // namespace
}  // namespace attn
