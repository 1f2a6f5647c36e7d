// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the loop of a kernel: query rows down, keys across, the visited tiles, what was skipped,
// and the pages. Beside it the running softmax of one row (tiles_panel.h). GUI thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <optional>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/views/tiles/row_softmax.h"
#include "gui/views/tiles/tile_history.h"
#include "gui/widgets/canvas_transform.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

struct TilesScene {
  std::vector<TileMark> tiles;     // tiles of the head, ordered by their ends
  std::vector<FetchMark> fetches;  // page fetches of its KV head
  // The last split that the current tile's kernel reported until this tile ended.
  std::optional<SplitMark> split;
  size_t shown = 0;  // tiles [0, shown) are drawn; the last of them is the current one
  bool live = true;
  // The past step that is shown: `tiles` holds the tiles that ended by its end, and the step's own
  // tiles begin at step_first. nullopt: none.
  std::optional<uint32_t> past_step;
  size_t step_first = 0;
  int64_t rows = 0, keys = 0;      // numbers of rows and keys, with padding
  int64_t seq_len = 0;             // rows that are tokens
  int64_t encoder_len = 0;         // cross attention, else 0
  int64_t prompt_len = 0;          // tokens
  int64_t without_query = 0;       // see tokens_without_query()
  int64_t block_size = 0;          // 0: no pages
  std::vector<int32_t> blocks;     // physical block of each page
  std::vector<bool> row_done;      // [rows]
  int64_t row = -1;                // shown row; -1: none
  std::vector<SharedText> tokens;  // texts for the labels
  RowSoftmax softmax;
  float lse = 0;  // stored log-sum-exp of the row
  bool lse_known = false;
  bool one_tile_rows = false;  // see rows_have_one_tile()
  WeightRule rule;             // rule of the layer
  int64_t head = 0;            // query head
  int64_t partition = 0;       // keys; 0: none
  QString request, place;      // "Lily", "layer 2, head 3"
  QString modelled;            // modelled time; may be empty
  bool focused = false;

  bool cross() const { return encoder_len > 0; }
  int64_t key_len() const { return cross() ? encoder_len : seq_len; }  // keys that are tokens
  const TileMark* current() const { return shown > 0 ? &tiles[shown - 1] : nullptr; }
};

struct TilesLayout {
  QRectF bounds, title, pages, grid, panel, legend;
  bool axis_name = true;  // whether the name of the axis is drawn
};

TilesLayout lay_out_tiles(const QRectF& bounds, const PictureLook& look);
// transform: maps (keys, rows) to layout.grid.
void paint_tiles(QPainter& painter, const TilesScene& scene, const TilesLayout& layout,
                 const CanvasTransform& transform, const PictureLook& look);

// How many keys, from 0 on, count for the rows of this tile: those up to its last row, but at least
// the whole prompt if the tile begins in the prompt. In cross attention: those of the encoder.
int64_t keys_of_band(const TilesScene& scene, const TileEvent& tile);
// Parts of [0, keys_of_band) that no tile with the rows of `band` covers. Empty while such a row is
// not done or such a tile is not shown.
std::vector<std::pair<int64_t, int64_t>> skipped_keys(const TilesScene& scene,
                                                      const TileEvent& band);
// How many (query, key) pairs of the tile the rule leaves visible, without padding.
int64_t seen_pairs(const TilesScene& scene, const TileEvent& tile);
// Whether each row of the shown tiles has all keys that it sees in one tile, so that nothing is
// rescaled. False if no tile is shown.
bool rows_have_one_tile(const TilesScene& scene);
QString tile_sentence(const TilesScene& scene, size_t tile);
// The newest shown tile at a point; nullopt: none.
std::optional<size_t> tile_at(const TilesScene& scene, const TilesLayout& layout,
                              const CanvasTransform& transform, const QPointF& point);

}  // namespace attn::gui
