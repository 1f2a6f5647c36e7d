// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the arrivals of requests, the scheduler, prefix caching and the swap pool. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> scheduling_fields();

}  // namespace attn::gui
