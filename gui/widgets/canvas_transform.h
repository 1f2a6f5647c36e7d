// SPDX-License-Identifier: GPL-3.0-or-later
// CanvasTransform: maps content units (cells, nanoseconds, blocks) to pixels of the viewport, for
// views that zoom and pan. No Qt. Any thread.
#pragma once

#include <vector>

namespace attn::gui {

// One axis: content from `begin` to `end`, of which a viewport of `pixels` pixels shows a part or
// all. The unit `offset` lies at pixel 0.
struct CanvasAxis {
  double begin = 0, end = 1;  // content units
  double pixels = 1;          // length of the viewport in pixels
  double offset = 0;          // content units at pixel 0
  double scale = 1;           // pixels per content unit
  double max_scale = 64;      // most pixels per content unit
  // How many of the last pixels something else covers. A change of it moves nothing. The content
  // can be moved until its end is before them, and fit() leaves them empty.
  double covered = 0;
  // Content that is smaller than the viewport lies in its middle (true) or at its start (false).
  bool centered = false;

  double length() const { return end - begin; }
  double to_pixel(double content) const { return (content - offset) * scale; }
  double to_content(double pixel) const { return offset + pixel / scale; }
  double visible_begin() const;  // the first visible content unit, within [begin, end]
  double visible_end() const;
  double free_pixels() const;  // pixels that are not covered, at least 1
  // The scale at which all content just fills these pixels, at most max_scale.
  double fit_scale() const;
  bool is_fit() const;  // whether the content is no longer than the viewport

  // Limits the scale to max_scale, and moves the content so that no part of the viewport is empty
  // that the content could fill.
  void clamp();
  void fit();
  void zoom_at(double pixel, double factor);  // keeps the content under `pixel`, if limits allow
  void pan(double pixel_distance);            // > 0: right or down
  // Zooms so that the range fills the viewport without the margins, as far as limits allow.
  void show(double from, double to, double margin_pixels = 0);
  // Moves as little as needed to show the range; of one that is too long, its start. No zoom.
  void reveal(double from, double to, double margin_pixels = 0);
  // Resizes the viewport. An axis that showed all content still does.
  void set_pixels(double length);
  // Changes the content. An axis that showed all content still does.
  void set_content(double from, double to);
  void go(double to_offset, double to_scale);
};

// kIndependent: each axis has its own scale. kUniform: a zoom changes both scales by the same
// factor unless is_stretched(). max_aspect (kUniform): the largest ratio of the sides of a cell in
// pixels while all content is shown. stretches: content that would be more than kLongest times as
// long as wide may exceed max_aspect, until it is kLongest times as long as wide; not if the
// longer axis has fewer pixels than content units.
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
  void show(double x_from, double x_to, double y_from, double y_to, double margin_pixels = 0);
  void set_viewport(double width, double height);
  void set_content(double x_begin, double x_end, double y_begin, double y_end);

  // For View::place(): offset and scale of x, then of y. Empty: all content is shown.
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);

 private:
  void fit_scales(double& x_scale, double& y_scale) const;
  double most_aspect() const;
  bool is_stretched() const { return most_aspect() > max_aspect; }
  bool zooms_both() const { return zoom == Zoom::kUniform && !is_stretched(); }
};

}  // namespace attn::gui
