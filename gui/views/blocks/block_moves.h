// SPDX-License-Identifier: GPL-3.0-or-later
// BlockMoved: contents that go from block to block: copies of shared blocks, swaps to the host pool
// and back. MoveArrows: their animated arrows. GUI thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"

namespace attn::gui {

struct BlockMoved {
  enum class Kind { kCopy, kSwapOut, kSwapIn };
  Kind kind = Kind::kCopy;
  int64_t from = 0, to = 0;  // places
  bool operator==(const BlockMoved&) const = default;
};

// The moves in the plan of the snapshot's step: swaps out, swaps in, copies.
std::vector<BlockMoved> moves_of(const EngineSnapshot& snapshot);
// nullopt: the event records no move.
std::optional<BlockMoved> move_of(const EngineSnapshot& snapshot, const TraceEvent& event);

struct MoveArrow {
  BlockMoved move;
  int64_t began_ms = 0;  // time of the caller's clock
  double reach = 1;      // [0, 1]: how far the tip is on its way, ease-out
  double strength = 1;   // (0, 1]: below 1 after the arrow has arrived
  bool operator==(const MoveArrow&) const = default;
};

// Arrows that grow and then fade. If a move is added again, its arrow starts from the beginning.
class MoveArrows {
 public:
  static constexpr int64_t kGrow_ms = 200, kFade_ms = 240;
  // While there are more arrows than this, all() is empty and add() adds none.
  static constexpr size_t kMost = 256;

  void add(const BlockMoved& move, int64_t now_ms);
  void advance(int64_t now_ms);
  void clear() { arrows_.clear(); }
  bool empty() const { return arrows_.empty(); }
  const std::vector<MoveArrow>& all() const;

 private:
  std::vector<MoveArrow> arrows_;
};

}  // namespace attn::gui
