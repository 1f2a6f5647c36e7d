// SPDX-License-Identifier: GPL-3.0-or-later
// require_state(): throws where a check of the scheduler's state does not hold.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

namespace attn {

// Throws std::logic_error with `what` and the request's id unless `holds`.
inline void require_state(bool holds, const char* what, uint32_t request) {
  if (!holds) throw std::logic_error(fmt::format("{} (request {})", what, request));
}

}  // namespace attn
