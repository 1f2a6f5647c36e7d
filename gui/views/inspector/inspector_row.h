// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about how a query's row of weights is computed. GUI thread.
#pragma once

#include <span>

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// weights: one for each key of `keys`; empty: adds nothing. cache_dtype: in words, such as "f32
// (auto)".
void add_row(InspectorContent& out, const EngineSnapshot& snapshot, const RequestView& request,
             const SelectionState& row, KeySpan keys, std::span<const float> weights,
             const QString& cache_dtype);

}  // namespace attn::gui
