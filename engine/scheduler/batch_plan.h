// SPDX-License-Identifier: GPL-3.0-or-later
// BatchPlan: what one engine step will do, as plain data: printable, comparable, drawable before it
// runs.
//
// Before anything is computed the engine moves blocks, each list in its order: swap_out_moves, then
// swap_in_moves, then copies. What is swapped out is read before a copy or a new token can be
// written into the blocks it leaves, and copies come last because they are in the order in which
// the block manager decided them: a copy may go into a block that an earlier copy reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cache/block_manager.h"

namespace attn {

enum class PreemptionMode {
  kRecompute,  // the blocks are given back and everything is computed again
  kSwap,       // the blocks' contents wait in the swap pool
};
std::string_view name_of(PreemptionMode mode);  // "recompute", "swap"

struct PlannedSequence {
  uint32_t request = 0;
  int64_t context_len = 0;  // tokens already in the cache
  int64_t query_len = 0;    // tokens of this step, at least 1
  bool is_prefill = false;
  // How many tokens the logits of its last row give. 0: the step does not reach the last known
  // token (a chunk), so there are no logits. Otherwise 1; the n of a request at its first token,
  // drawn with sampling_of(request, 0 .. n - 1); beam_candidates() for a beam: its best ones.
  int64_t num_samples = 0;
  // Cross attention: tokens of the encoder, whose keys its blocks hold. 0: they hold its own.
  int64_t encoder_len = 0;

  // Places in the cache whose keys are there after the step, and from where on the step writes
  // them.
  int64_t cache_end() const { return encoder_len > 0 ? encoder_len : context_len + query_len; }
  int64_t written_from() const {
    return encoder_len == 0 ? context_len : is_prefill ? 0 : encoder_len;
  }
  bool operator==(const PlannedSequence&) const = default;
};

struct Preemption {
  uint32_t request = 0;
  PreemptionMode how = PreemptionMode::kRecompute;  // kRecompute also where a swap found no room
  bool operator==(const Preemption&) const = default;
};

struct Fork {
  uint32_t parent = 0;  // whose sequence it continues
  uint32_t child = 0;
  bool operator==(const Fork&) const = default;
};

struct BatchPlan {
  uint32_t step = 0;
  // Prefills first, then decodes, as a backend's metadata wants them; each request at most once.
  // prefill_first: all prefill or all decode. chunked_prefill: both, and the decodes had the first
  // claim on the budget.
  std::vector<PlannedSequence> sequences;
  std::vector<uint32_t> admitted;         // WAITING -> RUNNING
  std::vector<Preemption> preempted;      // RUNNING -> WAITING or SWAPPED, newest first
  std::vector<uint32_t> swapped_in;       // SWAPPED -> RUNNING
  std::vector<uint32_t> ignored;          // can never fit: FINISHED_IGNORED
  std::vector<Fork> forked;               // since the plan before, by update()
  std::vector<uint32_t> finished;         // since the plan before, by update() and abort()
  std::vector<BlockMove> swap_out_moves;  // device -> swap pool
  std::vector<BlockMove> swap_in_moves;   // swap -> device pool
  std::vector<BlockMove> copies;          // copy-on-write, device -> device
  int64_t free_blocks_before = 0, free_blocks_after = 0;  // of the device pool, evictable ones too

  int64_t num_prefill_tokens() const;
  int64_t num_decode_tokens() const;
  std::vector<uint32_t> swapped_out() const;  // RUNNING -> SWAPPED, newest first
  bool empty() const { return sequences.empty(); }
  bool operator==(const BatchPlan&) const = default;
};

std::string to_string(const BatchPlan& plan);  // several lines, for people

}  // namespace attn
