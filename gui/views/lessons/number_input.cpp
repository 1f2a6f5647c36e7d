// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/number_input.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QStyleOptionSlider>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kMostNotches = 1000;  // most steps of the slider

// The largest whole number with one more digit than `number`. A field takes numbers up to it, so
// that a typed number can lie outside the range of answers and be marked.
double beyond(double number) {
  return std::pow(10, std::floor(std::log10(std::max(1.0, std::abs(number)))) + 2) - 1;
}

// Whether this is a number, or could be one that is being typed or mistyped.
bool is_like_number(const QString& text) {
  static const QRegularExpression form(QStringLiteral("^[+-]?[0-9.,]*$"));
  return form.match(text).hasMatch();
}

bool has_digits(const QString& text) {
  return std::ranges::any_of(text, [](QChar letter) { return letter.isDigit(); });
}

// decimals: most digits after the point; 0: not even a point. nullopt: the text is no such number.
std::optional<double> read_number(QString text, int decimals) {
  static const QRegularExpression grouped(
      QStringLiteral("^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]*)?$"));
  const bool groups = !(QLocale().numberOptions() & QLocale::OmitGroupSeparator);
  if (groups && grouped.match(text).hasMatch())
    text.remove(QLatin1Char(','));
  else if (!text.contains(QLatin1Char('.')))
    text.replace(QLatin1Char(','), QLatin1Char('.'));
  const qsizetype point = text.indexOf(QLatin1Char('.'));
  if (point >= 0 && (decimals == 0 || text.size() - point - 1 > decimals)) return std::nullopt;
  bool is_number = false;
  const double number = QLocale::c().toDouble(text, &is_number);
  return is_number ? std::optional(number) : std::nullopt;
}

// A label on the ground of the lesson takes the colour of Text, elsewhere that of WindowText.
void color_text(QWidget& widget, const QColor& color) {
  QPalette palette = widget.palette();
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text})
    for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive})
      palette.setColor(group, role, color);
  if (palette != widget.palette()) widget.setPalette(palette);
}

QString range_words(double least, double most, int decimals, const QString& unit) {
  const QLocale locale;
  return NumberInput::tr("from %1 to %2 %3")
      .arg(locale.toString(least, 'f', decimals), locale.toString(most, 'f', decimals), unit)
      .trimmed();
}

}  // namespace

AnswerField::AnswerField(QWidget* parent) : QDoubleSpinBox(parent) {
  setAccelerated(true);
  setSpecialValueText(QStringLiteral("?"));
  // A field that was emptied shows "?" again when the user leaves it.
  connect(this, &QDoubleSpinBox::editingFinished, this, [this] {
    if (is_empty()) setSpecialValueText(specialValueText());
  });
  connect(this, &QDoubleSpinBox::valueChanged, this, [this] { mark(); });
  connect(&Theme::instance(), &Theme::changed, this, [this] { mark(); });
}

void AnswerField::mark() {
  const ThemeColors& colors = Theme::instance().colors();
  color_text(*this, is_empty() || holds_answer() ? colors.text : colors.bad);
}

QString AnswerField::refusal(const QString& unit) const {
  if (is_empty() || holds_answer()) return {};
  const QString range = range_words(least_, most_, decimals(), unit);
  if (is_unreadable())
    return decimals() == 0
               ? NumberInput::tr("Not a whole number, so it does not count. Give a number %1.")
                     .arg(range)
               : NumberInput::tr(
                     "Cannot be read, so it does not count. Give a number %1, with no more digits "
                     "after the point.")
                     .arg(range);
  return NumberInput::tr("Out of range, so it does not count. Give a number %1.").arg(range);
}

// The smallest number of the field means "not answered", the largest one "unreadable".
void AnswerField::set_answers(double least, double most) {
  least_ = least;
  most_ = most;
  const double far = beyond(std::max(std::abs(least), std::abs(most)));
  setRange(-far, far + 1);
  setValue(-far);
  mark();
}

bool AnswerField::is_answer(double value) const {
  const double half = std::pow(10.0, -decimals()) / 2;
  return value > least_ - half && value < most_ + half;
}

void AnswerField::stepBy(int steps) {
  if (is_empty()) {
    setValue(std::clamp(least_ + (steps - 1) * singleStep(), least_, most_));
  } else {
    QDoubleSpinBox::stepBy(steps);
    setValue(std::clamp(value(), least_, most_));
  }
  selectAll();
}

