// SPDX-License-Identifier: GPL-3.0-or-later
// The name of a cache's element type for users.
#pragma once

#include <string_view>

#include "engine/core/dtype.h"

namespace attn {

// "fp8_e4m3", "int8", "bf16".
std::string_view cache_dtype_name(DType dtype);

}  // namespace attn
