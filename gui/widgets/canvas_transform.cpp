// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/canvas_transform.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {

namespace {

// Relative tolerance for rounding errors that add up over many zooms.
constexpr double kSlack = 1e-9;

bool at_most(double a, double b) {
  return a <= b + kSlack * std::max(std::abs(a), std::abs(b));
}

}  // namespace

double CanvasAxis::visible_begin() const {
  return std::clamp(offset, begin, end);
}

double CanvasAxis::visible_end() const {
  return std::clamp(to_content(pixels), begin, end);
}

double CanvasAxis::free_pixels() const {
  return covered > 0 ? std::max(1.0, pixels - covered) : pixels;
}

double CanvasAxis::fit_scale() const {
  if (length() <= 0 || pixels <= 0) return max_scale;
  return std::min(free_pixels() / length(), max_scale);
}

bool CanvasAxis::is_fit() const {
  return at_most(length() * scale, pixels);
}

void CanvasAxis::clamp() {
  if (!(scale > 0)) scale = fit_scale();
  scale = std::min(scale, max_scale);
  const double shown = free_pixels() / scale;  // content units in the free part of the viewport
  if (at_most(length(), shown)) {
    offset = centered ? begin - (shown - length()) / 2 : begin;
  } else {
    offset = std::clamp(offset, begin, end - shown);
  }
}

void CanvasAxis::fit() {
  scale = fit_scale();
  offset = begin;
  clamp();
}

void CanvasAxis::zoom_at(double pixel, double factor) {
  if (!(factor > 0) || !std::isfinite(factor)) return;
  const double content = to_content(pixel);
  // Zooming out stops at fit_scale(), or at the present scale if that is smaller.
  scale = std::clamp(scale * factor, std::min(scale, fit_scale()), max_scale);
  offset = content - pixel / scale;
  clamp();
}

void CanvasAxis::pan(double pixel_distance) {
  offset -= pixel_distance / scale;
  clamp();
}

void CanvasAxis::show(double from, double to, double margin_pixels) {
  const double room = std::max(1.0, free_pixels() - 2 * margin_pixels);
  scale = to > from ? std::clamp(room / (to - from), fit_scale(), max_scale) : max_scale;
  offset = (from + to) / 2 - free_pixels() / scale / 2;
  clamp();
}

void CanvasAxis::reveal(double from, double to, double margin_pixels) {
  const double margin = margin_pixels / scale;
  const double shown = free_pixels() / scale;
  if (to + margin > offset + shown) offset = to + margin - shown;
  if (from - margin < offset) offset = from - margin;
  clamp();
}

void CanvasAxis::set_pixels(double new_length) {
  const bool was_fit = is_fit();
  pixels = std::max(1.0, new_length);
  if (was_fit) scale = fit_scale();
  clamp();
}

void CanvasAxis::set_content(double from, double to) {
  const bool was_fit = is_fit();
  begin = from;
  end = std::max(from, to);
  if (was_fit) scale = fit_scale();
  clamp();
}

double CanvasTransform::most_aspect() const {
  const CanvasAxis& longer = x.length() > y.length() ? x : y;
  const double across = std::min(x.length(), y.length());
  if (!stretches || across <= 0 || longer.pixels < longer.length()) return max_aspect;
  return std::max(max_aspect, longer.length() / across / kLongest);
}

void CanvasTransform::fit_scales(double& x_scale, double& y_scale) const {
  x_scale = x.fit_scale();
  y_scale = y.fit_scale();
  if (zoom == Zoom::kIndependent) return;
  const double aspect = most_aspect();
  x_scale = std::min(x_scale, y_scale * aspect);
  y_scale = std::min(y_scale, x_scale * aspect);
}

void CanvasAxis::go(double to_offset, double to_scale) {
  // A place may come from a file. A scale that is NaN or far too small, or an offset that is not
  // finite, leads to fit().
  constexpr double kLeastOfFit = 1e-6;
  if (!std::isfinite(to_offset) || !(to_scale >= kLeastOfFit * fit_scale())) return fit();
  offset = to_offset;
  scale = to_scale;
  clamp();
}

