// SPDX-License-Identifier: GPL-3.0-or-later
// Title and description of a scenario as the window shows them: those of the shipped scenarios in
// its language, others as their file has them. Any thread.
#pragma once

#include <QString>

namespace attn {
struct Scenario;
}

namespace attn::gui {

QString title_of(const Scenario& scenario);
QString description_of(const Scenario& scenario);

}  // namespace attn::gui
