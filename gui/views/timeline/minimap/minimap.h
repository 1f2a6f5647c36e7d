// SPDX-License-Identifier: GPL-3.0-or-later
// Minimap: the whole run in a strip below the timeline, with a frame around the visible part that
// the mouse moves and resizes. GUI thread.
#pragma once

#include <QImage>

#include "gui/views/timeline/minimap/time_bins.h"
#include "gui/views/timeline/timeline_canvas.h"

namespace attn::gui {

// Time by class.
struct ClassTimes {
  std::array<uint64_t, kSpanClasses> ns{};
  ClassTimes& operator+=(const ClassTimes& more) {
    for (size_t i = 0; i < ns.size(); ++i) ns[i] += more.ns[i];
    return *this;
  }
  bool operator==(const ClassTimes&) const = default;
};

class Minimap : public Canvas {
  Q_OBJECT
 public:
  explicit Minimap(TimelineCanvas& timeline, QWidget* parent = nullptr);

  // The frame around the visible part, and the strip of the whole run, in px of the widget.
  QRectF frame() const;
  QRectF strip() const;
  double x_of(double time_ns) const;
  double time_of(double x) const;  // ns, within the timeline's axis
  // How long each class ran in the lane of the kernels. A bin that lies only partly between the
  // times counts in proportion. What comes after a shown past step does not count.
  ClassTimes times_between(double begin_ns, double end_ns);

  QString tooltip_at(const QPointF& position) override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  enum class Part { kOutside, kInside, kBegin, kEnd };
  struct ImageKey {
    uint64_t spans = 0, until_ns = 0;
    double end_ns = 0, ratio = 0;
    QSize size;
    bool operator==(const ImageKey&) const = default;
  };
  void reset();
  Part part_at(double x) const;
  void show_cursor_at(double x);
  void drag_to(double x);
  void take_spans();
  void draw_density();
  void paint_matches(QPainter& painter) const;
  void describe();

  TimelineCanvas& timeline_;
  TimeBins<ClassTimes> bins_;
  uint64_t taken_ = 0;  // number of spans in bins_
  QImage density_;
  ImageKey drawn_;  // what density_ shows
  std::optional<Part> dragged_;
  double grabbed_ns_ = 0;  // time from the visible begin to the mouse
};

}  // namespace attn::gui
