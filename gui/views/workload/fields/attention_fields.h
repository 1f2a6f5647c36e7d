// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of the attention layers, and the change of their type. GUI thread.
#pragma once

#include <vector>

#include "gui/views/workload/fields/field_spec.h"

namespace attn::gui {

std::vector<FieldSpec> attention_fields();

// Sets the type; if it is another one, changes the requests and a source that is no model to fit.
void set_attention_type(Scenario& scenario, AttentionType type);

}  // namespace attn::gui
