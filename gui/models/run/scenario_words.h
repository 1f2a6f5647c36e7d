// SPDX-License-Identifier: GPL-3.0-or-later
// Title and description of a scenario for the window: translated if the description has a
// translation, as those of shipped scenarios. Any thread.
#pragma once

#include <QString>

namespace attn {
struct Scenario;
}

namespace attn::gui {

QString title_of(const Scenario& scenario);
QString description_of(const Scenario& scenario);

}  // namespace attn::gui
