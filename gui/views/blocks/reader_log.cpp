// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/reader_log.h"

#include <algorithm>
#include <numeric>

namespace attn::gui {

void ReaderLog::clear() {
  *this = {};
}

BlockReader ReaderLog::of(int64_t block) const {
  return block >= 0 && block < static_cast<int64_t>(readers_.size())
             ? readers_[static_cast<size_t>(block)]
             : BlockReader{};
}

BlockReader& ReaderLog::reader(uint32_t block) {
  if (block >= readers_.size()) readers_.resize(block + 1);
  return readers_[block];
}

std::vector<int32_t>& ReaderLog::table_of(uint32_t request, bool cross) {
  if (request >= tables_.size()) tables_.resize(request + 1);
  return tables_[request][cross ? 1 : 0];
}

// `logical` as in a block event, with the mark of an encoder's table.
int32_t& ReaderLog::entry(uint32_t request, uint32_t logical) {
  std::vector<int32_t>& table = table_of(request, is_in_cross_table(logical));
  const uint32_t place = logical_block_of(logical);
  if (place >= table.size()) table.resize(place + 1, -1);
  return table[place];
}

// The trace has events of one thread after those of another. Those of one call are put in order of
// time, because a block is taken before it is read.
bool ReaderLog::read(const std::vector<TraceEvent>& events, int64_t block_size,
                     const LayerRules* rules, uint64_t until_ns, size_t most) {
  if (rules && !rules->mix_keys()) rules = nullptr;
  const size_t end = next_ + std::min(most, events.size() - next_);
  order_.resize(end - next_);
  std::iota(order_.begin(), order_.end(), static_cast<uint32_t>(next_));
  std::stable_sort(order_.begin(), order_.end(),
                   [&](uint32_t a, uint32_t b) { return events[a].begin_ns < events[b].begin_ns; });
  for (const uint32_t i : order_)
    if (events[i].begin_ns <= until_ns) take(events[i], std::max<int64_t>(1, block_size), rules);
  next_ = end;
  return next_ == events.size();
}

void ReaderLog::take(const TraceEvent& event, int64_t block_size, const LayerRules* rules) {
  const uint32_t block = event.a, request = event.b, logical = event.c;
  switch (event.kind) {
    case EventKind::kBlockAllocated:
      entry(request, logical) = static_cast<int32_t>(block);
      reader(block) = {};
      break;
    case EventKind::kBlockShared:
      entry(request, logical) = static_cast<int32_t>(block);
      break;
    case EventKind::kBlockFreed:
    case EventKind::kBlockReleased:
    case EventKind::kBlockCached: {
      int32_t& held = entry(request, logical);
      if (held == static_cast<int32_t>(block)) held = -1;
      if (event.kind == EventKind::kBlockFreed) reader(block) = {};
      break;
    }
    case EventKind::kBlockEvicted:
      reader(block) = {};
      break;
    case EventKind::kTile: {
      const TileEvent tile = unpack_tile(event);
      if (tile.request >= tables_.size() || tile.k_count == 0) break;
      if (rules && rules->of(event.layer).encoder) break;  // a layer of the encoder reads no block
      const std::vector<int32_t>& table =
          table_of(tile.request, rules && rules->of(event.layer).cross);
      const uint64_t ended = event.begin_ns + event.duration_ns;
      const auto first = static_cast<size_t>(tile.k_begin / block_size);
      const auto last = static_cast<size_t>((tile.k_begin + tile.k_count - 1) / block_size);
      for (size_t j = first; j <= last && j < table.size(); ++j) {
        if (table[j] < 0) continue;
        BlockReader& now = reader(static_cast<uint32_t>(table[j]));
        if (now.is_known() && now.end_ns > ended) continue;
        now = {ended,
               tile.request,
               event.lane,
               event.layer,
               static_cast<uint16_t>(tile.head),
               static_cast<uint16_t>(tile.heads)};
        num_workers_ = std::max(num_workers_, now.worker() + 1);
      }
      break;
    }
    default:
      break;
  }
}

}  // namespace attn::gui
