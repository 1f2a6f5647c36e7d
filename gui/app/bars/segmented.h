// SPDX-License-Identifier: GPL-3.0-or-later
// Segmented: choices side by side in one frame; at most one is chosen. GUI thread.
#pragma once

#include <QButtonGroup>
#include <QWidget>

namespace attn::gui {

class Segmented : public QWidget {
  Q_OBJECT
 public:
  explicit Segmented(QWidget* parent = nullptr);
  void add_choice(int id, const QString& text, const QString& meaning);
  void choose(int id);
  int chosen() const { return group_->checkedId(); }

 signals:
  void chosen_by_user(int id);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QButtonGroup* group_;
};

}  // namespace attn::gui
