// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/notes/note_dialog.h"

#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLocale>
#include <QVBoxLayout>

#include "engine/session/notes/step_notes.h"
#include "gui/theme/theme.h"

namespace attn::gui {

NoteDialog::NoteDialog(uint32_t step, const QString& text,
                       std::function<QString(const QString&)> refusal_of, QWidget* parent)
    : QDialog(parent),
      refusal_of_(std::move(refusal_of)),
      edit_(new QPlainTextEdit(text)),
      size_(new QLabel) {
  setWindowTitle(tr("Note on step %1").arg(QLocale().toString(step)));
  edit_->setAccessibleName(windowTitle());
  edit_->setTabChangesFocus(true);
  edit_->setPlaceholderText(tr("What does this step show?"));
  edit_->moveCursor(QTextCursor::End);
  size_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  save_ = buttons->addButton(tr("Keep note"), QDialogButtonBox::AcceptRole);
  save_->setToolTip(tr("Keep the note with the run (Ctrl+Enter)"));
  if (!text.isEmpty()) {
    remove_ = buttons->addButton(tr("Remove note"), QDialogButtonBox::DestructiveRole);
    connect(remove_, &QPushButton::clicked, this, [this] {
      edit_->clear();
      accept();
    });
  }
  auto* column = new QVBoxLayout(this);
  for (QWidget* part : std::initializer_list<QWidget*>{edit_, size_, buttons})
    column->addWidget(part);
  save_->setDefault(true);  // after the button has been put into the dialog
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(edit_, &QPlainTextEdit::textChanged, this, &NoteDialog::look_at_text);
  resize(Theme::instance().px(420), Theme::instance().px(240));
  look_at_text();
}

QString NoteDialog::text() const {
  return edit_->toPlainText().trimmed();
}

void NoteDialog::look_at_text() {
  const QString refusal = refusal_of_(text());
  const QLocale locale;
  size_->setText(refusal.isEmpty() ? tr("%1 of %2 bytes")
                                         .arg(locale.toString(text().toUtf8().size()),
                                              locale.toString(kMostNoteBytes))
                                   : refusal);
  save_->setEnabled(refusal.isEmpty());
}

void NoteDialog::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && event->modifiers().testFlag(Qt::ControlModifier)) {
    if (save_->isEnabled()) accept();
    return;
  }
  QDialog::keyPressEvent(event);
}

}  // namespace attn::gui

#include "moc_note_dialog.cpp"
