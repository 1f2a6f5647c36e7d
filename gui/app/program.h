// SPDX-License-Identifier: GPL-3.0-or-later
// What every program that shows or draws views does at its start. Main thread.
#pragma once

class QApplication;

namespace attn::gui {

// Keeps Qt's notes about what the offscreen platform cannot do from being printed. To be called
// before QApplication is made, where no window appears on a screen.
void leave_out_platform_notes();
// The names by which the system and the settings know the program.
void name_program(QApplication& app);

}  // namespace attn::gui
