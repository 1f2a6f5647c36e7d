// SPDX-License-Identifier: GPL-3.0-or-later
// Values of `action` in RunControl::message() and settled(), or beginnings of such values. Any
// thread.
#pragma once

#include <QLatin1String>

namespace attn::gui {

inline constexpr QLatin1String kOpening("open"), kLayout("axes"), kOfRun("run "),
    kAddition("run addition"), kMistake("open mistake");

}  // namespace attn::gui
