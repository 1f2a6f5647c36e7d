// SPDX-License-Identifier: GPL-3.0-or-later
// The list of the views, without the inspector, and lists of their names. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "gui/widgets/view_entry.h"

namespace attn::gui {

// All views; those that are tabs are in the order of the tabs.
const std::vector<ViewEntry>& view_registry();

const ViewEntry* find_view(std::string_view name);

std::vector<std::string> tab_names();
// The names of the views for --views, in the order of the help.
std::vector<std::string> run_view_names();
// How many of run_view_names(), from the first, `run` draws without --views.
size_t count_in_every_run();

}  // namespace attn::gui
