// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the engine's limits and of its cache. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> engine_fields();

}  // namespace attn::gui
