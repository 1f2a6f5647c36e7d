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

// A number with one digit more than this one. What is typed stops there, and is then still outside
// the range.
double beyond(double number) {
  return std::pow(10, std::floor(std::log10(std::max(1.0, std::abs(number)))) + 2) - 1;
}

}  // namespace

// The smallest number of the field means "not answered" and shows as a question mark.
void AnswerField::set_answers(double least, double most) {
  least_ = least;
  most_ = most;
  const double far = beyond(std::max(std::abs(least), std::abs(most)));
  setRange(-far, far);
  setValue(-far);
}

bool AnswerField::is_answer(double value) const {
  const double half = std::pow(10.0, -decimals()) / 2;
  return value > least_ - half && value < most_ + half;
}

void AnswerField::stepBy(int steps) {
  const double from = is_empty() ? least_ - singleStep() : value();
  setValue(std::clamp(from + steps * singleStep(), least_, most_));
  selectAll();
}

QAbstractSpinBox::StepEnabled AnswerField::stepEnabled() const {
  StepEnabled enabled = StepNone;
  if (is_empty() || value() < most_) enabled |= StepUpEnabled;
  if (!is_empty() && value() > least_) enabled |= StepDownEnabled;
  return enabled;
}

NumberInput::NumberInput(QWidget* parent)
    : QWidget(parent),
      slider_(new QSlider(Qt::Horizontal)),
      field_(new AnswerField),
      unit_(new QLabel),
      least_(new QLabel),
      most_(new QLabel),
      refusal_(new QLabel) {
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
  grid->addWidget(refusal_, 3, 0, 1, 2);
  field_->setSpecialValueText(QStringLiteral("?"));
  field_->setAccelerated(true);
  field_->setKeyboardTracking(true);
  for (QLabel* label : {unit_, refusal_}) label->setTextFormat(Qt::PlainText);
  refusal_->setWordWrap(true);
  refusal_->hide();
  setFocusProxy(field_);
  connect(slider_, &QSlider::valueChanged, this, [this](int at) {
    if (filling_) return;
    filling_ = true;
    field_->setValue(first_ + at * field_->singleStep());
    filling_ = false;
    given_ = true;
    show_refusal();
    emit changed();
  });
  connect(field_, &QDoubleSpinBox::valueChanged, this, [this] {
    if (!filling_) take_field();
  });
  connect(&Theme::instance(), &Theme::changed, this, &NumberInput::restyle);
  restyle();
}

void NumberInput::set_range(double least, double most, double step, int decimals,
                            const QString& unit, const QString& question) {
  filling_ = true;
  const double notch = step * std::max(1.0, std::ceil((most - least) / step / kMostNotches - 1e-9));
  field_->setDecimals(decimals);
  field_->setSingleStep(notch);
  field_->set_answers(least, most);
  first_ = least;
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
  refusal_->setText(tr("Give a number %1.").arg(range));
  given_ = filling_ = false;
  show_refusal();
  restyle();
}

void NumberInput::take_field() {
  given_ = field_->holds_answer();
  if (given_) {
    filling_ = true;
    slider_->setValue(
        static_cast<int>(std::lround((field_->value() - first_) / field_->singleStep())));
    filling_ = false;
  }
  show_refusal();
  emit changed();
}

void NumberInput::show_refusal() {
  refusal_->setVisible(!given_ && !field_->is_empty());
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
  refusal_->setFont(theme.font());
  QPalette refused = refusal_->palette();
  refused.setColor(QPalette::WindowText, theme.colors().bad);
  refusal_->setPalette(refused);
  for (QLabel* label : {least_, most_}) {
    label->setFont(theme.font(TextRole::kSmall));
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, theme.colors().muted);
    label->setPalette(palette);
  }
}

}  // namespace attn::gui

#include "moc_number_input.cpp"
