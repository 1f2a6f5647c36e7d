// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/machine/roofline_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr double kBeside = 900;  // px at 100%: from this width on the table is beside the plot
constexpr double kSide = 400;    // px at 100%: width of that table
constexpr double kNear = 9;      // px at 100%: how far from a point the pointer may be

// Widens an axis, given as exponents of ten, to contain the value.
void widen(double value, double& low, double& high) {
  if (!(value > 0) || !std::isfinite(value)) return;
  low = std::min(low, std::floor(std::log10(value)));
  high = std::max(high, std::ceil(std::log10(value)));
}

class RooflinePicture {
 public:
  RooflinePicture(QPainter& painter, const RooflineScene& scene, const RooflineParts& parts)
      : p_(painter), scene_(scene), look_(scene.look), colors_(scene.look.colors), parts_(parts) {}
  void title();
  void axes();
  void roofs();
  void points();
  void table();
  void notes();

 private:
  // Draws a slope up to the roof of arithmetic.
  void slope(const MachineLimits::Level& level, bool strong);
  void level_line(double gops, double from, const QString& name, bool strong);
  void ridge();
  void mark(const KernelSum& kernel, const QPointF& at, double size);
  QColor color_of(KernelId kernel) const {
    return kernel_facts(kernel).work == KernelClass::kDecode ? colors_.decode : colors_.prefill;
  }
  double x(double intensity) const { return parts_.at(intensity, 1).x(); }
  double y(double gops) const { return parts_.at(1, gops).y(); }

  QPainter& p_;
  const RooflineScene& scene_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const RooflineParts& parts_;
  std::vector<QRectF> taken_;  // areas taken by names
};

void RooflinePicture::title() {
  if (parts_.title.isEmpty()) return;
  QStringList words{tr("This machine")};
  if (!scene_.title.isEmpty()) words << scene_.title;
  if (scene_.until) words << tr("up to step %1").arg(format_count(*scene_.until));
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  draw_line(
      p_, parts_.title, Qt::AlignLeft | Qt::AlignVCenter,
      elided_text(look_.title_bold, words.join(QStringLiteral("  ·  ")), parts_.title.width()));
}

void RooflinePicture::axes() {
  const QRectF& plot = parts_.plot;
  const double line = QFontMetricsF(look_.small).height();
  p_.setFont(look_.small);
  const auto tick = [](int power) { return format_number(std::pow(10.0, power), 3); };
  for (int power = static_cast<int>(parts_.x_low); power <= parts_.x_high; ++power) {
    const double at = x(std::pow(10.0, power));
    p_.setPen(QPen(colors_.line, 1));
    p_.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
    p_.setPen(colors_.muted);
    draw_line(p_, QRectF(at - look_.px(40), plot.bottom() + 2, look_.px(80), line), Qt::AlignCenter,
              tick(power));
  }
  for (int power = static_cast<int>(parts_.y_low); power <= parts_.y_high; ++power) {
    const double at = y(std::pow(10.0, power));
    p_.setPen(QPen(colors_.line, 1));
    p_.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
    p_.setPen(colors_.muted);
    draw_line(p_, QRectF(plot.left() - look_.px(60), at - line / 2, look_.px(56), line),
              Qt::AlignRight | Qt::AlignVCenter, tick(power));
  }
  p_.setPen(colors_.text);
  draw_line(p_, QRectF(plot.left(), plot.bottom() + line + 2, plot.width(), line), Qt::AlignCenter,
            elided_text(look_.small, tr("operations per byte moved →"), plot.width()));
  p_.save();
  p_.translate(plot.left() - look_.px(60), plot.center().y());
  p_.rotate(-90);
  draw_line(p_, QRectF(-plot.height() / 2, -line / 2, plot.height(), line), Qt::AlignCenter,
            elided_text(look_.small, tr("10⁹ operations per second →"), plot.height()));
  p_.restore();
}

