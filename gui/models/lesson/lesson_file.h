// SPDX-License-Identifier: GPL-3.0-or-later
// is_lesson_file(): whether a file's name ends as that of a lesson does, in ".md". Any thread.
#pragma once

#include <QString>

namespace attn::gui {

inline bool is_lesson_file(const QString& file) {
  return file.endsWith(QLatin1String(".md"), Qt::CaseInsensitive);
}

}  // namespace attn::gui
