// SPDX-License-Identifier: GPL-3.0-or-later
// NumberInput: a slider and a field for a predicted number (AnswerSlider, AnswerField), and a label
// that says why a number does not count (RefusalLabel). It starts without an answer. A number
// outside the range stays in the field, is marked and is no answer; the slider then shows no value.
// GUI thread.
#pragma once

#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QWidget>
#include <optional>

namespace attn::gui {

// Takes typed numbers of up to one digit more than the range has, and marks those outside it; its
// arrows and keys stay within the range. An emptied field, or a sign without digits, is not
// answered. A comma is a decimal comma, except where the window writes
// numbers as 1,234 and the number is written so. What cannot be read, such as 1.5 for a whole
// number, is marked, too.
class AnswerField : public QDoubleSpinBox {
 public:
  explicit AnswerField(QWidget* parent = nullptr);
  void set_answers(double least, double most);
  double most() const { return most_; }
  bool holds_answer() const { return is_answer(value()); }
  bool is_empty() const { return value() <= minimum(); }
  bool is_unreadable() const { return value() >= maximum(); }
  // Names the range if the number is outside it or cannot be read; empty: it is an answer, or
  // nothing was answered.
  QString refusal(const QString& unit) const;
  void stepBy(int steps) override;
  QValidator::State validate(QString& text, int& cursor) const override;
  double valueFromText(const QString& text) const override;
  QString textFromValue(double value) const override;

 protected:
  StepEnabled stepEnabled() const override;

 private:
  bool is_answer(double value) const;
  void mark();
  double least_ = 0, most_ = 0;
  // The text that could not be read. The largest number of the field stands for it.
  mutable QString unreadable_;
};

// Tells why a number does not count; hidden if there is nothing to tell.
class RefusalLabel : public QLabel {
 public:
  explicit RefusalLabel(QWidget* parent = nullptr);
  void tell(const QString& refusal);
};

// A slider. Without a value it has a hollow knob and no filled part.
class AnswerSlider : public QSlider {
 public:
  using QSlider::QSlider;
  void show_value(bool shown);
  bool shows_value() const { return shown_; }

 protected:
  void initStyleOption(QStyleOptionSlider* option) const override;

 private:
  bool shown_ = false;
};

class NumberInput : public QWidget {
  Q_OBJECT
 public:
  explicit NumberInput(QWidget* parent = nullptr);
  // decimals: digits after the point. question: the accessible name of the slider and the field.
  void set_range(double least, double most, double step, int decimals, const QString& unit,
                 const QString& question);
  // Says below the slider which answers count as right. Empty: nothing is said.
  void set_tolerance(const QString& words);
  // nullopt: the field holds no number, or one that is out of range.
  std::optional<double> value() const;
  void set_value(std::optional<double> value);
  void begin();  // selects the text too
  void close();  // disables both
  AnswerField* field() const { return field_; }
  AnswerSlider* slider() const { return slider_; }
  QString tolerance() const { return near_->text(); }
  // What is said about a typed number that does not count; empty: nothing.
  QString refusal() const { return refusal_->isHidden() ? QString() : refusal_->text(); }

 signals:
  void changed();

 private:
  void restyle();
  void take_field();
  void show_refusal();
  AnswerSlider* slider_;
  AnswerField* field_;
  QLabel *unit_, *least_, *most_, *near_;
  RefusalLabel* refusal_;
  QString range_;
  double first_ = 0;  // the smallest answer
  bool given_ = false, filling_ = false;
};

}  // namespace attn::gui
