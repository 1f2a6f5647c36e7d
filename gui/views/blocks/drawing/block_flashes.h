// SPDX-License-Identifier: GPL-3.0-or-later
// BlockFlashes: which blocks were taken or freed a moment ago, fading by the caller's clock. GUI
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct BlockFlash {
  int64_t block = 0;
  bool taken = false;  // true: taken; false: freed
  int32_t owner = -1;
  int64_t began_ms = 0;  // time of the caller's clock
  double strength = 0;   // (0, 1], ease-out
  bool operator==(const BlockFlash&) const = default;
};

class BlockFlashes {
 public:
  static constexpr int64_t kLength_ms = 220;
  // With more flashes at the same time none is shown.
  static constexpr size_t kMost = 2048;

  // Adds what changed between two snapshots. Clears all if the run or the size of the pool changed.
  void add_changes(const EngineSnapshot& before, const EngineSnapshot& after, int64_t now_ms);
  void advance(int64_t now_ms);
  void clear() { flashes_.clear(); }
  bool empty() const { return flashes_.empty(); }
  const std::vector<BlockFlash>& all() const { return flashes_; }

 private:
  std::vector<BlockFlash> flashes_;
};

}  // namespace attn::gui
