// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/workload/field.h"

#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLocale>
#include <cmath>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kSpacing = 8;  // px between the parts
// px at 100% text: the width of a name, and that of a box beyond its words.
constexpr int kNameWidth = 106, kArrowWidth = 44;
constexpr double kMostWhole = 9223372036854775808.0;  // 2^63, beyond int64_t

}  // namespace

Field::Field(const QString& name, const QString& unit, const QString& meaning, std::string path,
             QWidget* editor, QWidget* parent)
    : QWidget(parent),
      path_(std::move(path)),
      editor_(editor),
      name_(new QLabel(name)),
      unit_(new QLabel(unit)) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(kSpacing);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(1, 1);
  name_->setBuddy(editor_);
  unit_->setVisible(!unit.isEmpty() || qobject_cast<QLineEdit*>(editor_));
  for (QWidget* part : {static_cast<QWidget*>(this), editor_}) part->setToolTip(meaning);
  editor_->setAccessibleName(unit.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, unit));
  editor_->setAccessibleDescription(meaning);
  connect(&Theme::instance(), &Theme::changed, this, &Field::restyle);
  if (const auto* box = qobject_cast<QComboBox*>(editor_))
    connect(box, &QComboBox::currentTextChanged, this, [this] { arrange(is_narrow()); });
  editor_->installEventFilter(this);
  restyle();
}

// Undo and Redo are those of the window: an edit of the line is one of the scenario. Only text that
// is no valid number is in no scenario, so the line itself takes it back.
bool Field::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && qobject_cast<QLineEdit*>(watched)) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    const auto* number = qobject_cast<NumberEdit*>(watched);
    const bool is_unfinished = number && !number->value();
    if (!is_unfinished && (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo))) {
      event->ignore();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void Field::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != width() && is_narrow() != stacked_) arrange(is_narrow());
}

void Field::restyle() {
  const Theme& theme = Theme::instance();
  unit_->setFixedWidth(theme.px(52));
  arrange(is_narrow());
  const auto small = [&](QLabel* label, const QColor& color) {
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, color);
    palette.setColor(QPalette::Text, color);  // on QPalette::Base labels take this one
    label->setPalette(palette);
    label->setFont(theme.font(TextRole::kSmall));
  };
  name_->setFont(theme.font());
  small(unit_, theme.colors().muted);
  if (problem_) small(problem_, theme.colors().bad);
  if (qobject_cast<QLineEdit*>(editor_)) editor_->setFont(theme.mono());
}

// True with very large text, or if the chosen value has no room beside its name.
bool Field::is_narrow() const {
  const Theme& theme = Theme::instance();
  if (theme.text_percent() > 150) return true;
  const auto* box = qobject_cast<QComboBox*>(editor_);
  if (!box || !testAttribute(Qt::WA_Resized)) return false;  // it has no width yet
  const int room = width() - theme.px(kNameWidth) - kSpacing;
  return room <
         QFontMetrics(theme.font()).horizontalAdvance(box->currentText()) + theme.px(kArrowWidth);
}

// stacked: the name is above its value.
void Field::arrange(bool stacked) {
  stacked_ = stacked;
  auto* grid = static_cast<QGridLayout*>(layout());
  name_->setFixedWidth(stacked ? QWIDGETSIZE_MAX : Theme::instance().px(kNameWidth));
  if (stacked) name_->setMinimumWidth(0);
  grid->addWidget(name_, 0, 0, 1, stacked ? 3 : 1);
  grid->addWidget(editor_, stacked ? 1 : 0, stacked ? 0 : 1, 1, stacked ? 2 : 1);
  grid->addWidget(unit_, stacked ? 1 : 0, 2);
  if (problem_) grid->addWidget(problem_, stacked ? 2 : 1, 0, 1, 3);
}

void Field::set_problem(const QString& sentence) {
  if (!problem_) {
    if (sentence.isEmpty()) return;
    problem_ = new QLabel(this);
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    problem_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    restyle();
  }
  if (problem_->text() == sentence) return;
  problem_->setText(sentence);
  problem_->setVisible(!sentence.isEmpty());
}

NumberEdit::NumberEdit(bool whole, QWidget* parent) : QLineEdit(parent), whole_(whole) {
  setAlignment(Qt::AlignRight);
  connect(this, &QLineEdit::textEdited, this, &NumberEdit::value_edited);
}

void NumberEdit::set_value(double value) {
  if (this->value() == value) return;  // keeps what the user typed
  QLocale plain = QLocale::c();
  plain.setNumberOptions(QLocale::OmitGroupSeparator);
  setText(whole_ ? plain.toString(static_cast<qint64>(value)) : plain.toString(value, 'g', 6));
}

std::optional<double> NumberEdit::value() const {
  bool ok = false;
  const QString typed = text().trimmed();
  const double value = whole_ ? static_cast<double>(typed.toLongLong(&ok)) : typed.toDouble(&ok);
  if (!ok || !std::isfinite(value) || (least_ && value < *least_)) return std::nullopt;
  return value;
}

QString NumberEdit::trouble() const {
  if (value()) return {};
  bool is_number = false;
  const double typed = text().trimmed().toDouble(&is_number);
  if (!is_number || std::isnan(typed)) return tr("`%1` is not a number.").arg(text());
  if (least_ && typed < *least_)
    return tr("`%1` is too small: the smallest value is %2.").arg(text()).arg(*least_);
  if (whole_ && std::abs(typed) < kMostWhole)
    return tr("`%1` is not a whole number written in digits.").arg(text());
  return typed < 0 ? tr("`%1` is too small.").arg(text()) : tr("`%1` is too large.").arg(text());
}

void NumberEdit::step(int direction) {
  const std::optional<double> now = value();
  if (!now) return;
  set_value(*now + direction * (whole_ ? 1.0 : 0.1));
  emit value_edited();
}

void NumberEdit::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) {
    step(event->key() == Qt::Key_Up ? 1 : -1);
    event->accept();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

// The wheel is left to the panel.
void NumberEdit::wheelEvent(QWheelEvent* event) {
  event->ignore();
}

}  // namespace attn::gui

#include "moc_field.cpp"
