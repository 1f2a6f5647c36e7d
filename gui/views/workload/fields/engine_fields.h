// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the engine's limits, its threads and its cache. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> engine_fields();

}  // namespace attn::gui
