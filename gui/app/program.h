// SPDX-License-Identifier: GPL-3.0-or-later
// What every program that shows or draws views does at its start. Main thread.
#pragma once

class QApplication;

namespace attn::gui {

// Before QApplication is made, where there will be no window: what the offscreen platform says of
// windows is not printed.
void leave_out_platform_notes();
// The names by which the system and the settings know the program.
void name_program(QApplication& app);

}  // namespace attn::gui
