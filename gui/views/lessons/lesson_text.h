// SPDX-License-Identifier: GPL-3.0-or-later
// LessonText: a wrapped text, from Markdown (engine/lesson/format/markdown.h) or plain. GUI thread.
#pragma once

#include <QLabel>

#include "gui/theme/theme.h"

namespace attn::gui {

class LessonText : public QLabel {
  Q_OBJECT
 public:
  explicit LessonText(TextRole role = TextRole::kBody, QWidget* parent = nullptr);
  // Empty: the text is hidden.
  void set_markdown(const QString& markdown);
  // Plain text, not Markdown. Empty: hidden.
  void set_plain(const QString& text, bool bold = false);
  // The least height is that of one line.
  QSize minimumSizeHint() const override;
  // The text without markup.
  QString plain() const;

 protected:
  bool event(QEvent* event) override;

 private:
  void show_html(const QString& html);
  void refresh();
  TextRole role_;
  QString html_;
};

}  // namespace attn::gui
