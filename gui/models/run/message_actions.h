// SPDX-License-Identifier: GPL-3.0-or-later
// The actions that messages of RunControl belong to, see RunControl::message(): opening and
// starting, the question about the axes, a run, and a request that is added to it. Any thread.
#pragma once

#include <QLatin1String>

namespace attn::gui {

inline constexpr QLatin1String kOpening("open"), kLayout("axes"), kOfRun("run "),
    kAddition("run addition");

}  // namespace attn::gui
