// SPDX-License-Identifier: GPL-3.0-or-later
// StepPlanner: makes the plan of one step: which requests compute which tokens, are admitted,
// preempted or swapped in.
#pragma once

#include "engine/scheduler/parts/scheduler_parts.h"

namespace attn {

class StepPlanner {
 public:
  StepPlanner(SchedulerParts& parts, BatchPlan& plan, uint64_t now_ns);

  // Plans the step and moves requests between the queues; prefills come first in the plan.
  void fill();

 private:
  using Unit = BeamSearches::Unit;

  // --- the two policies ---
  void plan_prefill_first();
  void plan_chunked();
  void plan_decodes();
  void plan_swap_ins();
  void plan_admissions();

  // --- tokens ---
  void put(const Request& request, int64_t query_len, bool is_prefill);
  void put_chunk(const Request& request);
  void put_prefills(const Unit& unit);
  int64_t chunk_len(int64_t context, int64_t end) const;
  int64_t prefill_target(const Request& request, int64_t cached) const;
  Unit decoders(const Unit& unit) const;

  // --- blocks ---
  int64_t growth(const Request& request) const;
  int64_t blocks_needed(const Unit& growing) const;
  bool make_room(const Unit& unit, const Unit& growing);
  void grow(const Request& request);
  bool fits(const Unit& unit);
  bool fits_back(const Unit& unit) const;
  int64_t held_blocks(const Request& request) const;
  bool can_swap_out(const Unit& unit) const;

  // --- changes of state ---
  void start(Request& request);
  void admit(Request& request);
  void swap_in(Request& request);
  void preempt_last();

  SchedulerParts& parts_;
  const SchedulerConfig& config_;
  const SchedulerEvents& events_;
  BlockManager& manager_;
  RequestQueues& queues_;
  const int64_t block_size_;
  const RequestQueues::Line& waiting_;
  const RequestQueues::Line& swapped_;
  const std::vector<Request*>& running_;
  BatchPlan& plan_;
  const uint64_t now_ns_;
  int64_t budget_;  // tokens left in the step
};

}  // namespace attn
