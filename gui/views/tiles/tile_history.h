// SPDX-License-Identifier: GPL-3.0-or-later
// TileHistory: the tiles, page fetches and call splits of a run. Tiles are found by request, layer
// and head, fetches by request, layer and KV head. No Qt. For use by the thread that owns it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/trace/event.h"

namespace attn::gui {

struct TileMark {
  TileEvent tile;
  uint8_t lane = 1;  // 1 + worker
  uint64_t begin_ns = 0, end_ns = 0;
  int64_t event = -1;  // index into the run's events
  int worker() const { return lane - 1; }
};

struct FetchMark {
  int64_t first_page = 0, pages = 0;
  uint64_t end_ns = 0;
  KernelId kernel = {};
};

struct SplitMark {
  KernelId kernel = {};
  uint32_t call = 0, calls = 0, sequences = 0;
  uint64_t end_ns = 0;
};

class TileHistory {
 public:
  void clear();
  // Takes events[from, events.size()); `events` holds all events of the run.
  void append(const std::vector<TraceEvent>& events, size_t from);

  // The tiles of a head, ordered by end, then begin, then worker. The order of recording depends on
  // which worker hands its events over first.
  std::vector<TileMark> tiles(uint32_t request, int64_t layer, int64_t head) const;
  std::vector<FetchMark> fetches(uint32_t request, int64_t layer, int64_t kv_head) const;
  const std::vector<SplitMark>& splits() const { return splits_; }
  // The size of tiles(), without sorting.
  size_t count(uint32_t request, int64_t layer, int64_t head) const;

 private:
  static uint64_t key(uint32_t request, int64_t layer, int64_t head) {
    return uint64_t{request} << 32 | static_cast<uint64_t>(layer & 0xffff) << 16 |
           static_cast<uint64_t>(head & 0xffff);
  }
  std::unordered_map<uint64_t, std::vector<TileMark>> tiles_;
  std::unordered_map<uint64_t, std::vector<FetchMark>> fetches_;
  std::vector<SplitMark> splits_;
};

// The tiles as CSV, in the given order.
std::string tiles_csv(const std::vector<TileMark>& tiles);

}  // namespace attn::gui
