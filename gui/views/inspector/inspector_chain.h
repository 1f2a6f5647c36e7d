// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about the way from the scores of a row to its output: score, exp, weight,
// times V, sum. The numbers come from AttentionRow. GUI thread.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "engine/session/record/attention_row.h"
#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// The longest row, in keys, whose chain is computed; the chain of a longer one would take too long.
inline constexpr int64_t kMostChainKeys = 8192;

// The chain of a computed row: a line for each key of `top` (position, weight), one for the others
// together, one for the sink, and the sums; then the vectors of the token. kind: the table whose
// tokens the positions count.
void add_row_chain(InspectorContent& out, const RequestView& request, const SelectionState& row,
                   std::span<const std::pair<int64_t, float>> top, TableKind kind);
// The part of the chain that goes through one cell of a computed row. Returns the row, if it is
// short enough.
std::optional<AttentionRow> add_cell_chain(InspectorContent& out, const RequestView& request,
                                           const SelectionState& cell);
// The vectors of a cell, down to the output of its row.
void add_cell_vectors(InspectorContent& out, const WeightOperands& operands,
                      const std::optional<AttentionRow>& row);

}  // namespace attn::gui