QAbstractSpinBox::StepEnabled AnswerField::stepEnabled() const {
  StepEnabled enabled = StepNone;
  if (is_empty() || value() < most_) enabled |= StepUpEnabled;
  if (!is_empty() && value() > least_) enabled |= StepDownEnabled;
  return enabled;
}

QValidator::State AnswerField::validate(QString& text, int& cursor) const {
  if (!is_like_number(text)) return QDoubleSpinBox::validate(text, cursor);
  if (!has_digits(text)) return QValidator::Acceptable;  // it means "not answered"
  constexpr int kSeparators = 4;                         // and the sign
  const auto longest = static_cast<qsizetype>(std::log10(maximum())) + decimals() + kSeparators;
  if (text.size() > longest) return QValidator::Invalid;
  const std::optional<double> number = read_number(text, decimals());
  return number && (*number < minimum() || *number >= maximum()) ? QValidator::Invalid
                                                                 : QValidator::Acceptable;
}

double AnswerField::valueFromText(const QString& text) const {
  if (!is_like_number(text)) return QDoubleSpinBox::valueFromText(text);
  if (!has_digits(text)) return minimum();
  if (const std::optional<double> number = read_number(text, decimals())) return *number;
  unreadable_ = text;
  return maximum();
}

QString AnswerField::textFromValue(double value) const {
  return value >= maximum() && !unreadable_.isEmpty() ? unreadable_
                                                      : QDoubleSpinBox::textFromValue(value);
}

RefusalLabel::RefusalLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  hide();
  const auto restyle = [this] {
    setFont(Theme::instance().font());
    color_text(*this, Theme::instance().colors().bad);
  };
  connect(&Theme::instance(), &Theme::changed, this, restyle);
  restyle();
}

void RefusalLabel::tell(const QString& refusal) {
  setText(refusal);
  setVisible(!refusal.isEmpty());
}

void AnswerSlider::show_value(bool shown) {
  if (shown != std::exchange(shown_, shown)) update();
}

void AnswerSlider::initStyleOption(QStyleOptionSlider* option) const {
  QSlider::initStyleOption(option);
  if (!shown_) option->state |= QStyle::State_NoChange;
}

NumberInput::NumberInput(QWidget* parent)
    : QWidget(parent),
      slider_(new AnswerSlider(Qt::Horizontal)),
      field_(new AnswerField),
      unit_(new QLabel),
      least_(new QLabel),
      most_(new QLabel),
      near_(new QLabel),
      refusal_(new RefusalLabel) {
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
  grid->addWidget(near_, 3, 0, 1, 2);
  grid->addWidget(refusal_, 4, 0, 1, 2);
  field_->setKeyboardTracking(true);
  unit_->setTextFormat(Qt::PlainText);
  near_->setTextFormat(Qt::PlainText);
  near_->setWordWrap(true);
  near_->hide();
  setFocusProxy(field_);
  connect(slider_, &QSlider::valueChanged, this, [this](int at) {
    if (filling_) return;
    filling_ = true;
    field_->setValue(std::min(first_ + at * field_->singleStep(), field_->most()));
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
  const int notches = std::max(1, static_cast<int>(std::ceil((most - least) / notch - 1e-9)));
  slider_->setRange(0, notches);
  slider_->setPageStep(std::max(1, notches / 10));
  slider_->setValue(notches / 2);
  const QLocale locale;
  unit_->setText(unit);
  least_->setText(locale.toString(least, 'f', decimals));
  most_->setText(locale.toString(most, 'f', decimals));
  range_ = range_words(least, most, decimals, unit);
  for (QWidget* one : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(field_)}) {
    one->setAccessibleName(question);
    one->setEnabled(true);
  }
  given_ = filling_ = false;
  show_refusal();
  restyle();
}

void NumberInput::set_tolerance(const QString& words) {
  near_->setText(words);
  near_->setVisible(!words.isEmpty());
  show_refusal();
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
  slider_->show_value(given_);
  const QString refusal = field_->refusal(unit_->text());
  refusal_->tell(refusal);
  for (QWidget* one : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(field_)})
    one->setAccessibleDescription(!refusal.isEmpty() ? refusal
                                  : near_->text().isEmpty()
                                      ? range_
                                      : range_ + QStringLiteral("; ") + near_->text());
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
  for (QLabel* label : {least_, most_, near_}) {
    label->setFont(theme.font(TextRole::kSmall));
    color_text(*label, theme.colors().muted);
  }
}

}  // namespace attn::gui

#include "moc_number_input.cpp"
