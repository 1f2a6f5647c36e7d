// SPDX-License-Identifier: GPL-3.0-or-later
// Any thread.
#pragma once

#include <QString>

namespace attn::gui {

inline bool is_lesson_file(const QString& file) {
  return file.endsWith(QLatin1String(".md"), Qt::CaseInsensitive);
}

}  // namespace attn::gui
