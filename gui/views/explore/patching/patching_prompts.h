// SPDX-License-Identifier: GPL-3.0-or-later
// PatchingPrompts: the fields of Patching for two prompts and a pair of tokens. GUI thread.
#pragma once

#include <QLineEdit>

#include "gui/views/explore/patching/patching_data.h"

namespace attn::gui {

inline constexpr int kMostPromptLength = 2000;  // characters

class PatchingPrompts : public QWidget {
  Q_OBJECT
 public:
  explicit PatchingPrompts(QWidget* parent = nullptr);

  PatchingWish wish() const;
  void set_wish(const PatchingWish& wish);
  QLineEdit* clean_field() const { return clean_; }
  QLineEdit* corrupted_field() const { return corrupted_; }
  QLineEdit* right_field() const { return right_; }
  QLineEdit* wrong_field() const { return wrong_; }

 signals:
  void edited();  // a field has been left, or Enter was pressed in it
  void typed();   // a person has changed the text of a field

 private:
  QLineEdit* add(const QString& label, const QString& name, const QString& tip);

  QLineEdit *clean_, *corrupted_, *right_, *wrong_;
};

}  // namespace attn::gui
