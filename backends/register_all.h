// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn {

// Puts every backend into the registry. Call at the start of main(); further calls change nothing.
void register_all_backends();

}  // namespace attn
