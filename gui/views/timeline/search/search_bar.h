// SPDX-License-Identifier: GPL-3.0-or-later
// SearchBar: the line for the searched text, the number of matches, and buttons to the next and the
// previous match. GUI thread.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

namespace attn::gui {

class SearchBar : public QWidget {
  Q_OBJECT
 public:
  explicit SearchBar(QWidget* parent = nullptr);

  void open();       // also focuses the line
  void close_bar();  // also empties the line
  // words: such as "12 of 340". wrong: nothing was found.
  void show_state(const QString& words, bool wrong);
  QLineEdit& line() { return *line_; }
  QString state() const { return state_->text(); }

 signals:
  void text_changed(const QString& text);
  void next_asked(int direction);  // 1: next, -1: previous
  void closed();                   // the bar was closed

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void restyle();

  QLineEdit* line_;
  QLabel* state_;
  QToolButton *previous_, *next_, *close_;
  bool wrong_ = false;
};

}  // namespace attn::gui
