// SPDX-License-Identifier: GPL-3.0-or-later
// HeadChips: one toggle button per head with its number and its colour, wrapped into lines. GUI
// thread.
#pragma once

#include <QColor>
#include <QToolButton>
#include <QWidget>
#include <vector>

namespace attn::gui {

class HeadChips : public QWidget {
  Q_OBJECT
 public:
  explicit HeadChips(QWidget* parent = nullptr);

  // group: number of query heads per KV head. Groups of several heads have wider gaps between them.
  void set_heads(int64_t count, int64_t group, const std::vector<QColor>& colors,
                 const std::vector<int64_t>& checked);
  QToolButton* chip(int64_t head) const { return chips_[static_cast<size_t>(head)]; }
  int heightForWidth(int width) const override;
  bool hasHeightForWidth() const override { return true; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

 signals:
  void toggled(qint64 head, bool on);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int arrange(int width, bool move) const;  // places the buttons if `move`; returns the height, px

  std::vector<QToolButton*> chips_;
  std::vector<QColor> colors_;
  int64_t group_ = 1;
};

}  // namespace attn::gui
