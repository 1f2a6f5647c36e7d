// SPDX-License-Identifier: GPL-3.0-or-later
// Makes GoogleTest print a DType by its name.
#pragma once

#include <ostream>

#include "engine/core/dtype.h"

namespace attn {

inline void PrintTo(DType dtype, std::ostream* out) {
  *out << name_of(dtype);
}

}  // namespace attn
