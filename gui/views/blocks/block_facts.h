// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about blocks: colours by meaning, their tables, holders and tokens, and the blocks that a
// selection lights up. A block is given by its place (block_places.h). GUI thread.
#pragma once

#include <QBrush>
#include <QColor>
#include <QString>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"
#include "gui/models/selection.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/views/blocks/reader_log.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

enum class BlockColorBy { kOwner, kRefCount, kAge, kLastRead, kHashState, kReader };
inline constexpr int kBlockColorings = 6;
QString text_of(BlockColorBy by);         // "Owner"
QString explanation_of(BlockColorBy by);  // a sentence for a tooltip

// The state of a used block. kHashed: the block is full and the prefix cache can find it.
enum class HashState { kPartial, kFull, kHashed };
HashState hash_state_of(const BlockView& block, int64_t block_size);
QString text_of(HashState state);  // "full, found by its prefix"

// The rows of the tables in the order shown: requests with blocks in the device pool, requests in
// the swap pool, other requests that have not ended, requests that have ended.
std::vector<TableRow> table_order(const EngineSnapshot& snapshot);
// The name of the request. If the request holds blocks in both of its tables, the name of the
// encoder's table ends with ", encoder".
QString table_label(const EngineSnapshot& snapshot, const TableRow& row);

struct BlockColoring {
  BlockColorBy by = BlockColorBy::kOwner;
  ColorMapId map = ColorMapId::kCividis;
  double low = 0, high = 1;  // values at the ends of the map
  int64_t block_size = 1;
  const ReaderLog* readers = nullptr;  // for kReader; must outlive this object
  static BlockColoring make(BlockColorBy by, const EngineSnapshot& snapshot,
                            const ReaderLog* readers = nullptr);
  bool is_ramp() const { return by != BlockColorBy::kOwner && by != BlockColorBy::kReader; }
  // NaN: never read, or no known reader. `place` is needed for kReader.
  double value(const BlockView& block, uint32_t step, int64_t place = -1) const;
  QColor color(const BlockView& block, uint32_t step, int64_t place = -1) const;
  // The colour, with a hatch for owners and workers from the ninth number on.
  QBrush brush(const BlockView& block, uint32_t step, int64_t place = -1) const;
  QColor edge(const BlockView& block, uint32_t step, int64_t place = -1) const;
  QColor color_of_state(HashState state) const;

 private:
  // [owner]: the edge colour of its blocks on a surface of colour edges_on_; invalid: not computed
  // yet.
  mutable std::vector<QColor> owner_edges_;
  mutable QColor edges_on_;
};

struct BlockHighlight {
  // The request whose table and links are marked: that of the selection, else the shown one.
  int64_t request = -1;
  int64_t shown = -1;           // the shown request; if the snapshot does not have it, `request`
  std::vector<int32_t> blocks;  // places, each only once
  int64_t primary = -1;         // place of the block whose slots are shown; -1: none
  // The positions in the primary block that the selection stands for, inclusive; -1: none. A single
  // position is marked in the block's slots, several are not.
  int64_t first_token = -1, last_token = -1;
  bool operator==(const BlockHighlight&) const = default;
};
// One tile for each (request, first query) of a step, the first in the trace. While the step stays
// the same, a call reads only the events that are new.
class StepTiles {
 public:
  // `step_event` is the index of the step in `events`. Tiles of layers before `first_layer` are
  // left out.
  const std::vector<TileEvent>& of(int64_t step_event, const std::vector<TraceEvent>& events,
                                   int64_t first_layer = 0);

 private:
  int64_t step_event_ = -1;
  size_t read_ = 0;
  std::set<std::pair<uint32_t, uint32_t>> seen_;  // request, first query
  std::vector<TileEvent> tiles_;
};

// Returns what the selection lights up. `step_tiles` must have been used with `events` only.
BlockHighlight highlight_of(const SelectionState& selection, int64_t shown_request,
                            const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                            StepTiles& step_tiles);

// The place of the block that holds the pointed key or, without a pointed key, the pointed query.
// -1: no token is pointed at, or no block holds it.
int64_t place_of_pointed(const PointedState& pointed, const EngineSnapshot& snapshot);

// The tokens in the slots of a block: positions [first, first + filled) of its owner or, in a
// cached block, of sequences with its prefix.
struct BlockTokens {
  const RequestView* owner = nullptr;
  TableKind table = TableKind::kOwn;  // table of the owner that has the block
  const std::vector<TokenView>* cached = nullptr;
  int64_t first = 0, filled = 0;
  const std::string* text(int64_t slot) const;  // null: not filled, or not known
};
BlockTokens tokens_of(const EngineSnapshot& snapshot, int64_t place);
std::vector<const RequestView*> holders_of(const EngineSnapshot& snapshot, int64_t place);

QString block_name(const EngineSnapshot& snapshot, int64_t place);  // "Block 7", "Host block 3"
// Rich text. Without `readers` the last reader is left out.
QString block_tooltip(const EngineSnapshot& snapshot, int64_t place,
                      const ReaderLog* readers = nullptr);
QString block_sentence(const EngineSnapshot& snapshot, int64_t place);

}  // namespace attn::gui