void RooflinePicture::slope(const MachineLimits::Level& level, bool strong) {
  const double top = scene_.arithmetic_roof(), low = std::pow(10.0, parts_.x_low);
  const double from = std::max(low, std::pow(10.0, parts_.y_low) / level.read_gbps),
               to = std::min(std::pow(10.0, parts_.x_high), top / level.read_gbps);
  if (to <= from) return;
  const QPointF begin = parts_.at(from, from * level.read_gbps),
                end = parts_.at(to, to * level.read_gbps);
  QPen pen(strong ? colors_.accent : colors_.muted, look_.line(strong ? 2 : 1));
  if (!strong) pen.setDashPattern({4, 3});
  p_.setPen(pen);
  p_.drawLine(begin, end);
  const QString name = tr("%1: %2").arg(level.name == "memory" ? tr("memory") : text_of(level.name),
                                        bandwidth_words(level.read_gbps));
  const double length = std::hypot(end.x() - begin.x(), end.y() - begin.y());
  const double line = QFontMetricsF(look_.small).height();
  p_.save();
  p_.translate(begin);
  p_.rotate(std::atan2(end.y() - begin.y(), end.x() - begin.x()) * 180 / M_PI);
  p_.setPen(strong ? colors_.text : colors_.muted);
  p_.setFont(strong ? look_.small_bold : look_.small);
  const double room = length - look_.px(24);
  if (room > text_width(look_.small_bold, name))
    draw_line(p_, QRectF(look_.px(12), -line - 1, room, line), Qt::AlignLeft | Qt::AlignVCenter,
              name);
  p_.restore();
}

void RooflinePicture::level_line(double gops, double from, const QString& name, bool strong) {
  const QPointF begin = parts_.at(std::max(from, std::pow(10.0, parts_.x_low)), gops);
  const QPointF end(parts_.plot.right(), begin.y());
  QPen pen(strong ? colors_.accent : colors_.muted, look_.line(strong ? 2 : 1));
  if (!strong) pen.setDashPattern({4, 3});
  p_.setPen(pen);
  p_.drawLine(begin, end);
  const double line = QFontMetricsF(look_.small).height();
  p_.setFont(strong ? look_.small_bold : look_.small);
  p_.setPen(strong ? colors_.text : colors_.muted);
  const QString text = tr("%1: %2").arg(name, rate_words(gops));
  draw_line(p_, QRectF(begin.x(), begin.y() - line - 1, end.x() - begin.x() - look_.px(4), line),
            Qt::AlignRight | Qt::AlignVCenter,
            elided_text(strong ? look_.small_bold : look_.small, text, end.x() - begin.x()));
}

void RooflinePicture::ridge() {
  const QRectF& plot = parts_.plot;
  const double at = x(scene_.ridge());
  QPen pen(colors_.text, look_.line(1));
  pen.setDashPattern({1, 3});
  p_.setPen(pen);
  p_.drawLine(QPointF(at, y(scene_.arithmetic_roof())), QPointF(at, plot.bottom()));
  const double line = QFontMetricsF(look_.small).height(), gap = look_.px(8);
  p_.setFont(look_.small_bold);
  p_.setPen(colors_.text);
  // Without points, the words stand above the kernels' marks and names.
  const double lift =
      scene_.has_points() ? 0 : look_.px(18) + line * static_cast<double>(scene_.kernels.size());
  const double bottom = plot.bottom() - line - look_.px(4) - lift;
  const double left = at - plot.left() - 2 * gap, right = plot.right() - at - 2 * gap;
  draw_line(p_, QRectF(plot.left() + gap, bottom, std::max(0.0, left), line),
            Qt::AlignRight | Qt::AlignVCenter,
            elided_text(look_.small_bold, tr("← waits for memory"), std::max(0.0, left)));
  draw_line(p_, QRectF(at + gap, bottom, std::max(0.0, right), line),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.small_bold, tr("waits for arithmetic →"), std::max(0.0, right)));
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  draw_line(p_, QRectF(at + gap, bottom - line, std::max(0.0, right), line),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.small,
                        tr("ridge: %1 operations per byte").arg(format_number(scene_.ridge(), 3)),
                        std::max(0.0, right)));
}

