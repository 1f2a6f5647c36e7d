// SPDX-License-Identifier: GPL-3.0-or-later
// FitNote: says what of the request does not fit the settings, with a button that makes it fit if
// there is a way. Hidden if there is nothing to say. GUI thread.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "gui/models/run/prompt_fit.h"

namespace attn::gui {

class FitNote : public QWidget {
  Q_OBJECT
 public:
  explicit FitNote(QWidget* parent = nullptr);
  void show_fit(const PromptFit& fit);
  QString text() const { return isHidden() ? QString() : text_->text(); }
  QPushButton* button() const { return button_; }

 signals:
  void wanted();  // the button was pressed

 private:
  void restyle();
  QLabel* text_;
  QPushButton* button_;
  bool refused_ = false;
};

}  // namespace attn::gui
