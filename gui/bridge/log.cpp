// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/bridge/log.h"

namespace attn::gui {

Q_LOGGING_CATEGORY(log_run, "attn.run", QtWarningMsg)
Q_LOGGING_CATEGORY(log_session, "attn.session", QtWarningMsg)
Q_LOGGING_CATEGORY(log_export, "attn.export", QtWarningMsg)
Q_LOGGING_CATEGORY(log_window, "attn.window", QtWarningMsg)

}  // namespace attn::gui
