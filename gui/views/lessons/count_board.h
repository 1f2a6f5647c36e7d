// SPDX-License-Identifier: GPL-3.0-or-later
// CountBoard: the answers of a class to one question, entered as a count per answer. After reveal()
// bars show the shares. GUI thread.
#pragma once

#include <QLabel>
#include <QSpinBox>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "engine/lesson/run/class_counts.h"

namespace attn::gui {

class CountBoard : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMostAnswers = 999;  // the largest count of one row
  using Mark = lesson::RowMark;
  explicit CountBoard(QWidget* parent = nullptr);
  void set_answers(const QStringList& answers);
  void set_counts(const std::vector<int>& counts);
  std::vector<int> counts() const;
  int total() const;
  // Hides the fields and shows the bars. marks: one for each row.
  void reveal(const std::vector<Mark>& marks);
  bool is_revealed() const { return revealed_; }
  QSpinBox* field(int row) const { return rows_[static_cast<size_t>(row)].field; }
  // "B: 7 of 23, correct"
  QString words_of(int row) const;
  QString sum_words() const { return sum_->text(); }

 signals:
  void changed();

 private:
  class Bar;
  struct Row {
    QLabel* name;
    QSpinBox* field;
    Bar* bar;
  };
  void refresh();
  void refresh_sum();
  Mark mark_of(size_t row) const { return row < marks_.size() ? marks_[row] : Mark::kWrong; }
  std::vector<Row> rows_;
  QStringList answers_;
  std::vector<Mark> marks_;  // one for each row, after reveal()
  QLabel* sum_;
  bool revealed_ = false;
};

}  // namespace attn::gui
