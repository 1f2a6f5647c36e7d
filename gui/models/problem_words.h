// SPDX-License-Identifier: GPL-3.0-or-later
// The words of an error, to be shown at the field that the error is about: all its parts except
// ErrorParts::where. Any thread.
#pragma once

#include <QString>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "gui/models/text.h"

namespace attn::gui {

// For example "Num_blocks is out of range. Found: 0. Allowed: 1 to 1048576 blocks."
inline QString words_at_field(const ErrorParts& parts) {
  const auto shown = [](const std::string& part) {
    return QString::fromStdString(escape_unprintable(part));
  };
  QString text = shown(parts.what);
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  if (!parts.found.empty()) text += tr(". Found: %1").arg(shown(parts.found));
  if (!parts.allowed.empty()) text += tr(". Allowed: %1").arg(shown(parts.allowed));
  if (!parts.advice.empty()) text += QStringLiteral(". ") + shown(parts.advice);
  return text.endsWith(QLatin1Char('.')) ? text : text + QLatin1Char('.');
}

}  // namespace attn::gui
