// SPDX-License-Identifier: GPL-3.0-or-later
// What snapshots and steps say about the cache: the tree of known prefixes is that of the block
// manager, and waste and savings are counted again from the blocks and block tables.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

Scenario shipped(const std::string& name) {
  register_all_backends();
  Scenario scenario = load_scenario(find_scenario(name));
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.threads = 2;
  return scenario;
}

// The token ids from the start of the prompt to the end of the node.
std::vector<int32_t> path_of(const std::vector<PrefixView>& list, int32_t at) {
  std::vector<int32_t> ids;
  for (; at >= 0; at = list[static_cast<size_t>(at)].parent) {
    std::vector<int32_t> own;
    for (const TokenView& token : *list[static_cast<size_t>(at)].tokens) own.push_back(token.id);
    ids.insert(ids.begin(), own.begin(), own.end());
  }
  return ids;
}

std::vector<int32_t> path_of(const PrefixIndex& index, PrefixIndex::NodeId at) {
  std::vector<int32_t> ids;
  for (; at != PrefixIndex::kRoot; at = index.node(at).parent)
    ids.insert(ids.begin(), index.node(at).tokens.begin(), index.node(at).tokens.end());
  return ids;
}

void expect_same_prefixes(const EngineSnapshot& shot, const PrefixIndex& index) {
  std::map<int32_t, std::vector<int32_t>> expected, found;  // block -> its whole prefix
  for (size_t i = 0; i < index.nodes().size(); ++i)
    if (const int32_t block = index.nodes()[i].block; block >= 0)
      expected[block] = path_of(index, static_cast<PrefixIndex::NodeId>(i));
  const std::vector<PrefixView>& list = *shot.prefixes;
  std::set<int32_t> parents;
  for (size_t i = 0; i < list.size(); ++i) {
    const PrefixView& view = list[i];
    ASSERT_LT(view.parent, static_cast<int32_t>(i)) << "a parent comes first";
    ASSERT_EQ(view.depth, view.parent < 0 ? 0 : list[static_cast<size_t>(view.parent)].depth + 1);
    parents.insert(view.parent);
    if (view.block < 0) continue;
    found[view.block] = path_of(list, static_cast<int32_t>(i));
    ASSERT_TRUE(shot.blocks[static_cast<size_t>(view.block)].hashed);
  }
  ASSERT_EQ(found, expected);
  for (size_t i = 0; i < list.size(); ++i)
    ASSERT_TRUE(list[i].block >= 0 || parents.contains(static_cast<int32_t>(i)));
}

TEST(BlockSnapshot, PrefixesAreThoseOfTheIndex) {
  for (const char* policy : {"roomy", "evicting"}) {
    Scenario scenario = shipped("shared-prompt");
    if (std::string(policy) == "evicting") scenario.engine.num_blocks = 20;
    Engine engine(scenario, {});
    size_t largest = 0;
    int64_t cached = 0, evicted = 0;
    while (engine.has_work() && engine.step()) {
      const EngineSnapshot shot = engine.snapshot(EnginePhase::kRunning);
      const PrefixIndex& index = engine.scheduler().manager().prefix_index();
      ASSERT_TRUE(shot.prefixes);
      ASSERT_NO_FATAL_FAILURE(expect_same_prefixes(shot, index)) << policy;
      largest = std::max(largest, shot.prefixes->size());
      for (const BlockView& block : shot.blocks) cached += block.is_cached();
      evicted += engine.steps().back().evicted_blocks;
      ASSERT_EQ(engine.snapshot(EnginePhase::kRunning).prefixes, shot.prefixes);
    }
    EXPECT_GT(largest, 8u) << policy;
    EXPECT_GT(cached, 0) << policy;
    EXPECT_EQ(evicted > 0, std::string(policy) == "evicting");
  }
}

TEST(BlockSnapshot, NoPrefixCachingNoPrefixes) {
  Scenario scenario = shipped("shared-prompt");
  scenario.engine.enable_prefix_caching = false;
  Engine engine(scenario, {});
  engine.step();
  EXPECT_FALSE(engine.snapshot(EnginePhase::kRunning).prefixes);
}

TEST(BlockSnapshot, WasteAndSavingsAddUp) {
  int64_t most_saved = 0, most_wasted = 0;
  for (const char* name : {"shared-prompt", "samples", "beam-search", "full-house",
                           "full-house-swap", "sliding-window"}) {
    Engine engine(shipped(name), {});
    while (engine.has_work() && engine.step()) {
      const EngineSnapshot shot = engine.snapshot(EnginePhase::kRunning);
      const StepRecord& step = engine.steps().back();
      int64_t used = 0, filled = 0, entries = 0;
      for (const BlockView& block : shot.blocks) {
        if (block.ref_count <= 0) continue;
        ++used;
        filled += block.filled;
      }
      for (const RequestView& request : shot.requests)
        for (const int32_t block : request.own_table.blocks) entries += block >= 0;
      ASSERT_EQ(step.used_blocks, used) << name << " step " << step.step;
      ASSERT_EQ(step.wasted_slots, used * shot.block_size - filled) << name << " " << step.step;
      ASSERT_EQ(step.saved_blocks, entries - used) << name << " step " << step.step;
      most_saved = std::max(most_saved, step.saved_blocks);
      most_wasted = std::max(most_wasted, step.wasted_slots);
    }
  }
  EXPECT_GT(most_saved, 4);
  EXPECT_GT(most_wasted, 4);
}

}  // namespace
}  // namespace attn
