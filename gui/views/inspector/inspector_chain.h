// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about the way from a row's scores to its output (score, exp, weight,
// times V, sum), and about the vectors of a row or cell. GUI thread.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "engine/session/record/attention_row.h"
#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// The longest row, in keys, for which the sums are computed.
inline constexpr int64_t kMostChainKeys = 8192;

// top: pairs of a key's position and its weight. kind: whether the keys are the request's own
// tokens or those of the encoder.
void add_row_chain(InspectorContent& out, const RequestView& request, const SelectionState& row,
                   std::span<const std::pair<int64_t, float>> top, TableKind kind);
// Returns the row; nullopt: it is not computed, sees no key or is longer than kMostChainKeys.
std::optional<AttentionRow> add_cell_chain(InspectorContent& out, const RequestView& request,
                                           const SelectionState& cell);
void add_cell_vectors(InspectorContent& out, const WeightOperands& operands,
                      const std::optional<AttentionRow>& row);

}  // namespace attn::gui
