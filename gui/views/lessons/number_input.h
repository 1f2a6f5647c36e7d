// SPDX-License-Identifier: GPL-3.0-or-later
// NumberInput: a slider and a field for a predicted number. It starts without an answer. GUI
// thread.
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
