// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/lesson_text.h"

#include <QTextDocument>

#include "engine/lesson/format/markdown.h"

namespace attn::gui {
namespace {

// Reads the HTML with small margins and the theme's mono font for code.
void read(QTextDocument& document, const QString& html) {
  document.setDefaultStyleSheet(
      QStringLiteral("p, ul, ol, table, pre, blockquote { margin-top: 0px; margin-bottom: 6px; } "
                     "li { margin-top: 0px; margin-bottom: 2px; } "
                     "code, pre { font-family: \"%1\"; }")
          .arg(Theme::instance().mono().family()));
  document.setHtml(html);
}

QString with_fonts(const QString& html, TextRole role) {
  const Theme& theme = Theme::instance();
  QTextDocument document;
  document.setDefaultFont(theme.font(role));
  read(document, html);
  return document.toHtml();
}

}  // namespace

LessonText::LessonText(TextRole role, QWidget* parent) : QLabel(parent), role_(role) {
  setWordWrap(true);
  setTextFormat(Qt::RichText);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(&Theme::instance(), &Theme::changed, this, &LessonText::refresh);
}

void LessonText::set_markdown(const QString& markdown) {
  show_html(QString::fromStdString(lesson::markdown_to_html(markdown.toStdString())));
}

QSize LessonText::minimumSizeHint() const {
  return {0, fontMetrics().height()};
}

void LessonText::set_plain(const QString& text, bool bold) {
  if (text.isEmpty()) return show_html({});
  QString lines = text.toHtmlEscaped();
  lines.replace(QLatin1Char('\n'), QStringLiteral("<br>"));
  show_html((bold ? QStringLiteral("<p><b>%1</b></p>") : QStringLiteral("<p>%1</p>")).arg(lines));
}

void LessonText::show_html(const QString& html) {
  if (html == html_) return;
  html_ = html;
  refresh();
}

QString LessonText::plain() const {
  QTextDocument document;
  read(document, html_);
  return document.toPlainText().trimmed();
}

// A shown widget without a parent would be a window.
bool LessonText::event(QEvent* event) {
  if (event->type() == QEvent::ParentChange && parentWidget()) setVisible(!html_.isEmpty());
  return QLabel::event(event);
}

void LessonText::refresh() {
  if (parentWidget()) setVisible(!html_.isEmpty());
  setFont(Theme::instance().font(role_));
  setText(html_.isEmpty() ? QString() : with_fonts(html_, role_));
  setAccessibleName(plain());
}

}  // namespace attn::gui

#include "moc_lesson_text.cpp"
