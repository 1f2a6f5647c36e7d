// SPDX-License-Identifier: GPL-3.0-or-later
// NumberInput: a slider and a field for a predicted number. It starts without an answer. A number
// outside the range stays in the field and is no answer. GUI thread.
#pragma once

#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QWidget>
#include <optional>

namespace attn::gui {

// Takes any typed number; its arrows and keys stay within the range.
class AnswerField : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;
  void set_answers(double least, double most);
  bool holds_answer() const { return is_answer(value()); }
  bool is_empty() const { return value() <= minimum(); }
  void stepBy(int steps) override;

 protected:
  StepEnabled stepEnabled() const override;

 private:
  bool is_answer(double value) const;
  double least_ = 0, most_ = 0;
};

class NumberInput : public QWidget {
  Q_OBJECT
 public:
  explicit NumberInput(QWidget* parent = nullptr);
  // decimals: digits after the point. question: the accessible name of the slider and the field.
  void set_range(double least, double most, double step, int decimals, const QString& unit,
                 const QString& question);
  // nullopt: no number given yet.
  std::optional<double> value() const;
  void set_value(std::optional<double> value);
  void begin();  // selects the text too
  void close();  // disables both
  QDoubleSpinBox* field() const { return field_; }
  QSlider* slider() const { return slider_; }
  // Names the range after another number was typed; empty: not shown.
  QString refusal() const { return refusal_->isHidden() ? QString() : refusal_->text(); }

 signals:
  void changed();

 private:
  void restyle();
  void take_field();
  void show_refusal();
  QSlider* slider_;
  AnswerField* field_;
  QLabel *unit_, *least_, *most_, *refusal_;
  double first_ = 0;  // the smallest answer
  bool given_ = false, filling_ = false;
};

}  // namespace attn::gui
