// SPDX-License-Identifier: GPL-3.0-or-later
// CanvasTransform: where content lies on the screen. Pure coordinate functions for every view that
// zooms and pans: content units (cells, nanoseconds, blocks) <-> pixels of the viewport. No state
// besides the numbers below, no Qt. Any thread.
#pragma once

#include <vector>

namespace attn::gui {

// One axis: content [begin, end] on a viewport of `pixels` pixels; content `offset` lies at pixel
// 0.
struct CanvasAxis {
  double begin = 0, end = 1;  // content units
  double pixels = 1;          // length of the viewport
  double offset = 0;          // content units at pixel 0
  double scale = 1;           // pixels per content unit
  double max_scale = 64;      // pixels per content unit at most
  bool centered = false;      // content smaller than the viewport: in its middle, else at its start

  double length() const { return end - begin; }
  double to_pixel(double content) const { return (content - offset) * scale; }
  double to_content(double pixel) const { return offset + pixel / scale; }
  double visible_begin() const;  // content at the viewport's edges, limited to [begin, end]
  double visible_end() const;
  double fit_scale() const;  // all content exactly fills the viewport (at most max_scale)
  bool is_fit() const;       // nothing is outside the viewport

  // Each leaves the axis clamped: scale in [fit_scale, max_scale], no empty space where there is
  // content.
  void clamp();
  void fit();
  void zoom_at(double pixel, double factor);  // the content under `pixel` stays there
  void pan(double pixel_distance);            // > 0: the content moves to the right / down
  void show(double from, double to, double margin_pixels = 0);  // exactly this range
  void reveal(double from, double to,
              double margin_pixels = 0);  // the least movement that makes it visible
  void set_pixels(double length);  // a resized viewport: keeps the offset, stays fit if it was
  void set_content(double from, double to);  // grown content: keeps the offset, stays fit if it was
  void go(double to_offset, double to_scale);  // as it was there, as far as that still exists
};

// Two axes. kIndependent: a timeline's time and lanes. kUniform: a zoom changes both by one factor,
// so cells keep their shape; at fit a cell may be up to max_aspect times longer on one side than on
// the other, to use a wide viewport. Content that is much longer than wide would be a thread: where
// `stretches`, and the viewport has a pixel for each unit of its length, its cells are made so much
// longer across that all of it is at most kLongest times as long as wide, and each axis is zoomed
// as far as it goes.
struct CanvasTransform {
  enum class Zoom { kIndependent, kUniform };

  CanvasAxis x, y;
  Zoom zoom = Zoom::kUniform;
  double max_aspect = 1;
  bool stretches = false;

  static constexpr double kLongest = 4;

  void fit();
  bool is_fit() const { return x.is_fit() && y.is_fit(); }
  void zoom_at(double pixel_x, double pixel_y, double factor);
  void zoom_center(double factor) { zoom_at(x.pixels / 2, y.pixels / 2, factor); }
  void pan(double dx_pixels, double dy_pixels);
  // The smallest view that has all of this; kUniform keeps the shape of the cells and puts the
  // range in the middle.
  void show(double x_from, double x_to, double y_from, double y_to, double margin_pixels = 0);
  void set_viewport(double width, double height);
  void set_content(double x_begin, double x_end, double y_begin, double y_end);

  // For View::place(): offsets and scales; empty: fit.
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);

 private:
  void fit_scales(double& x_scale, double& y_scale) const;
  double most_aspect() const;
  bool is_stretched() const { return most_aspect() > max_aspect; }
  bool zooms_both() const { return zoom == Zoom::kUniform && !is_stretched(); }
};

}  // namespace attn::gui
