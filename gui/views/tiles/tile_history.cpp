// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/tiles/tile_history.h"

#include <algorithm>
#include <tuple>

namespace attn::gui {

void TileHistory::clear() {
  tiles_.clear();
  fetches_.clear();
  splits_.clear();
}

void TileHistory::append(const std::vector<TraceEvent>& events, size_t from) {
  for (size_t i = from; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    const uint64_t end = event.begin_ns + event.duration_ns;
    if (event.kind == EventKind::kTile) {
      const TileEvent tile = unpack_tile(event);
      // Heads that are computed together share a tile.
      for (uint32_t head = tile.head; head < tile.head + tile.heads; ++head)
        tiles_[key(tile.request, event.layer, head)].push_back(
            {tile, event.lane, event.begin_ns, end, static_cast<int64_t>(i)});
    } else if (event.kind == EventKind::kPageFetch) {
      fetches_[key(event.a & kRequestBits, event.layer, event.d)].push_back(
          {event.b, event.c, end, static_cast<KernelId>(event.a >> 24)});
    } else if (event.kind == EventKind::kCallSplit) {
      splits_.push_back({static_cast<KernelId>(event.a), event.b, event.c, event.d, end});
    }
  }
}

std::vector<TileMark> TileHistory::tiles(uint32_t request, int64_t layer, int64_t head) const {
  const auto at = tiles_.find(key(request, layer, head));
  if (at == tiles_.end()) return {};
  std::vector<TileMark> sorted = at->second;
  std::stable_sort(sorted.begin(), sorted.end(), [](const TileMark& a, const TileMark& b) {
    return std::tie(a.end_ns, a.begin_ns, a.lane) < std::tie(b.end_ns, b.begin_ns, b.lane);
  });
  return sorted;
}

std::vector<FetchMark> TileHistory::fetches(uint32_t request, int64_t layer,
                                            int64_t kv_head) const {
  const auto at = fetches_.find(key(request, layer, kv_head));
  return at == fetches_.end() ? std::vector<FetchMark>{} : at->second;
}

size_t TileHistory::count(uint32_t request, int64_t layer, int64_t head) const {
  const auto at = tiles_.find(key(request, layer, head));
  return at == tiles_.end() ? 0 : at->second.size();
}

std::string tiles_csv(const std::vector<TileMark>& tiles) {
  std::string text =
      "order,kernel,worker,query_begin,query_count,key_begin,key_count,begin_ns,duration_ns\n";
  for (size_t i = 0; i < tiles.size(); ++i) {
    const TileMark& mark = tiles[i];
    text += std::to_string(i + 1);
    text += ',';
    text += name_of(mark.tile.kernel);
    for (const uint64_t value :
         {uint64_t(mark.worker()), uint64_t{mark.tile.q_begin}, uint64_t{mark.tile.q_count},
          uint64_t{mark.tile.k_begin}, uint64_t{mark.tile.k_count}, mark.begin_ns,
          mark.end_ns - mark.begin_ns}) {
      text += ',';
      text += std::to_string(value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace attn::gui
