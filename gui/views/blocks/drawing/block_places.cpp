// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_places.h"

namespace attn::gui {

int64_t table_place(const EngineSnapshot& snapshot, const RequestView& request, TableKind kind,
                    int64_t logical) {
  const std::vector<int32_t>& table = request.table(kind).held();
  if (logical < 0 || logical >= static_cast<int64_t>(table.size())) return -1;
  const int32_t block = table[static_cast<size_t>(logical)];
  if (block < 0) return -1;
  const bool host = !request.table(kind).swap_blocks.empty();
  const int64_t place = host ? host_place(snapshot, block) : block;
  return is_place(snapshot, place) ? place : -1;
}

TableKind table_read_by(const EngineSnapshot& snapshot, int64_t layer) {
  const bool known = snapshot.rules && layer >= 0 && layer < snapshot.source.num_layers;
  return known && snapshot.rules->of(layer).cross ? TableKind::kCross : TableKind::kOwn;
}

SelectionState selection_of_place(const EngineSnapshot& snapshot, int64_t place) {
  SelectionState state;
  state.kind = SelectionKind::kBlock;
  state.block = number_at(snapshot, place);
  state.in_host_pool = is_host_place(snapshot, place);
  state.request = view_at(snapshot, place).owner;
  return state;
}

int64_t place_of_selection(const EngineSnapshot& snapshot, const SelectionState& selection) {
  if (selection.kind != SelectionKind::kBlock || selection.block < 0) return -1;
  const auto& pool = selection.in_host_pool ? snapshot.swap_blocks : snapshot.blocks;
  if (selection.block >= static_cast<int64_t>(pool.size())) return -1;
  return selection.in_host_pool ? host_place(snapshot, selection.block) : selection.block;
}

QString mark_of_more(int64_t entries) {
  return QStringLiteral("+%1").arg(entries);
}

}  // namespace attn::gui
