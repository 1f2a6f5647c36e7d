// SPDX-License-Identifier: GPL-3.0-or-later
// What there is to say about blocks: figures, colours by meaning, who holds a block, what a
// selection lights up. Computed from one snapshot; pure functions without Widgets. GUI thread
// (theme colours).
#pragma once

#include <QBrush>
#include <QColor>
#include <QString>
#include <vector>

#include "engine/session/snapshot.h"
#include "engine/trace/event.h"
#include "gui/models/selection.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

enum class BlockColorBy { kOwner, kRefCount, kAge, kLastRead };
inline constexpr int kBlockColorings = 4;
QString text_of(BlockColorBy by);         // "Owner"
QString explanation_of(BlockColorBy by);  // one sentence

struct BlockFigures {
  int64_t head_size = 0, cache_head_size = 0;  // elements; the cache's is larger with padding
  int64_t total = 0, used = 0, free = 0;       // blocks
  int64_t bytes_per_block = 0, used_bytes = 0, total_bytes = 0;
  int64_t reserved_slots = 0, filled_slots = 0;  // of the used blocks
  int64_t wasted_slots() const { return reserved_slots - filled_slots; }
  double waste_percent() const;  // of the reserved slots; 0 when nothing is reserved
};
BlockFigures figures_of(const EngineSnapshot& snapshot);
QString figures_text(const BlockFigures& figures, bool brief);
QString figures_explanation(const BlockFigures& figures);

// The sequences in the order of the tables: those that hold blocks, those that wait, those that
// ended; indices into snapshot.requests.
std::vector<int> table_order(const EngineSnapshot& snapshot);
const RequestView* request_by_id(const EngineSnapshot& snapshot, int64_t request);  // null: unknown
QString request_label(const EngineSnapshot& snapshot, int64_t request);  // "Lily", "request 3"

// What colour means in the present snapshot: range of the sequential map, or owners.
struct BlockColoring {
  BlockColorBy by = BlockColorBy::kOwner;
  ColorMapId map = ColorMapId::kCividis;
  double low = 0, high = 1;  // of the quantity, for the legend
  static BlockColoring make(BlockColorBy by, const EngineSnapshot& snapshot);
  // The quantity of a used block; NaN: it has none (never read).
  double value(const BlockView& block, uint32_t step) const;
  QColor color(const BlockView& block, uint32_t step) const;  // of a used block
  QBrush brush(const BlockView& block, uint32_t step) const;  // with the owner's pattern
};

// What a selection lights up in the blocks.
struct BlockHighlight {
  int64_t request = -1;         // its table and links are shown
  std::vector<int32_t> blocks;  // physical, without doubles
  int64_t primary = -1;         // whose slots are shown; one of blocks, or -1
  int64_t first_token = -1,
          last_token = -1;  // positions marked in the slots of the primary block, inclusive
  bool operator==(const BlockHighlight&) const = default;
};
BlockHighlight highlight_of(const SelectionState& selection, int64_t shown_request,
                            const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events);

// The tokens that lie in the slots of a block: positions [first, first + filled) of its owner.
struct BlockTokens {
  const RequestView* owner = nullptr;
  int64_t first = 0, filled = 0;
  const std::string* text(int64_t slot) const;  // null: slot is not filled
};
BlockTokens tokens_of(const EngineSnapshot& snapshot, int64_t block);

QString block_tooltip(const EngineSnapshot& snapshot,
                      int64_t block);  // rich text, every field in words
QString block_sentence(const EngineSnapshot& snapshot,
                       int64_t block);  // one line, for accessible texts

}  // namespace attn::gui
