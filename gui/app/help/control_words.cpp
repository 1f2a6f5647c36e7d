// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/help/control_words.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTabBar>
#include <QTextDocumentFragment>
#include <QToolButton>

#include "gui/app/commands/actions.h"

namespace attn::gui {
namespace {

QString text_of_tip(const QString& text) {
  return Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text;
}

QString first_of(std::initializer_list<QString> texts) {
  for (const QString& text : texts)
    if (!text.trimmed().isEmpty()) return text_of_tip(text).trimmed();
  return {};
}

bool is_control(const QWidget& widget) {
  return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
         qobject_cast<const QAbstractSpinBox*>(&widget) ||
         qobject_cast<const QAbstractSlider*>(&widget) || qobject_cast<const QLineEdit*>(&widget) ||
         qobject_cast<const QPlainTextEdit*>(&widget) || qobject_cast<const QLabel*>(&widget);
}

}  // namespace

std::optional<ControlWords> words_of_control(const QWidget& widget, const QPoint& at) {
  ControlWords words;
  if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
    const int tab = tabs->tabAt(at);
    if (tab < 0) return std::nullopt;
    words.name = without_mnemonic(tabs->tabText(tab));
    words.meaning = first_of({tabs->tabToolTip(tab), tabs->tabWhatsThis(tab)});
  } else if (is_control(widget)) {
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    const auto* tool = qobject_cast<const QToolButton*>(&widget);
    const auto* label = qobject_cast<const QLabel*>(&widget);
    const QAction* action = tool ? tool->defaultAction() : nullptr;
    if (label && label->buddy()) return words_of_control(*label->buddy(), at);
    words.name = first_of({action ? action->text() : QString(), widget.accessibleName(),
                           button ? without_mnemonic(button->text()) : QString(),
                           label ? label->text() : QString()});
    words.meaning = first_of({action ? action->whatsThis() : QString(), widget.whatsThis(),
                              widget.toolTip(), widget.accessibleDescription()});
    if (action) {
      words.keys = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
      words.refusal = refusal_of(*action);
    } else if (button) {
      words.keys = button->shortcut().toString(QKeySequence::NativeText);
    }
  }
  if (words.meaning.isEmpty()) return std::nullopt;
  if (words.name.isEmpty()) words.name = words.meaning.section(QLatin1Char('\n'), 0, 0).left(60);
  return words;
}

}  // namespace attn::gui
