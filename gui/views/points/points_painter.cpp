// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/points/points_painter.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr double kLeastLine = 0.005;  // smaller weights have no line
constexpr int64_t kMostNames = 400;   // with more points not all are named
constexpr double kLongestName = 120;  // px at 100%

class PointsPicture {
  Q_DECLARE_TR_FUNCTIONS(Points)
 public:
  PointsPicture(QPainter& painter, const PointsScene& scene, const PointsParts& parts,
                const CanvasTransform& transform)
      : p_(painter),
        scene_(scene),
        look_(scene.look),
        colors_(scene.look.colors),
        parts_(parts),
        transform_(transform) {}

  void title();
  void plot();
  void facts();
  void legend();

 private:
  QPointF at(const PointPlace& place) const {
    return point_at_place(scene_, transform_, parts_.plot, place);
  }
  double radius() const { return look_.px(look_.projector ? 5 : 4); }
  void axes();
  void lines();
  void dots(bool keys);
  void dot(const PointPlace& place, double size);
  void names();
  bool name(const PointPlace& place, bool must);
  void entry(const QString& text, bool filled, const QColor& color, bool line);

  QPainter& p_;
  const PointsScene& scene_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const PointsParts& parts_;
  const CanvasTransform& transform_;
  std::vector<QRectF> taken_;  // areas taken by names, points and axis labels
  double x_ = 0;               // x of the next legend entry
};

void PointsPicture::title() {
  if (parts_.title.isEmpty()) return;
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  paint_lines(p_, parts_.title, parts_.said);
}

void PointsPicture::axes() {
  const QRectF& plot = parts_.plot;
  p_.setPen(QPen(colors_.line, 1));
  p_.setBrush(Qt::NoBrush);
  const double x = std::round(plot.left() + transform_.x.to_pixel(0)) + 0.5,
               y = std::round(plot.top() + transform_.y.to_pixel(0)) + 0.5;
  p_.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
  p_.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  const QueryKeyPlane& plane = scene_.data->plane;
  const auto share = [&plane](int64_t axis) {
    return format_number(plane.size > axis ? 100 * plane.share(axis) : 0, 3);
  };
  const double high = look_.px(16);
  const QString across = tr("axis 1: %1 % of the variance →").arg(share(0)),
                up = tr("↑ axis 2: %1 % of the variance").arg(share(1));
  draw_line(p_, QRectF(plot.left(), plot.bottom() - high, plot.width() - look_.px(4), high),
            Qt::AlignRight | Qt::AlignVCenter, across);
  draw_line(p_, QRectF(plot.left() + look_.px(4), plot.top(), plot.width(), high),
            Qt::AlignLeft | Qt::AlignVCenter, up);
  const double wide = text_width(look_.small, across) + look_.px(4);
  taken_.emplace_back(plot.right() - wide, plot.bottom() - high, wide, high);
  taken_.emplace_back(plot.left(), plot.top(), text_width(look_.small, up) + look_.px(4), high);
}

void PointsPicture::lines() {
  if (!scene_.row) return;
  const QPointF from = at({false, scene_.row->query});
  std::vector<std::pair<double, int64_t>> drawn;  // weight, key
  for (int64_t key = 0; key < scene_.num_keys(); ++key)
    if (const double weight = scene_.weight(key); weight >= kLeastLine)
      drawn.emplace_back(weight, key);
  std::ranges::sort(drawn);
  for (const auto& [weight, key] : drawn) {
    QColor color = colors_.accent;
    color.setAlphaF(static_cast<float>(std::clamp(0.15 + 0.85 * weight, 0.0, 1.0)));
    p_.setPen(QPen(color, look_.line(0.75 + 5 * weight), Qt::SolidLine, Qt::RoundCap));
    p_.drawLine(from, at({true, key}));
  }
}

void PointsPicture::dot(const PointPlace& place, double size) {
  const QPointF middle = at(place);
  const QColor& color = place.key ? scene_.key_color : scene_.query_color;
  if (place.key) {
    p_.setPen(QPen(color, look_.line(1.5)));
    p_.setBrush(colors_.surface);
  } else {
    p_.setPen(QPen(colors_.surface, 1));
    p_.setBrush(color);
  }
  p_.drawEllipse(middle, size, size);
}

void PointsPicture::dots(bool keys) {
  const int64_t first = keys ? 0 : scene_.first(),
                end = keys ? scene_.num_keys() : scene_.rows_end();
  for (int64_t position = first; position < end; ++position) {
    const PointPlace place{keys, position};
    if (!parts_.plot.adjusted(-20, -20, 20, 20).contains(at(place))) continue;
    dot(place, radius());
  }
}

