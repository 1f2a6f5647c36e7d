// SPDX-License-Identifier: GPL-3.0-or-later
// Logging categories, for contributors. By default only warnings and errors are logged;
// QT_LOGGING_RULES="attn.*=true" switches all messages on. Any thread.
#pragma once

#include <QLoggingCategory>

namespace attn::gui {

Q_DECLARE_LOGGING_CATEGORY(log_run)      // attn.run: start(), show(), cancel() of EngineBridge
Q_DECLARE_LOGGING_CATEGORY(log_session)  // attn.session: session files that are saved and opened
Q_DECLARE_LOGGING_CATEGORY(log_export)   // attn.export: files and reports that are written
Q_DECLARE_LOGGING_CATEGORY(log_window)   // attn.window: settings, layouts, recovery

}  // namespace attn::gui
