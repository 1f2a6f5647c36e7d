// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the scheduler and of the arrivals of requests. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> scheduling_fields();

}  // namespace attn::gui
