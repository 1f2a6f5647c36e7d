// SPDX-License-Identifier: GPL-3.0-or-later
// Translated text for functions that are not members of a QObject, and QString from UTF-8. Any
// thread.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string_view>

namespace attn::gui {

// The text in the language of the program. The translation context is "View".
inline QString tr(const char* text) {
  return QCoreApplication::translate("View", text);
}

inline QString text_of(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace attn::gui
