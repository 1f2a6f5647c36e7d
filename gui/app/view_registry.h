// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all views. A new one is a folder in gui/views, with its entry in the header of the
// view, and its line in view_registry.cpp. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "gui/widgets/view_entry.h"

namespace attn::gui {

// All views, in the order of the window: of its tabs, of the menu Export, of the whole report.
const std::vector<ViewEntry>& view_registry();

// The view of this name. Null: there is none.
const ViewEntry* find_view(std::string_view name);

// The words of --show: the tabs, in the order of the window.
std::vector<std::string> tab_names();
// The words of --views, in the order in which they are listed there.
std::vector<std::string> run_view_names();
// How many of run_view_names(), counted from the first, `run` draws if --views is not given.
size_t count_in_every_run();

}  // namespace attn::gui
