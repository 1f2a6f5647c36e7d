// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the attention layers. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> attention_fields();

// Also changes requests and source to fit the type.
void set_attention_type(Scenario& scenario, AttentionType type);

}  // namespace attn::gui
