// SPDX-License-Identifier: GPL-3.0-or-later
// setting_differences(): the settings in which two scenarios differ, named as the fields of the
// form. GUI thread.
#pragma once

#include <QString>
#include <vector>

#include "engine/session/scenario/scenario.h"

namespace attn::gui {

struct SettingDifference {
  QString name, meaning;
  QString first, second;  // "–": the setting has no effect in this scenario
};

// Settings of the engine, the scheduler, the arrivals, the attention, the source and this request
// of each scenario. An index without a request: settings of requests are left out. Prompts, titles
// and `view` are no settings.
std::vector<SettingDifference> setting_differences(const Scenario& first, int first_request,
                                                   const Scenario& second, int second_request);

}  // namespace attn::gui
