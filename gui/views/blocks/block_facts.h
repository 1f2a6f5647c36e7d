// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about blocks: colours by meaning, who holds a block, which blocks a selection lights up. A
// block is given by its place (block_places.h). Computed from a snapshot, some also from the trace;
// no Widgets. GUI thread (theme colours).
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
QString explanation_of(BlockColorBy by);  // one sentence

// Whether a used block is full, and whether the prefix cache finds it.
enum class HashState { kPartial, kFull, kHashed };
HashState hash_state_of(const BlockView& block, int64_t block_size);
QString text_of(HashState state);  // "full, found by its prefix"

// The rows of the tables in the order in which they are shown: the block tables of requests that
// hold blocks, those of requests that are swapped out, then a row for each request that waits or
// has ended.
std::vector<TableRow> table_order(const EngineSnapshot& snapshot);
// The name of a table: that of its request. Where the request has two, it says which is the
// encoder's.
QString table_label(const EngineSnapshot& snapshot, const TableRow& row);

// What the colours of blocks mean in the present snapshot: numbers on a colour map with its range,
// or owners, or workers.
struct BlockColoring {
  BlockColorBy by = BlockColorBy::kOwner;
  ColorMapId map = ColorMapId::kCividis;
  double low = 0, high = 1;  // range of the quantity: the ends of the map
  int64_t block_size = 1;
  const ReaderLog* readers = nullptr;  // for kReader; must outlive this object
  static BlockColoring make(BlockColorBy by, const EngineSnapshot& snapshot,
                            const ReaderLog* readers = nullptr);
  bool is_ramp() const { return by != BlockColorBy::kOwner && by != BlockColorBy::kReader; }
  // The quantity of a used block; NaN: it has none (never read). place: needed for kReader.
  double value(const BlockView& block, uint32_t step, int64_t place = -1) const;
  QColor color(const BlockView& block, uint32_t step, int64_t place = -1) const;
  // The colour, with the pattern of the owner or worker.
  QBrush brush(const BlockView& block, uint32_t step, int64_t place = -1) const;
  QColor edge(const BlockView& block, uint32_t step, int64_t place = -1) const;
  QColor color_of_state(HashState state) const;

 private:
  // Edges already computed, by owner, and the colour of the surface that they were computed for.
  mutable std::vector<QColor> owner_edges_;
  mutable QColor edges_on_;
};

// What a selection lights up in the blocks.
struct BlockHighlight {
  int64_t request = -1;         // the request whose table and links are marked
  std::vector<int32_t> blocks;  // places, each only once
  int64_t primary = -1;         // place whose slots are shown: one of blocks, or -1
  // Positions marked in the slots of the primary block, inclusive.
  int64_t first_token = -1, last_token = -1;
  bool operator==(const BlockHighlight&) const = default;
};
// One tile for every (request, first query) of a step, the first in the trace. The trace is read as
// it grows: for one step each event is looked at once, however often a snapshot comes.
class StepTiles {
 public:
  // step_event: index of the step in `events`. first_layer: layers before it, which are those of an
  // encoder, do not count.
  const std::vector<TileEvent>& of(int64_t step_event, const std::vector<TraceEvent>& events,
                                   int64_t first_layer = 0);

 private:
  int64_t step_event_ = -1;
  size_t read_ = 0;                               // number of events looked at
  std::set<std::pair<uint32_t, uint32_t>> seen_;  // request, first query
  std::vector<TileEvent> tiles_;
};

// What the selection lights up. step_tiles: must belong to this trace; keep it from call to call.
BlockHighlight highlight_of(const SelectionState& selection, int64_t shown_request,
                            const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                            StepTiles& step_tiles);

// The place of the block that has the key at which the mouse points in some view, or the query if
// it points at no key. -1: no block has it.
int64_t place_of_pointed(const PointedState& pointed, const EngineSnapshot& snapshot);

// The tokens that lie in the slots of a block: positions [first, first + filled) of its owner, or,
// in a cached block, of every prompt that would find it.
struct BlockTokens {
  const RequestView* owner = nullptr;
  TableKind table = TableKind::kOwn;  // table of the owner that has the block
  const std::vector<TokenView>* cached = nullptr;
  int64_t first = 0, filled = 0;
  const std::string* text(int64_t slot) const;  // null: slot is not filled
};
BlockTokens tokens_of(const EngineSnapshot& snapshot, int64_t place);
// The requests whose block tables have the block, in the order of the snapshot.
std::vector<const RequestView*> holders_of(const EngineSnapshot& snapshot, int64_t place);

QString block_name(const EngineSnapshot& snapshot, int64_t place);  // "Block 7", "Host block 3"
// Rich text, every field in words. readers: null leaves out the last reader.
QString block_tooltip(const EngineSnapshot& snapshot, int64_t place,
                      const ReaderLog* readers = nullptr);
// One line, for accessible texts.
QString block_sentence(const EngineSnapshot& snapshot, int64_t place);

}  // namespace attn::gui
