// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/event_matcher.h"

namespace attn::gui {

EventMatcher::EventMatcher(const SelectionState& selection, const EngineSnapshot* snapshot)
    : active_(selection.kind != SelectionKind::kNothing),
      selection_(selection),
      request_(selection.request),
      query_(selection.query) {
  if (selection.kind == SelectionKind::kCell && selection.key >= 0) {
    key_begin_ = selection.key;
    key_end_ = selection.key + 1;
  }
  if (snapshot && snapshot->rules && snapshot->rules->mix_keys() &&
      (selection.kind == SelectionKind::kBlock || selection.kind == SelectionKind::kToken))
    rules_ = snapshot->rules;
  if (selection.kind != SelectionKind::kBlock || !snapshot) return;
  query_ = -1;
  const std::vector<BlockView>& pool =
      selection.in_host_pool ? snapshot->swap_blocks : snapshot->blocks;
  if (selection.block < 0 || selection.block >= static_cast<int64_t>(pool.size())) return;
  const BlockView& block = pool[static_cast<size_t>(selection.block)];
  request_ = block.owner;
  if (block.owner < 0) return;
  key_begin_ = block.logical * snapshot->block_size;
  key_end_ = key_begin_ + snapshot->block_size;
  cross_ = block.cross;
}

bool EventMatcher::matches(const TraceEvent& event, uint32_t index) const {
  switch (selection_.kind) {
    case SelectionKind::kNothing:
      return false;
    case SelectionKind::kSpan:
      return static_cast<int64_t>(index) == selection_.event;
    default:
      break;
  }
  if (event.kind != EventKind::kTile) return false;
  const TileEvent tile = unpack_tile(event);
  if (request_ < 0 || static_cast<int64_t>(tile.request) != request_) return false;
  if (selection_.layer >= 0 && event.layer != kNoLayer && event.layer != selection_.layer)
    return false;
  if (rules_ && event.layer != kNoLayer) {
    const WeightRule& rule = rules_->of(event.layer);
    // In encoder layers queries and keys belong to the encoder's tokens, not to the request's own.
    if (rule.encoder || (selection_.kind == SelectionKind::kBlock && rule.cross != cross_))
      return false;
  }
  const int64_t head = tile.head;
  if (selection_.head >= 0 && (selection_.head < head || selection_.head >= head + tile.heads))
    return false;
  const int64_t q_begin = tile.q_begin, k_begin = tile.k_begin;
  if (query_ >= 0 && (query_ < q_begin || query_ >= q_begin + tile.q_count)) return false;
  if (key_begin_ >= 0 && (key_end_ <= k_begin || key_begin_ >= k_begin + tile.k_count))
    return false;
  return true;
}

}  // namespace attn::gui
