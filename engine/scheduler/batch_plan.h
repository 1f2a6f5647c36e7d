// SPDX-License-Identifier: GPL-3.0-or-later
// BatchPlan: what one engine step will do, as plain data: printable, comparable, drawable before it
// runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attn {

struct PlannedSequence {
  uint32_t request = 0;
  int64_t context_len = 0;  // tokens already in the cache
  int64_t query_len = 0;    // tokens of this step
  bool is_prefill = false;
  bool samples = false;  // the step reaches the last known token, so its logits are sampled
  bool operator==(const PlannedSequence&) const = default;
};

struct BatchPlan {
  uint32_t step = 0;
  std::vector<PlannedSequence> sequences;  // prefills first, then decodes
  std::vector<uint32_t> admitted;          // WAITING -> RUNNING in this step
  std::vector<uint32_t> preempted;         // RUNNING -> WAITING by recomputation, newest first
  std::vector<uint32_t> ignored;           // can never fit: FINISHED_IGNORED
  int64_t free_blocks_before = 0, free_blocks_after = 0;

  int64_t num_prefill_tokens() const;
  int64_t num_decode_tokens() const;
  bool empty() const { return sequences.empty(); }
  bool operator==(const BatchPlan&) const = default;
};

std::string to_string(const BatchPlan& plan);  // several lines, for people

}  // namespace attn
