// SPDX-License-Identifier: GPL-3.0-or-later
// Description: what a scenario's file says about it: the first sentence, and a button for the rest.
// Hidden if there is no text. GUI thread.
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace attn::gui {

class Description : public QWidget {
  Q_OBJECT
 public:
  explicit Description(QWidget* parent = nullptr);
  void show_text(const QString& text);  // folds a new text
  QString shown() const { return label_->text(); }
  QToolButton* more_button() const { return more_; }  // hidden: there is no more

 private:
  void refresh();
  void restyle();
  QString text_;
  QLabel* label_;
  QToolButton* more_;
};

}  // namespace attn::gui
