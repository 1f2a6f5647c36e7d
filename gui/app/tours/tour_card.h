// SPDX-License-Identifier: GPL-3.0-or-later
// TourCard: a card over the window with the text of one stop of a tour and the buttons Back and
// Next. Arrow keys and page keys go to the next stop or back, Esc ends the tour. GUI thread.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace attn::gui {

class TourCard : public QFrame {
  Q_OBJECT
 public:
  explicit TourCard(QWidget* window);

  struct Words {
    QString view, title, text;
    int number = 1, count = 1;  // number of the stop, from 1; how many stops there are
    bool operator==(const Words&) const = default;
  };
  // ringed: the place with the ring, in px of the window.
  void show_words(const Words& words, const QRect& ringed);
  const Words& words() const { return words_; }
  QPushButton* next_button() const { return next_; }
  QPushButton* back_button() const { return back_; }
  QToolButton* close_button() const { return close_; }

 signals:
  void next_asked();
  void back_asked();
  void end_asked();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool take_key(int key);
  void restyle();
  void place(const QRect& ringed);

  Words words_;
  QLabel *count_, *title_, *text_;
  QPushButton *back_, *next_;
  QToolButton* close_;
};

}  // namespace attn::gui
