// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/number_input.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kMostNotches = 1000;  // of the slider

}  // namespace

NumberInput::NumberInput(QWidget* parent)
    : QWidget(parent),
      slider_(new QSlider(Qt::Horizontal)),
      field_(new QDoubleSpinBox),
      unit_(new QLabel),
      least_(new QLabel),
      most_(new QLabel) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(2);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(field_);
  row->addWidget(unit_, 1);
  grid->addLayout(row, 0, 0, 1, 2);
  grid->addWidget(slider_, 1, 0, 1, 2);
  grid->addWidget(least_, 2, 0, Qt::AlignLeft);
  grid->addWidget(most_, 2, 1, Qt::AlignRight);
  field_->setSpecialValueText(QStringLiteral("?"));
  field_->setAccelerated(true);
  field_->setKeyboardTracking(true);
  unit_->setTextFormat(Qt::PlainText);
  setFocusProxy(field_);
  connect(slider_, &QSlider::valueChanged, this, [this](int at) {
    if (filling_) return;
    filling_ = true;
    field_->setValue(field_->minimum() + (at + 1) * step());
    filling_ = false;
    given_ = true;
    emit changed();
  });
  connect(field_, &QDoubleSpinBox::valueChanged, this, [this] {
    if (!filling_) take_field();
  });
  connect(field_, &QDoubleSpinBox::editingFinished, this, [this] {
    if (!given_ && field_->value() > field_->minimum()) field_->setValue(least());
  });
  connect(&Theme::instance(), &Theme::changed, this, &NumberInput::restyle);
  restyle();
}

double NumberInput::step() const {
  return field_->singleStep();
}

double NumberInput::least() const {
  return field_->minimum() + step();
}

// The field begins one notch below the range. That value means "not answered" and shows as a
// question mark.
void NumberInput::set_range(double least, double most, double step, int decimals,
                            const QString& unit, const QString& question) {
  filling_ = true;
  const double notch = step * std::max(1.0, std::ceil((most - least) / step / kMostNotches - 1e-9));
  field_->setDecimals(decimals);
  field_->setSingleStep(notch);
  field_->setRange(least - notch, most);
  field_->setValue(field_->minimum());
  const int notches = std::max(1, static_cast<int>(std::lround((most - least) / notch)));
  slider_->setRange(0, notches);
  slider_->setPageStep(std::max(1, notches / 10));
  slider_->setValue(notches / 2);
  const QLocale locale;
  unit_->setText(unit);
  least_->setText(locale.toString(least, 'f', decimals));
  most_->setText(locale.toString(most, 'f', decimals));
  const QString range = tr("from %1 to %2 %3").arg(least_->text(), most_->text(), unit).trimmed();
  for (QWidget* one : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(field_)}) {
    one->setAccessibleName(question);
    one->setAccessibleDescription(range);
    one->setEnabled(true);
  }
  given_ = filling_ = false;
  restyle();
}

void NumberInput::take_field() {
  given_ = field_->value() > least() - std::pow(10.0, -field_->decimals()) / 2;
  if (given_) {
    filling_ = true;
    slider_->setValue(
        static_cast<int>(std::lround((field_->value() - field_->minimum()) / step())) - 1);
    filling_ = false;
  }
  emit changed();
}

std::optional<double> NumberInput::value() const {
  return given_ ? std::optional(field_->value()) : std::nullopt;
}

void NumberInput::set_value(std::optional<double> value) {
  filling_ = true;
  field_->setValue(value.value_or(field_->minimum()));
  filling_ = false;
  take_field();
}

void NumberInput::begin() {
  field_->setFocus();
  field_->selectAll();
}

void NumberInput::close() {
  slider_->setEnabled(false);
  field_->setEnabled(false);
}

void NumberInput::restyle() {
  const Theme& theme = Theme::instance();
  field_->setFont(theme.mono(TextRole::kTitle));
  field_->setMinimumWidth(theme.px(120));
  unit_->setFont(theme.font());
  for (QLabel* label : {least_, most_}) {
    label->setFont(theme.font(TextRole::kSmall));
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, theme.colors().muted);
    label->setPalette(palette);
  }
}

}  // namespace attn::gui

#include "moc_number_input.cpp"
