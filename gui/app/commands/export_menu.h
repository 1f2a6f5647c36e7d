// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the menu Export. The menus of the views stand in groups, so that the menu has one column in
// a window of 720 px. GUI thread.
#pragma once

#include <QMenu>
#include <functional>
#include <vector>

#include "gui/app/window/window_exports.h"

namespace attn::gui {

// views: in the order of view_registry(). ask_report: for "Whole report…".
void fill_export_menu(QMenu& menu, WindowExports& exports, const std::vector<View*>& views,
                      Selection& selection, QAction& save_session,
                      const std::function<void()>& ask_report);

// Whether this action is a group of views. Commands are called without its name.
bool is_export_group(const QAction& action);

}  // namespace attn::gui
