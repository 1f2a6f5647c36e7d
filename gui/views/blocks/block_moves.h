// SPDX-License-Identifier: GPL-3.0-or-later
// BlockMoves: contents that go from block to block: copies of shared blocks, swaps to the host pool
// and back. Moves of the present step come from its plan, so they can be seen as long as the run
// stands there; while a run goes on, moves also come from its trace and fade. GUI thread; no
// Widgets.
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

// The moves of the snapshot's step, in the order in which they are carried out.
std::vector<BlockMoved> moves_of(const EngineSnapshot& snapshot);
// The move that an event records; nullopt: it records none.
std::optional<BlockMoved> move_of(const EngineSnapshot& snapshot, const TraceEvent& event);

struct MoveArrow {
  BlockMoved move;
  int64_t began_ms = 0;  // time of the caller's clock
  double reach = 1;      // [0, 1]: how far from source to target its tip has come, ease-out
  double strength = 1;   // (0, 1]: below 1 once the arrow has arrived and fades
  bool operator==(const MoveArrow&) const = default;
};

// The arrows that grow and fade. A move that is added again begins again.
class MoveArrows {
 public:
  static constexpr int64_t kGrow_ms = 200, kFade_ms = 240;
  // With more at once none is shown, because they could not be told apart; none is added either
  // until some of them have faded.
  static constexpr size_t kMost = 256;

  void add(const BlockMoved& move, int64_t now_ms);
  void advance(int64_t now_ms);
  void clear() { arrows_.clear(); }
  bool empty() const { return arrows_.empty(); }
  // The arrows to be shown.
  const std::vector<MoveArrow>& all() const;

 private:
  std::vector<MoveArrow> arrows_;
};

}  // namespace attn::gui
