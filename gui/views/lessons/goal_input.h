// SPDX-License-Identifier: GPL-3.0-or-later
// GoalInput: the few settings that a lesson lets the learner change, each with its name, its range
// and its unit. GUI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "engine/lesson/format/lesson.h"

namespace attn::gui {

class GoalInput : public QWidget {
  Q_OBJECT
 public:
  // scenario: whose values the settings have at first.
  GoalInput(const std::vector<lesson::Control>& controls, const Scenario& scenario,
            QWidget* parent = nullptr);
  std::vector<lesson::Setting> settings() const;
  // Puts these values into the fields of their controls; controls without a field are left out.
  void set_settings(const std::vector<lesson::Setting>& settings);
  void close();  // the settings can no longer be changed
  QWidget* editor(int index) const { return rows_[static_cast<size_t>(index)].editor; }

 signals:
  void changed();

 private:
  struct Row {
    lesson::Control control;
    QWidget* editor;
    std::function<QString()> read;
    std::function<void(const QString&)> write;
  };
  Row row_of(const lesson::Control& control);
  void restyle();
  std::vector<Row> rows_;
  std::vector<QWidget*> labels_;
};

}  // namespace attn::gui
