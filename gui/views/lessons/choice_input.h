// SPDX-License-Identifier: GPL-3.0-or-later
// ChoiceInput: the answers to a question, of which one is chosen. The keys 1 to 9 and the letters
// choose. GUI thread.
#pragma once

#include <QAbstractButton>
#include <QButtonGroup>
#include <QStringList>
#include <QWidget>
#include <vector>

namespace attn::gui {

class ChoiceButton : public QAbstractButton {
  Q_OBJECT
 public:
  explicit ChoiceButton(const QString& letter, const QString& words, QWidget* parent = nullptr);
  // The mark beside an answer.
  enum class Verdict : quint8 { kNone, kRight, kWrong };
  void set_verdict(Verdict verdict);
  Verdict verdict() const { return verdict_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect words_rect(int width) const;
  QString letter_, words_;
  Verdict verdict_ = Verdict::kNone;
};

class ChoiceInput : public QWidget {
  Q_OBJECT
 public:
  explicit ChoiceInput(QWidget* parent = nullptr);
  void set_choices(const QString& question, const QStringList& choices);
  int count() const { return static_cast<int>(buttons_.size()); }
  int chosen() const { return group_->checkedId(); }  // -1: none
  void choose(int index);                             // -1: none
  // Disables the answers and marks the right one and a chosen wrong one. -1: no marks.
  void close(int right);
  bool is_open() const { return open_; }
  // A key from 1 to 9 chooses an answer. False: nothing was chosen.
  bool take_key(const QKeyEvent& event);
  ChoiceButton* button(int index) const { return buttons_[static_cast<size_t>(index)]; }
  // "A", "B", ...
  static QString letter(int index);

 signals:
  void changed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool take(int index, const QKeyEvent& event);

  QButtonGroup* group_;
  std::vector<ChoiceButton*> buttons_;
  bool open_ = true;
};

}  // namespace attn::gui
