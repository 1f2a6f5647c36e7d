// SPDX-License-Identifier: GPL-3.0-or-later
// Places: one numbering for the blocks of both pools, the device pool first, then the swap pool in
// host memory. TableRow: a block table of a request. Any thread.
#pragma once

#include <cstdint>

#include "engine/session/run/snapshot.h"
#include "gui/models/selection.h"

namespace attn::gui {

inline int64_t num_device_places(const EngineSnapshot& snapshot) {
  return static_cast<int64_t>(snapshot.blocks.size());
}
inline int64_t num_places(const EngineSnapshot& snapshot) {
  return num_device_places(snapshot) + static_cast<int64_t>(snapshot.swap_blocks.size());
}
inline bool is_place(const EngineSnapshot& snapshot, int64_t place) {
  return place >= 0 && place < num_places(snapshot);
}
inline bool is_host_place(const EngineSnapshot& snapshot, int64_t place) {
  return place >= num_device_places(snapshot);
}
inline int64_t host_place(const EngineSnapshot& snapshot, int64_t block) {
  return num_device_places(snapshot) + block;
}
inline int64_t number_at(const EngineSnapshot& snapshot, int64_t place) {
  return is_host_place(snapshot, place) ? place - num_device_places(snapshot) : place;
}
// Needs is_place().
inline const BlockView& view_at(const EngineSnapshot& snapshot, int64_t place) {
  return (is_host_place(snapshot, place)
              ? snapshot.swap_blocks
              : snapshot.blocks)[static_cast<size_t>(number_at(snapshot, place))];
}

struct TableRow {
  int request = 0;  // index into snapshot.requests
  TableKind kind = TableKind::kOwn;
  bool operator==(const TableRow&) const = default;
};
inline const RequestView& request_of(const EngineSnapshot& snapshot, const TableRow& row) {
  return snapshot.requests[static_cast<size_t>(row.request)];
}
// While the request is swapped out, the table names blocks of the swap pool.
inline const std::vector<int32_t>& table_of(const EngineSnapshot& snapshot, const TableRow& row) {
  return request_of(snapshot, row).table(row.kind).held();
}
// The place of a logical block; -1: the request does not hold it.
int64_t table_place(const EngineSnapshot& snapshot, const RequestView& request, TableKind kind,
                    int64_t logical);
// The table that a layer's attention reads.
TableKind table_read_by(const EngineSnapshot& snapshot, int64_t layer);

SelectionState selection_of_place(const EngineSnapshot& snapshot, int64_t place);
// -1: no block is selected, or its pool has no such block.
int64_t place_of_selection(const EngineSnapshot& snapshot, const SelectionState& selection);

QString mark_of_more(int64_t entries);  // "+3"

}  // namespace attn::gui
