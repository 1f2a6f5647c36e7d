// SPDX-License-Identifier: GPL-3.0-or-later
// Text of the window, outside of a QObject. Any thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string_view>

namespace attn::gui {

// The words of views and painters in the user's language; translators find them under "View".
inline QString tr(const char* text) {
  return QCoreApplication::translate("View", text);
}

inline QString text_of(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace attn::gui
