// SPDX-License-Identifier: GPL-3.0-or-later
// KeyList: the keys of the window and of its parts, in one panel over the window. GUI thread.
#pragma once

#include <QPointer>
#include <QScrollArea>
#include <QWidget>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

struct KeySection {
  QString title;
  std::vector<KeyHelp> keys;
};

class KeyList : public QWidget {
  Q_OBJECT
 public:
  KeyList(std::vector<KeySection> sections, QWidget* window);
  const std::vector<KeySection>& sections() const { return sections_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* build_section(const KeySection& section) const;
  void build();
  bool scrolls(int key);

  std::vector<KeySection> sections_;
  QScrollArea* scroll_;
  QPointer<QWidget> before_;  // the widget that had the focus before
};

}  // namespace attn::gui
