// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/block_moves.h"

#include <algorithm>

#include "gui/views/blocks/drawing/block_places.h"

namespace attn::gui {

std::vector<BlockMoved> moves_of(const EngineSnapshot& snapshot) {
  std::vector<BlockMoved> moves;
  if (snapshot.plan.step != snapshot.step) return moves;
  using Kind = BlockMoved::Kind;
  for (const BlockMove& move : snapshot.plan.swap_out_moves)
    moves.push_back({Kind::kSwapOut, move.from, host_place(snapshot, move.to)});
  for (const BlockMove& move : snapshot.plan.swap_in_moves)
    moves.push_back({Kind::kSwapIn, host_place(snapshot, move.from), move.to});
  for (const BlockMove& move : snapshot.plan.copies)
    moves.push_back({Kind::kCopy, move.from, move.to});
  return moves;
}

std::optional<BlockMoved> move_of(const EngineSnapshot& snapshot, const TraceEvent& event) {
  using Kind = BlockMoved::Kind;
  const int64_t block = event.a, other = event.d;
  switch (event.kind) {
    case EventKind::kBlockCopied:
      return BlockMoved{Kind::kCopy, other, block};
    case EventKind::kBlockSwappedOut:
      return BlockMoved{Kind::kSwapOut, block, host_place(snapshot, other)};
    case EventKind::kBlockSwappedIn:
      return BlockMoved{Kind::kSwapIn, host_place(snapshot, other), block};
    default:
      return {};
  }
}

void MoveArrows::add(const BlockMoved& move, int64_t now_ms) {
  std::erase_if(arrows_, [&](const MoveArrow& arrow) { return arrow.move == move; });
  if (arrows_.size() > kMost) return;
  arrows_.push_back({.move = move, .began_ms = now_ms, .reach = 0, .strength = 1});
}

const std::vector<MoveArrow>& MoveArrows::all() const {
  static const std::vector<MoveArrow> none;
  return arrows_.size() > kMost ? none : arrows_;
}

void MoveArrows::advance(int64_t now_ms) {
  for (MoveArrow& arrow : arrows_) {
    const auto age = static_cast<double>(now_ms - arrow.began_ms);
    const double left = std::clamp(1 - age / kGrow_ms, 0.0, 1.0);
    arrow.reach = 1 - left * left * left;
    arrow.strength = std::clamp(1 - (age - kGrow_ms) / kFade_ms, 0.0, 1.0);
  }
  std::erase_if(arrows_, [](const MoveArrow& arrow) { return arrow.strength <= 0; });
}

}  // namespace attn::gui
