// SPDX-License-Identifier: GPL-3.0-or-later
// LessonText: a text of a lesson, written in Markdown (engine/lesson/format/markdown.h), wrapped
// and as high as it needs to be. GUI thread.
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
  // Shows words that are not Markdown; empty: the text is hidden.
  void set_plain(const QString& text, bool bold = false);
  // The height of one line. By itself a label that wraps asks for the height that it would need if
  // it were narrow.
  QSize minimumSizeHint() const override;
  // The text as a reader sees it.
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