void RooflinePicture::roofs() {
  if (!scene_.limits) return;
  const MachineLimits& limits = *scene_.limits;
  ridge();
  for (const MachineLimits::Level& level : limits.levels)
    slope(level, &level == &limits.levels.back());
  const double from = scene_.arithmetic_roof() / limits.levels.front().read_gbps;
  const bool bf16 = scene_.bf16 && limits.bf16_gops > 0;
  level_line(limits.f32_gops, limits.f32_gops / limits.levels.front().read_gbps,
             tr("f32 multiply-adds"), !bf16);
  if (limits.bf16_gops > 0 && bf16)
    level_line(limits.bf16_gops, from, text_of(limits.bf16_unit), true);
}

void RooflinePicture::mark(const KernelSum& kernel, const QPointF& at, double size) {
  p_.setBrush(color_of(kernel.kernel));
  if (kernel_facts(kernel.kernel).work == KernelClass::kDecode)
    p_.drawEllipse(at, size, size);
  else
    p_.drawRect(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size));
}

void RooflinePicture::points() {
  const QRectF& plot = parts_.plot;
  const double line = QFontMetricsF(look_.small).height(), size = look_.px(6);
  if (scene_.has_points()) {
    p_.save();
    p_.setClipRect(plot.adjusted(-2, -2, 2, 2));
    for (const KernelSum& step : scene_.steps) {
      QColor faint = color_of(step.kernel);
      faint.setAlphaF(0.45F);
      const QPointF at = parts_.at(step.sum.intensity(), step.sum.gops());
      const double small = look_.px(2);
      if (kernel_facts(step.kernel).work == KernelClass::kDecode) {
        p_.setPen(Qt::NoPen);
        p_.setBrush(faint);
        p_.drawEllipse(at, small, small);
      } else {
        p_.fillRect(QRectF(at.x() - small, at.y() - small, 2 * small, 2 * small), faint);
      }
    }
    p_.restore();
  }
  for (size_t i = 0; i < scene_.kernels.size(); ++i) {
    const KernelSum& kernel = scene_.kernels[i];
    const bool chosen = scene_.chosen == static_cast<int>(i);
    QPointF at = scene_.has_points() ? parts_.at(kernel.sum.intensity(), kernel.sum.gops())
                                     : QPointF(x(kernel.sum.intensity()), plot.bottom());
    if (!scene_.has_points()) {  // a mark on the axis
      p_.setPen(QPen(color_of(kernel.kernel), look_.line(2)));
      p_.drawLine(at, at - QPointF(0, look_.px(14)));
      at -= QPointF(0, look_.px(14));
    } else {
      if (chosen && scene_.limits) {
        p_.setPen(QPen(colors_.text, look_.line(1)));
        p_.drawLine(at, parts_.at(kernel.sum.intensity(), scene_.roof(kernel.sum.intensity())));
      }
      p_.setPen(QPen(chosen ? colors_.text : colors_.surface, chosen ? 2 : 1));
      mark(kernel, at, size);
    }
    const QString name = kernel_name(kernel.kernel);
    const double wide = text_width(look_.small_bold, name) + look_.px(4);
    QRectF box(at.x() + size + look_.px(4), at.y() - line / 2, wide, line);
    if (box.right() > plot.right()) box.moveRight(at.x() - size - look_.px(4));
    while (std::ranges::any_of(taken_, [&](const QRectF& other) { return other.intersects(box); }))
      box.translate(0, scene_.has_points() ? line : -line);
    taken_.push_back(box);
    QColor ground = colors_.surface;
    ground.setAlphaF(0.8F);
    p_.fillRect(box, ground);
    p_.setFont(look_.small_bold);
    p_.setPen(colors_.text);
    draw_line(p_, box, Qt::AlignLeft | Qt::AlignVCenter, name);
  }
}

