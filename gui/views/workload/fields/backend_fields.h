// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of Extended, head padding and decode plans, and of the options of backends. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> backend_fields();

}  // namespace attn::gui
