// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about how a query's row of weights is computed: the formula with its
// numbers, how spread the row is, and what was read for it. GUI thread.
#pragma once

#include <span>

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// weights: [keys.end - keys.begin] of a computed row, those that the query sees. cache_dtype: how
// the cache keeps numbers, in words.
void add_row(InspectorContent& out, const EngineSnapshot& snapshot, const RequestView& request,
             const SelectionState& row, KeySpan keys, std::span<const float> weights,
             const QString& cache_dtype);

}  // namespace attn::gui
