// SPDX-License-Identifier: GPL-3.0-or-later
// Title and description of a scenario for the window. Both are translated if the description has a
// translation, which those of shipped scenarios have. Any thread.
#pragma once

#include <QString>

namespace attn {
struct Scenario;
}

namespace attn::gui {

QString title_of(const Scenario& scenario);
QString description_of(const Scenario& scenario);

}  // namespace attn::gui
