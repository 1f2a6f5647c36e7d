// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the shown request, without its texts. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> request_fields();

}  // namespace attn::gui
