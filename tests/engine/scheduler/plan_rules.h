// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of scheduler.h, written a second time as checks of a plan against the states of the
// requests before and after it.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn::testing {

void expect(bool holds, std::string_view what);  // throws std::runtime_error

class PlanRules {
 public:
  PlanRules(const SchedulerConfig& config, const Scheduler& scheduler)
      : config_(config), scheduler_(scheduler), manager_(scheduler.manager()) {}

  using Place = std::tuple<int64_t, uint64_t, int64_t>;  // priority, arrival, sample
  struct Standing {
    RequestState state;
    int64_t computed, cached, tokens, held_blocks, table_blocks;
    std::vector<int32_t> table;
  };
  struct Before {
    std::map<uint32_t, Standing> of;
    int64_t swap_available = 0;
  };

  void will_arrive(const Request& request);
  Before look(uint64_t now_ns);  // called just before schedule()
  void check(const BatchPlan& plan, const Before& before, uint64_t now_ns);

 private:
  void check_sequences(const BatchPlan& plan, const Before& before);
  void check_budget(const BatchPlan& plan, const Before& before);
  void check_chunks(const BatchPlan& plan);
  void check_victims(const BatchPlan& plan, const Before& before);
  void check_how(const BatchPlan& plan, const Before& before);
  void check_newcomers(const BatchPlan& plan, const Before& before);
  void check_who_is_left_out(const BatchPlan& plan, const Before& before);
  void check_untouched(const BatchPlan& plan, const Before& before);
  const Request& find(uint32_t id) const { return *scheduler_.find(id); }
  uint32_t root_of(uint32_t id) const { return find(id).parent.value_or(id); }
  Place place(uint32_t id) const;
  std::vector<uint32_t> line(const Before& before, RequestState state) const;
  int64_t seats_free() const;
  bool is_unit_of_one(uint32_t id) const;

  SchedulerConfig config_;
  const Scheduler& scheduler_;
  const BlockManager& manager_;
  std::vector<std::tuple<uint64_t, size_t, uint32_t>> coming_;  // arrival, order of add(), id
  size_t added_ = 0;
  std::map<uint32_t, uint64_t> order_;
  std::map<uint32_t, int64_t> prefill_end_;
};

}  // namespace attn::testing
