// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_flashes.h"

#include <algorithm>

namespace attn::gui {

void BlockFlashes::add_changes(const EngineSnapshot& before, const EngineSnapshot& after,
                               int64_t now_ms) {
  if (before.run != after.run || before.blocks.size() != after.blocks.size()) return clear();
  std::vector<BlockFlash> fresh;
  for (size_t i = 0; i < after.blocks.size() && fresh.size() <= kMost; ++i) {
    const BlockView &was = before.blocks[i], &is = after.blocks[i];
    const bool taken =
        is.ref_count > 0 && (was.ref_count == 0 || was.allocated_step != is.allocated_step);
    const bool freed = is.ref_count == 0 && was.ref_count > 0;
    if (taken || freed)
      fresh.push_back({.block = static_cast<int64_t>(i),
                       .taken = taken,
                       .owner = taken ? is.owner : was.owner,
                       .began_ms = now_ms,
                       .strength = 1});
  }
  std::erase_if(flashes_, [&](const BlockFlash& old) {
    return std::ranges::binary_search(fresh, old.block, {}, &BlockFlash::block);
  });
  if (flashes_.size() + fresh.size() > kMost) return clear();
  flashes_.insert(flashes_.end(), fresh.begin(), fresh.end());
}

void BlockFlashes::advance(int64_t now_ms) {
  for (BlockFlash& flash : flashes_) {
    const double left = 1 - static_cast<double>(now_ms - flash.began_ms) / kLength_ms;
    flash.strength = std::clamp(left, 0.0, 1.0) * std::clamp(left, 0.0, 1.0);
  }
  std::erase_if(flashes_, [](const BlockFlash& flash) { return flash.strength <= 0; });
}

}  // namespace attn::gui
