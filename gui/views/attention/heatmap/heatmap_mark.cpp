// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/heatmap_mark.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/trace/event.h"

namespace attn::gui {
namespace {

struct MarkWords {
  Q_DECLARE_TR_FUNCTIONS(HeatmapMark)
};

}  // namespace

HeatmapMark mark_of(const SelectionState& state, const HeatmapScene& scene,
                    const RequestView& request, const std::vector<TraceEvent>& events) {
  HeatmapMark mark;
  const int64_t rows = scene.rows();
  const bool ours = state.request == static_cast<int64_t>(request.id);
  switch (state.kind) {
    case SelectionKind::kNothing:
      break;
    case SelectionKind::kCell:
      if (ours && state.query >= 0 && state.query < rows && state.key >= 0 &&
          state.key < scene.columns())
        mark = {
            HeatmapMark::Kind::kCell, state.query, state.query + 1, state.key, state.key + 1, {}};
      break;
    case SelectionKind::kToken:
      if (scene.head.is_encoder()) break;  // its rows are not tokens of the request
      if (ours && state.query >= 0 && state.query < rows)
        mark = {HeatmapMark::Kind::kToken, state.query, state.query + 1, state.query,
                state.query + 1,           {}};
      // In cross attention a token of the sequence has no column.
      if (!scene.keys_are_tokens()) mark.key = mark.key_end = 0;
      break;
    case SelectionKind::kBlock: {
      const BlockTableView& view =
          request.table(scene.keys_are_tokens() ? TableKind::kOwn : TableKind::kCross);
      const std::vector<int32_t>& table = state.in_host_pool ? view.swap_blocks : view.blocks;
      const auto found = std::find(table.begin(), table.end(), static_cast<int32_t>(state.block));
      if (found == table.end() || scene.block_size <= 0) break;
      const int64_t first = (found - table.begin()) * scene.block_size;
      if (first < scene.columns())
        mark = {HeatmapMark::Kind::kColumns,
                0,
                rows,
                first,
                std::min(scene.columns(), first + scene.block_size),
                state.in_host_pool ? MarkWords::tr("keys in host block %1").arg(state.block)
                                   : MarkWords::tr("keys in block %1").arg(state.block)};
      break;
    }
    case SelectionKind::kSpan: {
      if (state.event < 0 || state.event >= static_cast<int64_t>(events.size())) break;
      const TraceEvent& event = events[static_cast<size_t>(state.event)];
      if (event.kind != EventKind::kTile) break;
      const TileEvent tile = unpack_tile(event);
      if (tile.request != request.id || event.layer != scene.head.layer ||
          scene.head.head < tile.head || scene.head.head >= int64_t{tile.head} + tile.heads)
        break;
      mark = {HeatmapMark::Kind::kRange,
              tile.q_begin,
              std::min<int64_t>(rows, tile.q_begin + tile.q_count),
              tile.k_begin,
              std::min<int64_t>(scene.columns(), tile.k_begin + tile.k_count),
              MarkWords::tr("tile")};
      break;
    }
  }
  return mark;
}

void mark_pointed(const PointedState& state, const RequestView* request, HeatmapScene& scene) {
  const bool ours = request && state.request == static_cast<int64_t>(request->id);
  const auto within = [ours](int64_t position, int64_t count) {
    return ours && position < count ? position : -1;
  };
  const bool of_encoder = scene.head.is_encoder();
  scene.hover_query = state.query_of_encoder == of_encoder ? within(state.query, scene.rows()) : -1;
  const bool our_keys = state.of_encoder == (of_encoder || !scene.keys_are_tokens());
  scene.hover_key = our_keys ? within(state.key, scene.columns()) : -1;
}

}  // namespace attn::gui
