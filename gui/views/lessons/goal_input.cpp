// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/lessons/goal_input.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <limits>

#include "gui/theme/select_on_focus.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr int kDecimals = 4;

bool is_number(const lesson::Control& control) {
  return control.kind == lesson::ControlKind::kInteger ||
         control.kind == lesson::ControlKind::kNumber;
}

}  // namespace

GoalInput::GoalInput(const std::vector<lesson::Control>& controls, const Scenario& scenario,
                     QWidget* parent)
    : QWidget(parent) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(6);
  grid->setColumnStretch(0, 1);
  for (const lesson::Control& control : controls) {
    Row row = row_of(control);
    const QString name = QString::fromStdString(control.label);
    auto* label = new QLabel(name);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setBuddy(row.editor);
    auto* unit = new QLabel(QString::fromStdString(control.unit));
    unit->setTextFormat(Qt::PlainText);
    row.editor->setAccessibleName(
        control.unit.empty() ? name : QStringLiteral("%1, %2").arg(name, unit->text()));
    const int at = grid->rowCount();
    if (control.kind == lesson::ControlKind::kText) {
      grid->addWidget(label, at, 0, 1, 3);
      grid->addWidget(row.editor, at + 1, 0, 1, 3);
    } else {
      grid->addWidget(label, at, 0);
      grid->addWidget(row.editor, at, 1);
      grid->addWidget(unit, at, 2);
    }
    if (is_number(control)) grid->addWidget(row.refusal = new RefusalLabel, at + 1, 0, 1, 3);
    labels_.push_back(label);
    labels_.push_back(unit);
    row.write(QString::fromStdString(lesson::value_of(control, scenario)));
    SelectOnFocus::teach(*row.editor);
    rows_.push_back(std::move(row));
  }
  if (!rows_.empty()) setFocusProxy(rows_.front().editor);
  connect(this, &GoalInput::changed, this, &GoalInput::tell_refusals);
  connect(&Theme::instance(), &Theme::changed, this, &GoalInput::restyle);
  restyle();
}

void GoalInput::tell_refusals() {
  for (const Row& row : rows_)
    if (row.refusal)
      row.refusal->tell(static_cast<const AnswerField*>(row.editor)
                            ->refusal(QString::fromStdString(row.control.unit)));
}

bool GoalInput::is_valid() const {
  return std::ranges::all_of(rows_, [](const Row& row) {
    return !row.refusal || static_cast<const AnswerField*>(row.editor)->holds_answer();
  });
}

GoalInput::Row GoalInput::row_of(const lesson::Control& control) {
  switch (control.kind) {
    case lesson::ControlKind::kInteger:
    case lesson::ControlKind::kNumber: {
      auto* box = new AnswerField;
      const bool whole = control.kind == lesson::ControlKind::kInteger;
      box->setDecimals(whole ? 0 : kDecimals);
      box->set_answers(control.min, control.max);
      if (!whole) box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
      connect(box, &AnswerField::valueChanged, this, &GoalInput::changed);
      return {control, box,
              [box] {
                return QString::number(box->value(), 'g', std::numeric_limits<double>::digits10);
              },
              [box](const QString& text) { box->setValue(text.toDouble()); }};
    }
    case lesson::ControlKind::kChoice: {
      auto* box = new QComboBox;
      for (const std::string& choice : control.choices)
        box->addItem(QString::fromStdString(choice));
      connect(box, &QComboBox::currentIndexChanged, this, &GoalInput::changed);
      return {control, box, [box] { return box->currentText(); },
              [box](const QString& text) { box->setCurrentIndex(box->findText(text)); }};
    }
    case lesson::ControlKind::kSwitch: {
      auto* box = new QCheckBox;
      connect(box, &QCheckBox::toggled, this, &GoalInput::changed);
      return {control, box,
              [box] { return box->isChecked() ? QStringLiteral("true") : QStringLiteral("false"); },
              [box](const QString& text) { box->setChecked(text == QLatin1String("true")); }};
    }
    case lesson::ControlKind::kText:
      break;
  }
  auto* line = new QLineEdit;
  connect(line, &QLineEdit::textChanged, this, &GoalInput::changed);
  return {control, line, [line] { return line->text(); },
          [line](const QString& text) {
            line->setText(text);
            line->setCursorPosition(0);
          }};
}

std::vector<lesson::Setting> GoalInput::settings() const {
  std::vector<lesson::Setting> settings;
  for (const Row& row : rows_) settings.push_back({row.control.name, row.read().toStdString()});
  return settings;
}

void GoalInput::set_settings(const std::vector<lesson::Setting>& settings) {
  for (const lesson::Setting& setting : settings)
    for (const Row& row : rows_)
      if (row.control.name == setting.control) row.write(QString::fromStdString(setting.value));
}

void GoalInput::close() {
  for (const Row& row : rows_) row.editor->setEnabled(false);
}

void GoalInput::restyle() {
  const Theme& theme = Theme::instance();
  for (QWidget* label : labels_) label->setFont(theme.font());
  for (const Row& row : rows_) {
    row.editor->setFont(theme.font());
    if (is_number(row.control)) row.editor->setMinimumWidth(theme.px(96));
  }
}

}  // namespace attn::gui

#include "moc_goal_input.cpp"