void RooflinePicture::table() {
  const QRectF& area = parts_.table;
  if (area.isEmpty()) return;
  const double gap = look_.px(10);
  const QStringList heads{tr("kernel"), scene_.modelled ? tr("modelled time") : tr("time"),
                          tr("op/byte"), tr("10⁹ op/s"), tr("of the roof")};
  std::vector<QStringList> rows;
  for (const KernelSum& kernel : scene_.kernels)
    rows.push_back({kernel_name(kernel.kernel), format_duration_ns(kernel.sum.ns),
                    format_number(kernel.sum.intensity(), 3),
                    scene_.modelled ? QStringLiteral("–") : format_number(kernel.sum.gops(), 3),
                    share_text(scene_, kernel.sum)});
  std::vector<double> widths;
  for (int column = 0; column < heads.size(); ++column) {
    double width = text_width(look_.small, heads[column]);
    for (const QStringList& row : rows)
      width = std::max(width, text_width(column == 0 ? look_.small : look_.mono, row[column]));
    widths.push_back(width + gap);
  }
  double others = 0;
  for (size_t column = 1; column < widths.size(); ++column) others += widths[column];
  widths[0] = std::max(look_.px(60) * 1.0, area.width() - look_.px(18) - others);
  const auto write = [&](const QRectF& place, const QStringList& cells, bool head) {
    double left = place.left() + look_.px(18);
    for (int column = 0; column < cells.size(); ++column) {
      const double width = widths[static_cast<size_t>(column)];
      const QFont& font = head || column == 0 ? look_.small : look_.mono;
      p_.setFont(font);
      p_.setPen(head ? colors_.muted : colors_.text);
      draw_line(p_, QRectF(left, place.top(), width, place.height()),
                (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                elided_text(font, cells[column], width));
      left += width;
    }
  };
  write(QRectF(area.left(), area.top(), area.width(), parts_.row), heads, true);
  for (size_t i = 0; i < rows.size(); ++i) {
    const QRectF place = parts_.table_row(i);
    if (scene_.chosen == static_cast<int>(i)) p_.fillRect(place, colors_.raised);
    p_.setPen(QPen(colors_.line, 1));
    p_.drawLine(place.topLeft(), place.topRight());
    p_.setPen(Qt::NoPen);
    mark(scene_.kernels[i], QPointF(place.left() + look_.px(8), place.center().y()), look_.px(4));
    write(place, rows[i], false);
  }
}

void RooflinePicture::notes() {
  double top = parts_.notes.top();
  const double line = QFontMetricsF(look_.small).height();
  p_.setFont(look_.small);
  const std::vector<QString> all = roofline_notes(scene_);
  for (size_t i = 0; i < all.size(); ++i) {
    const std::vector<QString> lines = wrapped_lines(look_.small, all[i], parts_.notes.width());
    const double height = line * static_cast<double>(lines.size());
    p_.setPen(i == 0 && !scene_.state.isEmpty() ? colors_.warning : colors_.muted);
    paint_lines(p_, QRectF(parts_.notes.left(), top, parts_.notes.width(), height), lines);
    top += height + look_.px(8);
  }
}

double notes_height(const RooflineScene& scene, double width) {
  const double line = QFontMetricsF(scene.look.small).height();
  double height = 0;
  for (const QString& note : roofline_notes(scene))
    height += line * static_cast<double>(wrapped_lines(scene.look.small, note, width).size()) +
              scene.look.px(8);
  return height;
}

}  // namespace

QPointF RooflineParts::at(double intensity, double gops) const {
  return {plot.left() + (std::log10(intensity) - x_low) / (x_high - x_low) * plot.width(),
          plot.bottom() - (std::log10(gops) - y_low) / (y_high - y_low) * plot.height()};
}

QRectF RooflineParts::table_row(size_t kernel) const {
  return {table.left(), table.top() + row * static_cast<double>(kernel + 1), table.width(), row};
}

