// SPDX-License-Identifier: GPL-3.0-or-later
// What programs that show or draw views do at their start. Main thread.
#pragma once

#include <QString>

class QApplication;

namespace attn::gui {

// Suppresses Qt's messages about the offscreen platform and standard paths. Call before
// QApplication is made.
void leave_out_platform_notes();
void name_program(QApplication& app);

// Adds the fonts that are installed with the program, if there are any.
void add_shipped_fonts();

// Makes Qt write numbers as 1,234.5, whatever the locale of the system is. Call after QApplication
// is made. In German use_language() leaves out the separator of thousands.
void use_one_number_format();

// How many of `wanted` threads can be started in addition to those that run.
int startable_threads(int wanted);
// Call before QApplication is made. Throws Error(kFailed) if the system does not allow one thread
// for each processor and 20 more.
void require_threads();

// A message for the user if no font is installed; otherwise empty. Call after QApplication is made.
QString missing_fonts();

}  // namespace attn::gui
