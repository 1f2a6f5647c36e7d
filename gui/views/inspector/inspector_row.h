// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about how a query's row of weights is computed: the formula with its
// numbers, how spread the row is, and what was read for it. GUI thread.
#pragma once

#include <span>

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// keys: the span of the keys that the query sees. weights: [keys.end - keys.begin] of its computed
// row, 0 where a mask or a cut leaves a key of the span out. cache_dtype: how the cache keeps
// numbers, in words.
void add_row(InspectorContent& out, const EngineSnapshot& snapshot, const RequestView& request,
             const SelectionState& row, KeySpan keys, std::span<const float> weights,
             const QString& cache_dtype);

}  // namespace attn::gui
