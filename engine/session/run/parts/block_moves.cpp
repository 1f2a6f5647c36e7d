// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/block_moves.h"

#include <functional>
#include <span>
#include <vector>

namespace attn {
namespace {

std::vector<BlockPair> pairs_of(std::span<const BlockMove> moves) {
  std::vector<BlockPair> pairs;
  for (const BlockMove& move : moves) pairs.emplace_back(move.from, move.to);
  return pairs;
}

// Runs `move` as one kernel on the engine's lane; returns its time in ns.
uint64_t move_kernel(KernelId kernel, const std::vector<BlockMove>& moves,
                     const KvStorageSpec& cache, RunTrace& trace,
                     const std::function<void(std::span<const BlockPair>)>& move) {
  if (moves.empty()) return 0;
  const uint64_t begin = trace.now_ns();
  move(pairs_of(moves));
  const auto count = static_cast<int64_t>(moves.size());
  const double block_bytes =
      static_cast<double>(KvStorage::bytes_needed(cache)) / static_cast<double>(cache.num_blocks);
  trace.spend(modelled_ns(0, 2 * block_bytes * static_cast<double>(count)));
  trace.span(EventKind::kKernel, begin, static_cast<uint32_t>(kernel), trace.step(), count,
             count * cache.block_size);
  return trace.now_ns() - begin;
}

}  // namespace

void move_blocks(const BatchPlan& plan, const AttentionBackend& backend, const KvStorage& cache,
                 const KvStorage* swap_cache, RunTrace& trace, StepRecord& record) {
  const KvStorageSpec& spec = cache.spec();
  const int64_t end_layer = spec.first_layer + spec.num_layers;
  const auto swap = [&](const KvStorage& from, const KvStorage& to,
                        const std::vector<BlockMove>& moves) {
    return move_kernel(KernelId::kSwapBlocks, moves, spec, trace,
                       [&](std::span<const BlockPair> pairs) {
                         for (int64_t i = spec.first_layer; i < end_layer; ++i)
                           backend.swap_blocks(from.layer(i), to.layer(i), pairs);
                       });
  };
  if (swap_cache) {
    record.swap_ns += swap(cache, *swap_cache, plan.swap_out_moves);
    record.swap_ns += swap(*swap_cache, cache, plan.swap_in_moves);
  }
  record.copy_ns += move_kernel(KernelId::kCopyBlocks, plan.copies, spec, trace,
                                [&](std::span<const BlockPair> pairs) {
                                  std::vector<KvCacheView> layers;
                                  for (int64_t i = spec.first_layer; i < end_layer; ++i)
                                    layers.push_back(cache.layer(i));
                                  backend.copy_blocks(layers, pairs);
                                });
  record.copied_blocks = static_cast<int64_t>(plan.copies.size());
  record.swapped_out_blocks = static_cast<int64_t>(plan.swap_out_moves.size());
  record.swapped_in_blocks = static_cast<int64_t>(plan.swap_in_moves.size());
}

}  // namespace attn
