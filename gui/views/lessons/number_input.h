// SPDX-License-Identifier: GPL-3.0-or-later
// NumberInput: a number that is predicted: a slider for the guess, a field for its digits, the
// unit. Nothing is answered until one of the two was touched. GUI thread.
#pragma once

#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QWidget>
#include <optional>

namespace attn::gui {

class NumberInput : public QWidget {
  Q_OBJECT
 public:
  explicit NumberInput(QWidget* parent = nullptr);
  // From least to most in steps; decimals: digits behind the point. question: what a screen reader
  // calls the fields.
  void set_range(double least, double most, double step, int decimals, const QString& unit,
                 const QString& question);
  // Nothing: no number was given yet.
  std::optional<double> value() const;
  void set_value(std::optional<double> value);
  void begin();  // gives the field the keyboard, so that digits replace what it shows
  void close();  // the answer can no longer be changed
  QDoubleSpinBox* field() const { return field_; }
  QSlider* slider() const { return slider_; }

 signals:
  void changed();

 private:
  void restyle();
  void take_field();
  double step() const;
  double least() const;
  QSlider* slider_;
  QDoubleSpinBox* field_;
  QLabel *unit_, *least_, *most_;
  bool given_ = false, filling_ = false;
};

}  // namespace attn::gui
