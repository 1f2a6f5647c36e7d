// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn {

// Puts every backend into the registry, once. Call at the start of main().
void register_all_backends();

}  // namespace attn
