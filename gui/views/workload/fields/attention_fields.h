// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the attention layers. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> attention_fields();

// Sets the type, and changes the requests and the source to fit it.
void set_attention_type(Scenario& scenario, AttentionType type);

}  // namespace attn::gui
