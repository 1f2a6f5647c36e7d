// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/program.h"

#include <QApplication>
#include <cstdio>

namespace attn::gui {
namespace {

// Prints all messages of Qt except those about missing standard paths and about what the offscreen
// platform cannot do for windows, which mean nothing without a window.
void print_others(QtMsgType, const QMessageLogContext&, const QString& text) {
  if (text.startsWith(QLatin1String("This plugin does not support")) ||
      text.startsWith(QLatin1String("QStandardPaths:")))
    return;
  std::fprintf(stderr, "%s\n", qPrintable(text));
}

}  // namespace

void leave_out_platform_notes() {
  qInstallMessageHandler(print_others);
}

void name_program(QApplication& app) {
  app.setApplicationName(QStringLiteral("attention-workbench"));
  app.setApplicationDisplayName(QStringLiteral("Attention Workbench"));
  app.setOrganizationName(QStringLiteral("attention-workbench"));
  app.setApplicationVersion(QStringLiteral(ATTN_VERSION));
  app.setDesktopFileName(QStringLiteral("org.attention_workbench.AttentionWorkbench"));
}

}  // namespace attn::gui
