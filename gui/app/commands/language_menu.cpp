// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/commands/language_menu.h"

#include "gui/app/language.h"

namespace attn::gui {

LanguageMenu::LanguageMenu(MessageBar& messages, QWidget* parent) : QMenu(tr("Language"), parent) {
  // word: value of --language. words: names by which the command palette finds the language.
  struct Language {
    QString text, word, words;
  };
  const Language languages[] = {
      {tr("As the system"), {}, {}},
      {QStringLiteral("English"), QStringLiteral("en"), tr("English")},
      {QStringLiteral("Deutsch"), QStringLiteral("de"), QStringLiteral("German, ") + tr("German")}};
  for (const auto& [text, word, words] : languages) {
    QAction* action = addAction(text, this, [this, &messages, word = word] {
      store_language(word);
      refresh();
      messages.show_message(MessageKind::kInfo,
                            tr("The language changes when the program is started again."));
    });
    action->setCheckable(true);
    action->setData(word);
    action->setProperty("words", words);
  }
  connect(this, &QMenu::aboutToShow, this, &LanguageMenu::refresh);
  refresh();
}

void LanguageMenu::refresh() {
  const QString stored = stored_language();
  for (QAction* action : actions()) action->setChecked(action->data().toString() == stored);
}

}  // namespace attn::gui

#include "moc_language_menu.cpp"
