// SPDX-License-Identifier: GPL-3.0-or-later
// cache_dtype_name(): the name by which users know the element type of a cache.
#pragma once

#include <string_view>

#include "engine/core/dtype.h"

namespace attn {

// "fp8_e4m3", "int8", "bf16".
std::string_view cache_dtype_name(DType dtype);

}  // namespace attn