RooflineParts roofline_parts(const RooflineScene& scene, const QRectF& bounds, bool with_title) {
  const PictureLook& look = scene.look;
  const double line = QFontMetricsF(look.small).height(), edge = look.px(12);
  RooflineParts parts;
  parts.bounds = bounds;
  QRectF room = bounds.adjusted(edge, edge, -edge, -look.px(8));
  if (with_title) {
    parts.title =
        QRectF(room.left(), room.top(), room.width(), QFontMetricsF(look.title_bold).height());
    room.setTop(parts.title.bottom() + look.px(8));
  }
  parts.row = line + look.px(6);
  const double rows = scene.kernels.empty() ? 0 : parts.row * (1.0 + std::ssize(scene.kernels));
  QRectF plot = room;
  if (bounds.width() >= look.px(kBeside)) {
    const QRectF side(room.right() - look.px(kSide), room.top(), look.px(kSide), room.height());
    plot.setRight(side.left() - look.px(24));
    parts.table = QRectF(side.left(), side.top(), side.width(), rows);
    parts.notes =
        QRectF(side.left(), parts.table.bottom() + (rows > 0 ? look.px(12) : 0), side.width(), 0);
    parts.notes.setBottom(room.bottom());
  } else {
    const double below = rows + look.px(12) + notes_height(scene, room.width());
    plot.setBottom(std::max(room.top() + look.px(220), room.bottom() - below));
    parts.table = QRectF(room.left(), plot.bottom() + look.px(6), room.width(), rows);
    parts.notes = QRectF(room.left(), parts.table.bottom() + look.px(6), room.width(),
                         notes_height(scene, room.width()));
  }
  parts.plot = plot.adjusted(look.px(68), line, -look.px(6), -2 * line - look.px(6));

  if (scene.limits) {
    parts.x_high = std::max(parts.x_high, std::ceil(std::log10(scene.ridge()) + 0.5));
    parts.y_high = 1;
    widen(scene.arithmetic_roof() / scene.limits->levels.front().read_gbps / 3, parts.x_low,
          parts.x_high);
    widen(2 * scene.arithmetic_roof(), parts.y_low, parts.y_high);
    widen(2 * scene.limits->f32_gops, parts.y_low, parts.y_high);
  }
  for (const std::vector<KernelSum>* sums : {&scene.kernels, &scene.steps})
    for (const KernelSum& one : *sums) {
      widen(one.sum.intensity(), parts.x_low, parts.x_high);
      if (scene.has_points()) widen(one.sum.gops(), parts.y_low, parts.y_high);
    }
  return parts;
}

void paint_roofline(QPainter& painter, const RooflineScene& scene, const RooflineParts& parts) {
  paint_surface(painter, parts.bounds, scene.look.colors.surface);
  RooflinePicture picture(painter, scene, parts);
  picture.title();
  picture.axes();
  picture.roofs();
  picture.points();
  picture.table();
  picture.notes();
}

std::optional<RooflineHit> roofline_hit(const RooflineScene& scene, const RooflineParts& parts,
                                        const QPointF& position) {
  for (size_t i = 0; i < scene.kernels.size(); ++i)
    if (parts.table_row(i).contains(position)) return RooflineHit{false, i};
  std::optional<RooflineHit> hit;
  double least = scene.look.px(kNear);
  const auto look = [&](const std::vector<KernelSum>& sums, bool of_step) {
    for (size_t i = 0; i < sums.size(); ++i) {
      const WorkSum& sum = sums[i].sum;
      const QPointF at = scene.has_points()
                             ? parts.at(sum.intensity(), sum.gops())
                             : QPointF(parts.at(sum.intensity(), 1).x(), parts.plot.bottom());
      const double away = std::hypot(at.x() - position.x(), at.y() - position.y());
      if (away <= least) hit = RooflineHit{of_step, i}, least = away;
    }
  };
  look(scene.kernels, false);  // drawn above the steps
  if (!hit && scene.has_points()) look(scene.steps, true);
  return hit;
}

}  // namespace attn::gui
