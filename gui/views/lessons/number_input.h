// SPDX-License-Identifier: GPL-3.0-or-later
// NumberInput: a slider and a field for a predicted number. It starts without an answer. A number
// outside the range stays in the field, is marked and is no answer; the slider then shows no value.
// GUI thread.
#pragma once

#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QWidget>
#include <optional>

namespace attn::gui {

// Takes typed numbers from outside the range too, and marks them; its arrows and keys stay within
// the range.
class AnswerField : public QDoubleSpinBox {
 public:
  explicit AnswerField(QWidget* parent = nullptr);
  void set_answers(double least, double most);
  double most() const { return most_; }
  bool holds_answer() const { return is_answer(value()); }
  bool is_empty() const { return value() <= minimum(); }
  // Names the range if there is a number outside it; otherwise empty.
  QString refusal(const QString& unit) const;
  void stepBy(int steps) override;

 protected:
  StepEnabled stepEnabled() const override;

 private:
  bool is_answer(double value) const;
  void mark();
  double least_ = 0, most_ = 0;
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
  // nullopt: the field holds no number, or one that is out of range.
  std::optional<double> value() const;
  void set_value(std::optional<double> value);
  void begin();  // selects the text too
  void close();  // disables both
  AnswerField* field() const { return field_; }
  AnswerSlider* slider() const { return slider_; }
  // What is said about a typed number outside the range; empty: nothing.
  QString refusal() const { return refusal_->isHidden() ? QString() : refusal_->text(); }

 signals:
  void changed();

 private:
  void restyle();
  void take_field();
  void show_refusal();
  AnswerSlider* slider_;
  AnswerField* field_;
  QLabel *unit_, *least_, *most_;
  RefusalLabel* refusal_;
  QString range_;
  double first_ = 0;  // the smallest answer
  bool given_ = false, filling_ = false;
};

}  // namespace attn::gui
