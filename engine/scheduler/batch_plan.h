// SPDX-License-Identifier: GPL-3.0-or-later
// BatchPlan: what one engine step will do, and SampledToken: a token that it gives. Plain data.
//
// Before the step computes, blocks are moved: swap_out_moves, then swap_in_moves, then copies, each
// list in its order. Swap-outs come first, because a copy or a new token may use the device blocks
// that they free.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/request.h"

namespace attn {

enum class PreemptionMode {
  kRecompute,  // tokens are computed again
  kSwap,       // blocks are moved to the swap pool
};
std::string_view name_of(PreemptionMode mode);  // "recompute", "swap"

struct PlannedSequence {
  uint32_t request = 0;
  int64_t context_len = 0;  // own tokens computed before, or found in the prefix cache
  int64_t query_len = 0;    // tokens, at least 1
  bool is_prefill = false;
  // How many tokens are taken from the logits of the sequence's last row. 0: the rows end before
  // the last known token. Otherwise it is beam_candidates() for a beam; n for the first token of a
  // request with n > 1, drawn with sampling_of(request, 0 .. n - 1); and 1 for all others.
  int64_t num_samples = 0;
  int64_t encoder_len = 0;  // 0: no encoder
  bool caches_own = true;   // the own tokens have a block table
  bool writes_own = true;   // with caches_own: the step writes keys and values of own tokens

  // The step may read places [0, end) of one of the tables and writes [written_from, end). A
  // prefill writes all keys and values of the encoder's tokens. Without caches_own or writes_own
  // there are no such places of own tokens.
  struct Places {
    int64_t end = 0, written_from = 0;
  };
  Places places(TableKind kind) const {
    if (kind == TableKind::kCross) return {encoder_len, is_prefill ? 0 : encoder_len};
    return caches_own && writes_own ? Places{context_len + query_len, context_len} : Places{};
  }
  bool operator==(const PlannedSequence&) const = default;
};

struct Preemption {
  uint32_t request = 0;
  PreemptionMode how = PreemptionMode::kRecompute;  // kRecompute also if a swap found no room
  bool operator==(const Preemption&) const = default;
};

struct Fork {
  uint32_t parent = 0;  // whose sequence it continues
  uint32_t child = 0;
  bool operator==(const Fork&) const = default;
};

struct BatchPlan {
  uint32_t step = 0;
  // Prefills first, then decodes; each request at most once.
  std::vector<PlannedSequence> sequences;
  std::vector<uint32_t> admitted;     // WAITING -> RUNNING
  std::vector<Preemption> preempted;  // RUNNING -> WAITING or SWAPPED, last of the line first
  std::vector<uint32_t> swapped_in;   // SWAPPED -> RUNNING
  std::vector<uint32_t> ignored;      // can never run: FINISHED_IGNORED
  std::vector<Fork> forked;           // by update() since the previous plan
  // Ended by update() or abort() since the previous plan.
  std::vector<uint32_t> finished;
  std::vector<BlockMove> swap_out_moves;  // device -> swap pool
  std::vector<BlockMove> swap_in_moves;   // swap -> device pool
  std::vector<BlockMove> copies;          // copy-on-write, device -> device
  // Blocks of the device pool that can be taken before and after the plan, evictable blocks
  // included.
  int64_t free_blocks_before = 0, free_blocks_after = 0;

  int64_t num_prefill_tokens() const;
  int64_t num_decode_tokens() const;
  std::vector<uint32_t> swapped_out() const;  // RUNNING -> SWAPPED, last of the line first
  bool empty() const { return sequences.empty(); }
  bool operator==(const BatchPlan&) const = default;
};

// A token for Scheduler::update(). logprob: natural logarithm of its probability under the model;
// only beams need it.
struct SampledToken {
  int32_t token = 0;
  double logprob = 0;
};
// Fills up a beam's list that has fewer than beam_candidates() tokens.
inline constexpr int32_t kNoToken = -1;

std::string to_string(const BatchPlan& plan);  // several lines, for reading

}  // namespace attn