// must: draws the name with a ground and in the text colour.
bool PointsPicture::name(const PointPlace& place, bool must) {
  const TokenView* token = scene_.token(place);
  const QPointF middle = at(place);
  if (!token || !parts_.plot.contains(middle)) return false;
  const TokenText text = token_text(token->text);
  const double wide = std::min<double>(token_width(text, look_.mono) + 2, look_.px(kLongestName)),
               high = look_.px(15), gap = radius() + look_.px(2);
  const QRectF places[] = {{middle.x() + gap, middle.y() - high / 2, wide, high},
                           {middle.x() - gap - wide, middle.y() - high / 2, wide, high},
                           {middle.x() - wide / 2, middle.y() - gap - high, wide, high},
                           {middle.x() - wide / 2, middle.y() + gap, wide, high}};
  for (const QRectF& box : places) {
    const bool in_sight = parts_.plot.contains(box);
    const bool is_free =
        std::ranges::none_of(taken_, [&box](const QRectF& other) { return other.intersects(box); });
    if (!in_sight || !is_free) continue;
    taken_.push_back(box);
    if (must) {
      QColor ground = colors_.surface;
      ground.setAlphaF(0.75F);
      p_.fillRect(box, ground);
    }
    const QColor color = must ? colors_.text : colors_.muted;
    paint_token(p_, box, text,
                {.font = look_.mono,
                 .color = color,
                 .faint = must ? colors_.muted : color,
                 .align = Qt::AlignLeft,
                 .turned = false});
    return true;
  }
  return false;
}

void PointsPicture::names() {
  std::vector<PointPlace> first, rest;
  if (scene_.pointed.query >= scene_.first() && scene_.pointed.query < scene_.rows_end())
    first.push_back({false, scene_.pointed.query});
  if (scene_.row) first.push_back({false, scene_.row->query});
  if (scene_.key >= 0 && scene_.key < scene_.num_keys()) first.push_back({true, scene_.key});
  std::vector<std::pair<double, int64_t>> read;
  for (int64_t key = 0; key < scene_.num_keys(); ++key)
    if (scene_.weight(key) >= 0.03 && key != scene_.key)
      read.emplace_back(-scene_.weight(key), key);
  std::ranges::sort(read);
  for (const auto& [weight, key] : read) first.push_back({true, key});
  for (const PointPlace& place : first) {
    const QPointF middle = at(place);
    taken_.emplace_back(middle.x() - radius(), middle.y() - radius(), 2 * radius(), 2 * radius());
  }
  for (size_t i = 0; i < std::min<size_t>(first.size(), 16); ++i) name(first[i], true);
  if (scene_.num_keys() + scene_.data->points.rows() > kMostNames) return;
  for (int64_t key = 0; key < scene_.num_keys(); ++key) rest.push_back({true, key});
  for (int64_t query = scene_.first(); query < scene_.rows_end(); ++query)
    rest.push_back({false, query});
  for (const PointPlace& place : rest) {
    const QPointF middle = at(place);
    taken_.emplace_back(middle.x() - radius(), middle.y() - radius(), 2 * radius(), 2 * radius());
  }
  for (const PointPlace& place : rest)
    if (std::ranges::find(first, place) == first.end()) name(place, false);
}

void PointsPicture::plot() {
  p_.save();
  p_.setClipRect(parts_.plot, Qt::IntersectClip);
  axes();
  lines();
  dots(true);
  dots(false);
  for (int64_t key = 0; key < scene_.num_keys(); ++key)
    if (scene_.weight(key) >= 0.03) dot({true, key}, radius() * 1.25);
  const auto ring = [&](const PointPlace& place, const QColor& color, Qt::PenStyle style) {
    p_.setPen(QPen(color, look_.line(2), style));
    p_.setBrush(Qt::NoBrush);
    p_.drawEllipse(at(place), radius() + look_.px(4), radius() + look_.px(4));
  };
  if (scene_.row) {
    dot({false, scene_.row->query}, radius() * 1.25);
    ring({false, scene_.row->query}, colors_.accent, Qt::SolidLine);
  }
  if (scene_.key >= 0 && scene_.key < scene_.num_keys())
    ring({true, scene_.key}, colors_.accent, Qt::SolidLine);
  const PointedState& pointed = scene_.pointed;
  if (pointed.query >= scene_.first() && pointed.query < scene_.rows_end())
    ring({false, pointed.query}, colors_.text, Qt::SolidLine);
  if (pointed.key >= 0 && pointed.key < scene_.num_keys() &&
      pointed.of_encoder == (scene_.cross || scene_.of_encoder))
    ring({true, pointed.key}, colors_.text, Qt::DashLine);
  names();
  p_.restore();
}

void PointsPicture::facts() {
  if (parts_.facts.isEmpty()) return;
  p_.setFont(look_.small);
  p_.setPen(colors_.text);
  paint_lines(p_, parts_.facts, parts_.lines);
}

