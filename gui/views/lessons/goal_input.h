// SPDX-License-Identifier: GPL-3.0-or-later
// GoalInput: editors for the settings that a lesson lets the learner change. GUI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "engine/lesson/format/lesson.h"
#include "gui/views/lessons/number_input.h"

namespace attn::gui {

class GoalInput : public QWidget {
  Q_OBJECT
 public:
  // scenario: gives the first values.
  GoalInput(const std::vector<lesson::Control>& controls, const Scenario& scenario,
            QWidget* parent = nullptr);
  std::vector<lesson::Setting> settings() const;
  void set_settings(const std::vector<lesson::Setting>& settings);
  // Whether all numbers are within their ranges.
  bool is_valid() const;
  void close();  // disables the fields
  QWidget* editor(int index) const { return rows_[static_cast<size_t>(index)].editor; }

 signals:
  void changed();

 private:
  struct Row {
    lesson::Control control;
    QWidget* editor;
    std::function<QString()> read;
    std::function<void(const QString&)> write;
    RefusalLabel* refusal = nullptr;  // null: the setting is no number
  };
  Row row_of(const lesson::Control& control);
  void tell_refusals();
  void restyle();
  std::vector<Row> rows_;
  std::vector<QWidget*> labels_;
};

}  // namespace attn::gui
