// SPDX-License-Identifier: GPL-3.0-or-later
// What every program that shows or draws views does at its start. Main thread.
#pragma once

#include <QString>

class QApplication;

namespace attn::gui {

// Keeps Qt's notes about what the offscreen platform cannot do, and about missing standard paths,
// from being printed. To be called before QApplication is made, where no window appears on a
// screen.
void leave_out_platform_notes();
// The names by which the system and the settings know the program.
void name_program(QApplication& app);

// Makes the fonts known that stand beside the program's data. The tar archive, for computers on
// which nothing can be installed, has such fonts; a Debian package depends on packages of fonts
// instead.
void add_shipped_fonts();

// After QApplication is made: numbers are written as 1,234.5 whatever the user's locale is, so that
// a picture is the same on every machine and agrees with the tables beside it.
void use_one_number_format();

// How many of `wanted` threads the system lets this process have besides those that it has.
int startable_threads(int wanted);
// To be called before QApplication is made. Throws Error(kFailed) if the system does not let the
// program start as many threads as it may need: Qt's painter and its thread pools would wait
// forever for a thread that could not be started.
void require_threads();

// To be called after QApplication is made. If no font is installed, returns a text that says so and
// names packages with fonts. Empty: there are fonts.
QString missing_fonts();

}  // namespace attn::gui
