// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `attn bench`. They are here and not in the program attn-bench, so that `attn` can
// explain the command where attn-bench is not built. Any thread.
#pragma once

#include "engine/command_line/options.h"

namespace attn {

inline constexpr const char* kBenchFilterHelp =
    "only rows that this extended regular expression fits, anywhere in the name, for example\n"
    "prefill/unified, ^decode/.*/T1$ or prefill|decode";

const CommandSpec& bench_spec();

}  // namespace attn
