// SPDX-License-Identifier: GPL-3.0-or-later
// NoteDialog: asks for the note of one step, to be written, changed or removed. GUI thread.
#pragma once

#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <functional>

namespace attn::gui {

class NoteDialog : public QDialog {
  Q_OBJECT
 public:
  // refusal_of: returns why the note cannot have a text; empty: it can.
  NoteDialog(uint32_t step, const QString& text, std::function<QString(const QString&)> refusal_of,
             QWidget* parent);
  QString text() const;

  QPlainTextEdit* editor() const { return edit_; }
  QPushButton* save_button() const { return save_; }
  QPushButton* remove_button() const { return remove_; }  // null: the step had no note

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void look_at_text();

  std::function<QString(const QString&)> refusal_of_;
  QPlainTextEdit* edit_;
  QLabel* size_;
  QPushButton *save_ = nullptr, *remove_ = nullptr;
};

}  // namespace attn::gui
