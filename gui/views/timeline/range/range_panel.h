// SPDX-License-Identifier: GPL-3.0-or-later
// RangePanel: the sums of the selected range beside the lanes, or in one line below them. GUI
// thread.
#pragma once

#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QWidget>
#include <optional>

#include "gui/views/timeline/range/range_sums.h"

namespace attn::gui {

class RangePanel : public QWidget {
  Q_OBJECT
 public:
  explicit RangePanel(QWidget* parent = nullptr);

  // nullopt: the range is later than the shown past step.
  void show_sums(const std::optional<RangeSums>& sums);
  const std::optional<RangeSums>& sums() const { return sums_; }
  // Folded: one line. can_unfold: there is room for the table.
  void set_folded(bool folded, bool can_unfold);
  bool folded() const { return folded_; }
  int table_width() const;  // px, when unfolded

 signals:
  void fold_asked(bool folded);
  void zoom_asked();
  void copy_asked();
  void clear_asked();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void restyle();
  void fill();
  void fill_line();

  std::optional<RangeSums> sums_;
  bool folded_ = false;
  QLabel* line_;
  QLabel* table_;
  QScrollArea* scroll_;
  QToolButton *copy_, *zoom_, *fold_, *clear_;
};

}  // namespace attn::gui