std::vector<double> CanvasTransform::place() const {
  if (is_fit()) return {};
  return {x.offset, x.scale, y.offset, y.scale};
}

void CanvasTransform::go_to_place(const std::vector<double>& place) {
  if (place.size() != 4) return fit();
  x.go(place[0], place[1]);
  y.go(place[2], place[3]);
}

void CanvasTransform::fit() {
  fit_scales(x.scale, y.scale);
  x.offset = x.begin;
  y.offset = y.begin;
  x.clamp();
  y.clamp();
}

void CanvasTransform::zoom_at(double pixel_x, double pixel_y, double factor) {
  if (!(factor > 0) || !std::isfinite(factor)) return;
  if (zoom == Zoom::kIndependent) {
    x.zoom_at(pixel_x, factor);
    y.zoom_at(pixel_y, factor);
    return;
  }
  double fit_x = 0, fit_y = 0;
  fit_scales(fit_x, fit_y);
  if (is_stretched()) {
    const auto zoom_axis = [factor](CanvasAxis& axis, double pixel, double at_fit) {
      const double content = axis.to_content(pixel);
      axis.scale = std::clamp(axis.scale * factor, std::min(axis.scale, at_fit), axis.max_scale);
      axis.offset = content - pixel / axis.scale;
      axis.clamp();
    };
    zoom_axis(x, pixel_x, fit_x);
    zoom_axis(y, pixel_y, fit_y);
    return;
  }
  const double most = std::min(x.max_scale / x.scale, y.max_scale / y.scale);
  const double least = std::min(1.0, std::max(fit_x / x.scale, fit_y / y.scale));
  const double limited = std::clamp(factor, least, std::max(least, most));
  const double content_x = x.to_content(pixel_x), content_y = y.to_content(pixel_y);
  x.scale *= limited;
  y.scale *= limited;
  x.offset = content_x - pixel_x / x.scale;
  y.offset = content_y - pixel_y / y.scale;
  x.clamp();
  y.clamp();
}

void CanvasTransform::pan(double dx_pixels, double dy_pixels) {
  x.pan(dx_pixels);
  y.pan(dy_pixels);
}

void CanvasTransform::show(double x_from, double x_to, double y_from, double y_to,
                           double margin_pixels) {
  if (!zooms_both()) {
    x.show(x_from, x_to, margin_pixels);
    y.show(y_from, y_to, margin_pixels);
    return;
  }
  fit();
  const double room_x = std::max(1.0, x.free_pixels() - 2 * margin_pixels);
  const double room_y = std::max(1.0, y.free_pixels() - 2 * margin_pixels);
  const double factor = std::min(room_x / (std::max(x_to - x_from, 1e-12) * x.scale),
                                 room_y / (std::max(y_to - y_from, 1e-12) * y.scale));
  const double most = std::min(x.max_scale / x.scale, y.max_scale / y.scale);
  const double limited = std::clamp(factor, 1.0, std::max(1.0, most));
  x.scale *= limited;
  y.scale *= limited;
  x.offset = (x_from + x_to) / 2 - x.free_pixels() / x.scale / 2;
  y.offset = (y_from + y_to) / 2 - y.free_pixels() / y.scale / 2;
  x.clamp();
  y.clamp();
}

void CanvasTransform::set_viewport(double width, double height) {
  const bool was_fit = is_fit();
  x.pixels = std::max(1.0, width);
  y.pixels = std::max(1.0, height);
  if (was_fit) return fit();
  x.clamp();
  y.clamp();
}

void CanvasTransform::set_content(double x_begin, double x_end, double y_begin, double y_end) {
  const bool was_fit = is_fit();
  x.begin = x_begin;
  x.end = x_end < x_begin ? x_begin : x_end;
  y.begin = y_begin;
  y.end = y_end < y_begin ? y_begin : y_end;
  if (was_fit) return fit();
  x.clamp();
  y.clamp();
}

}  // namespace attn::gui