void PointsPicture::entry(const QString& text, bool filled, const QColor& color, bool line) {
  const double side = radius(), gap = look_.px(6), mark = line ? look_.px(22) : 2 * side;
  const double width = mark + gap + text_width(look_.small, text);
  if (x_ + width > parts_.legend.right()) return;
  const double y = parts_.legend.center().y();
  if (line) {
    p_.setPen(QPen(color, look_.line(3), Qt::SolidLine, Qt::RoundCap));
    p_.drawLine(QPointF(x_ + 2, y), QPointF(x_ + mark - 2, y));
  } else {
    p_.setPen(filled ? QPen(Qt::NoPen) : QPen(color, look_.line(1.5)));
    p_.setBrush(filled ? QBrush(color) : QBrush(colors_.surface));
    p_.drawEllipse(QPointF(x_ + side, y), side, side);
  }
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  draw_line(p_, QRectF(x_ + mark + gap, parts_.legend.top(), width, parts_.legend.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
  x_ += width + look_.px(16);
}

void PointsPicture::legend() {
  if (parts_.legend.isEmpty()) return;
  x_ = parts_.legend.left();
  entry(tr("query"), true, scene_.query_color, false);
  entry(tr("key"), false, scene_.key_color, false);
  if (scene_.row)
    entry(tr("weights of query %1, the thicker the larger").arg(scene_.row->query), false,
          colors_.accent, true);
}

}  // namespace

PointsParts points_parts(const PointsScene& scene, const QRectF& bounds) {
  const double edge = scene.look.px(8), row = scene.look.px(24), line = scene.look.px(17);
  PointsParts parts;
  parts.plot = bounds.adjusted(edge, edge / 2, -edge, 0);
  if (scene.caption && scene.title) {
    parts.said = wrapped_lines(scene.look.title_bold, points_title(scene), parts.plot.width());
    parts.title = QRectF(parts.plot.left(), bounds.top() + edge, parts.plot.width(),
                         row * static_cast<double>(parts.said.size()));
    parts.plot.setTop(parts.title.bottom() + edge / 2);
  }
  for (const QString& fact : points_facts(scene))
    for (const QString& line_of : wrapped_lines(scene.look.small, fact, parts.plot.width()))
      parts.lines.push_back(line_of);
  const double below = line * static_cast<double>(parts.lines.size());
  if (parts.plot.height() < 3 * row + row + below) return parts;
  parts.legend = QRectF(parts.plot.left(), bounds.bottom() - row, parts.plot.width(), row);
  parts.facts = QRectF(parts.plot.left(), parts.legend.top() - below, parts.plot.width(), below);
  parts.plot.setBottom(parts.facts.top() - edge / 2);
  return parts;
}

CanvasTransform points_transform(const PointsScene& scene, const QRectF& plot,
                                 const CanvasTransform* before) {
  double left = 0, right = 0, low = 0, high = 0;
  const auto add = [&](const PointPlace& place) {
    const double x = scene.coordinate(place, 0), y = scene.coordinate(place, 1);
    left = std::min(left, x), right = std::max(right, x);
    low = std::min(low, y), high = std::max(high, y);
  };
  for (int64_t query = scene.first(); query < scene.rows_end(); ++query) add({false, query});
  for (int64_t key = 0; key < scene.num_keys(); ++key) add({true, key});
  const double wide = std::max(1e-6, right - left) * 1.25, tall = std::max(1e-6, high - low) * 1.2;
  const double scale =
      std::max(wide / std::max(1.0, plot.width()), tall / std::max(1.0, plot.height()));
  const double half_x = scale * plot.width() / 2, half_y = scale * plot.height() / 2;
  const double x = (left + right) / 2, y = -(low + high) / 2;  // up is negative
  CanvasTransform transform = before ? *before : CanvasTransform();
  const bool fits = !before || before->is_fit();
  transform.x.max_scale = transform.y.max_scale = 200 / std::max(1e-9, scale);
  transform.set_content(x - half_x, x + half_x, y - half_y, y + half_y);
  transform.set_viewport(std::max(1.0, plot.width()), std::max(1.0, plot.height()));
  if (fits) transform.fit();
  return transform;
}

QPointF point_at_place(const PointsScene& scene, const CanvasTransform& transform,
                       const QRectF& plot, const PointPlace& place) {
  return {plot.left() + transform.x.to_pixel(scene.coordinate(place, 0)),
          plot.top() + transform.y.to_pixel(-scene.coordinate(place, 1))};
}

void paint_points(QPainter& painter, const PointsScene& scene, const PointsParts& parts,
                  const CanvasTransform& transform) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  PointsPicture picture(painter, scene, parts, transform);
  picture.title();
  picture.plot();
  picture.facts();
  picture.legend();
  painter.restore();
}

}  // namespace attn::gui
