// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/rotary/rotary_painter.h"

#include <QCoreApplication>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "gui/theme/theme.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr double kLeastDial = 8;    // px, least diameter of a dial
constexpr double kLeastChart = 72;  // px at 100%, least room per chart

class RotaryPicture {
  Q_DECLARE_TR_FUNCTIONS(Rotary)
 public:
  RotaryPicture(QPainter& painter, const RotaryScene& scene, const RotaryParts& parts)
      : p_(painter),
        scene_(scene),
        look_(scene.look),
        colors_(scene.look.colors),
        parts_(parts),
        shown_(scene.shown()) {}

  void title();
  void bars();
  void dials();
  void turns();
  void curve();
  void facts();
  void legend();

 private:
  QColor color_of(double part) const { return part < 0 ? colors_.bad : colors_.good; }
  double middle_of(size_t pair) const {
    return parts_.bars.left() + (static_cast<double>(pair) + 0.5) * parts_.column;
  }
  void axis(const QRectF& area, double low, double high, const QString& name);
  void entry(const QString& text, const QColor& color, bool hollow, bool line);

  QPainter& p_;
  const RotaryScene& scene_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const RotaryParts& parts_;
  RotaryScore shown_;
  double x_ = 0;  // x of the next legend entry
};

void RotaryPicture::title() {
  if (parts_.title.isEmpty()) return;
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  paint_lines(
      p_, parts_.title,
      title_lines(look_.title_bold, rotary_title(scene_), parts_.title.width(), scene_.caption));
}

double y_of(const QRectF& area, double low, double high, double value) {
  return area.bottom() - (value - low) / (high - low) * area.height();
}

void RotaryPicture::axis(const QRectF& area, double low, double high, const QString& name) {
  const int most = std::max(2, static_cast<int>(area.height() / look_.px(28)));
  const std::vector<double> ticks = nice_ticks(low, high, most);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  p_.setFont(look_.mono);
  for (const double tick : ticks) {
    const double y = std::round(y_of(area, low, high, tick)) + 0.5;
    p_.setPen(QPen(tick == 0 ? colors_.muted : colors_.line, 1));
    p_.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    p_.setPen(colors_.muted);
    draw_line(p_, QRectF(area.left() - look_.px(60), y - look_.px(8), look_.px(54), look_.px(16)),
              Qt::AlignRight | Qt::AlignVCenter, format_tick(tick, step));
  }
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  draw_line(
      p_, QRectF(area.left() - look_.px(54), area.top() - look_.px(20), area.width(), look_.px(16)),
      Qt::AlignLeft | Qt::AlignVCenter, elided_text(look_.small, name, area.width()));
}

// The outline of a bar spans what the part can be at any distance. The line is the running sum of
// the parts, with what does not turn at its end.
void RotaryPicture::bars() {
  double low = 0, high = 0, sum = 0;
  std::vector<double> sums;
  for (const RotaryScore::Pair& pair : shown_.pairs) {
    const double most = shown_.scale * pair.query_length * pair.key_length;
    sums.push_back(sum += pair.part);
    low = std::min({low, sum, -most});
    high = std::max({high, sum, most});
  }
  low = std::min(low, shown_.score());
  high = std::max(high, shown_.score()) + 1e-9;
  const QRectF& area = parts_.bars;
  axis(area, low, high, tr("part of the score, by pair of elements"));
  const auto y = [&](double value) { return y_of(area, low, high, value); };
  const double wide = std::max(2.0, parts_.column * 0.62);
  for (size_t p = 0; p < shown_.pairs.size(); ++p) {
    const RotaryScore::Pair& pair = shown_.pairs[p];
    const double most = shown_.scale * pair.query_length * pair.key_length;
    const double left = middle_of(p) - wide / 2;
    if (static_cast<int>(p) == scene_.pointed_pair)
      p_.fillRect(QRectF(middle_of(p) - parts_.column / 2, area.top(), parts_.column,
                         std::max(area.bottom(), parts_.turns.bottom()) - area.top()),
                  colors_.raised);
    p_.setPen(QPen(colors_.muted, 1, Qt::DotLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(QRectF(QPointF(left, y(most)), QPointF(left + wide, y(-most))));
    p_.fillRect(QRectF(QPointF(left, y(std::max(0.0, pair.part))),
                       QPointF(left + wide, y(std::min(0.0, pair.part)))),
                color_of(pair.part));
  }
  QPainterPath line(QPointF(area.left(), y(0)));
  for (size_t p = 0; p < sums.size(); ++p) {
    const double from = p == 0 ? 0 : sums[p - 1];
    line.lineTo(middle_of(p), y(from));
    line.lineTo(middle_of(p), y(sums[p]));
  }
  line.lineTo(area.right(), y(sums.empty() ? 0 : sums.back()));
  line.lineTo(area.right(), y(shown_.score()));  // plus what does not turn
  p_.setPen(QPen(colors_.accent, look_.line(1.75)));
  p_.setBrush(Qt::NoBrush);
  p_.drawPath(line);
  p_.setFont(look_.mono);
  p_.setPen(colors_.text);
  draw_line(p_,
            QRectF(area.right() + look_.px(4), y(shown_.score()) - look_.px(8), look_.px(72),
                   look_.px(16)),
            Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("= ") + format_number(shown_.score()));
}

void RotaryPicture::dials() {
  if (parts_.dials.isEmpty()) return;
  const double radius = std::min(parts_.column * 0.44, parts_.dials.height() / 2 - 1);
  for (size_t p = 0; p < shown_.pairs.size(); ++p) {
    const RotaryScore::Pair& pair = shown_.pairs[p];
    const QPointF middle(middle_of(p), parts_.dials.center().y());
    p_.setPen(QPen(colors_.line, 1));
    p_.setBrush(Qt::NoBrush);
    p_.drawEllipse(middle, radius, radius);
    p_.setPen(QPen(color_of(pair.part), look_.line(2), Qt::SolidLine, Qt::RoundCap));
    p_.drawLine(middle, middle + QPointF(std::sin(pair.angle), -std::cos(pair.angle)) * radius);
  }
}

void RotaryPicture::turns() {
  if (parts_.turns.isEmpty()) return;
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  double free = parts_.turns.left();
  for (size_t p = 0; p < shown_.pairs.size(); ++p) {
    const double tokens = 2 * std::numbers::pi / shown_.pairs[p].frequency;
    const QString text = tokens < 10 ? format_tick(tokens, 0.1) : format_number(tokens, 2);
    const double wide = text_width(look_.small, text), left = middle_of(p) - wide / 2;
    if (left < free) continue;
    draw_line(p_, QRectF(left, parts_.turns.top(), wide + 2, parts_.turns.height() / 2),
              Qt::AlignLeft | Qt::AlignVCenter, text);
    free = left + wide + look_.px(8);
  }
  const double room = parts_.turns.width();
  QString words =
      tr("tokens of distance in which a pair turns once; dial: angle between query and key");
  if (text_width(look_.small, words) > room)
    words = tr("tokens for one turn; dial: angle of query to key");
  draw_line(p_,
            QRectF(parts_.turns.left(), parts_.turns.center().y(), room, parts_.turns.height() / 2),
            Qt::AlignHCenter | Qt::AlignVCenter, elided_text(look_.small, words, room));
}

void RotaryPicture::curve() {
  const QRectF& area = parts_.curve;
  if (area.isEmpty()) return;
  // About a point per pixel, but at most eight per token of distance.
  const auto count = static_cast<size_t>(
      std::min<double>(std::max(2.0, area.width()), static_cast<double>(scene_.longest) * 8 + 1));
  std::vector<QPointF> points;
  double low = 0, high = 0;
  for (size_t i = 0; i < count; ++i) {
    const double distance = static_cast<double>(scene_.longest) * static_cast<double>(i) /
                            static_cast<double>(count - 1);
    points.emplace_back(distance, scene_.cell->score.at_distance(distance));
    low = std::min(low, points.back().y());
    high = std::max(high, points.back().y());
  }
  high += 0.05 * (high - low) + 1e-9;
  axis(area, low, high, tr("score of the same content at another distance"));
  const auto place = [&](double distance, double value) {
    return QPointF(parts_.x_of(distance, scene_.longest), y_of(area, low, high, value));
  };
  QPainterPath path;
  for (size_t i = 0; i < points.size(); ++i) {
    const QPointF at = place(points[i].x(), points[i].y());
    i == 0 ? path.moveTo(at) : path.lineTo(at);
  }
  p_.setPen(QPen(colors_.accent, look_.line(1.75)));
  p_.setBrush(Qt::NoBrush);
  p_.drawPath(path);
  const auto most = static_cast<int>(std::max(2.0, area.width() / look_.px(70)));
  p_.setFont(look_.mono);
  p_.setPen(colors_.muted);
  for (const double tick : nice_ticks(0, static_cast<double>(scene_.longest), most))
    if (tick == std::round(tick))
      draw_line(p_,
                QRectF(parts_.x_of(tick, scene_.longest) - look_.px(30),
                       area.bottom() + look_.px(2), look_.px(60), look_.px(16)),
                Qt::AlignHCenter | Qt::AlignVCenter, format_tick(tick, 1));
  p_.setFont(look_.small);
  draw_line(p_, QRectF(area.left(), area.bottom() + look_.px(17), area.width(), look_.px(16)),
            Qt::AlignHCenter | Qt::AlignVCenter,
            elided_text(look_.small, tr("distance from the query back to the key"), area.width()));
  const RotaryScore& true_one = scene_.cell->score;
  if (scene_.looked_at) {
    const QPointF at = place(shown_.distance, shown_.score());
    p_.setPen(QPen(colors_.text, 1, Qt::DashLine));
    p_.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
    p_.setPen(QPen(colors_.text, look_.line(2)));
    p_.setBrush(colors_.surface);
    p_.drawEllipse(at, look_.px(4), look_.px(4));
  }
  if (true_one.distance > static_cast<double>(scene_.longest)) return;
  const QPointF at = place(true_one.distance, true_one.score());
  p_.setPen(QPen(colors_.surface, 1));
  p_.setBrush(colors_.accent);
  p_.drawEllipse(at, look_.px(5), look_.px(5));
}

void RotaryPicture::facts() {
  if (parts_.facts.isEmpty()) return;
  p_.setFont(look_.small);
  p_.setPen(colors_.text);
  paint_lines(p_, parts_.facts, parts_.lines);
}

void RotaryPicture::entry(const QString& text, const QColor& color, bool hollow, bool line) {
  const double side = look_.px(12), gap = look_.px(6),
               width = side + gap + text_width(look_.small, text);
  if (x_ + width > parts_.legend.right()) return;
  const QRectF box(x_, parts_.legend.center().y() - side / 2, side, side);
  if (line) {
    p_.setPen(QPen(color, look_.line(2)));
    p_.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
  } else if (hollow) {
    p_.setPen(QPen(color, 1, Qt::DotLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(box);
  } else {
    p_.fillRect(box, color);
  }
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  draw_line(p_, QRectF(box.right() + gap, parts_.legend.top(), width, parts_.legend.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
  x_ += width + look_.px(16);
}

void RotaryPicture::legend() {
  if (parts_.legend.isEmpty()) return;
  x_ = parts_.legend.left();
  entry(tr("adds to the score"), colors_.good, false, false);
  entry(tr("takes away"), colors_.bad, false, false);
  entry(tr("the most at any distance"), colors_.muted, true, false);
  entry(tr("sum so far, and the curve"), colors_.accent, false, true);
}

}  // namespace

int64_t RotaryParts::pair_at(double x, int64_t pairs) const {
  if (column <= 0) return -1;
  const auto pair = static_cast<int64_t>(std::floor((x - bars.left()) / column));
  return pair >= 0 && pair < pairs ? pair : -1;
}

double RotaryParts::distance_at(double x, int64_t longest) const {
  return (x - curve.left()) / std::max(1.0, curve.width()) * static_cast<double>(longest);
}

double RotaryParts::x_of(double distance, int64_t longest) const {
  return curve.left() +
         distance / static_cast<double>(std::max<int64_t>(1, longest)) * curve.width();
}

RotaryParts rotary_parts(const RotaryScene& scene, const QRectF& bounds) {
  const PictureLook& look = scene.look;
  const double edge = look.px(8), row = look.px(24), line = look.px(17);
  RotaryParts parts;
  QRectF body = bounds.adjusted(edge, edge, -edge, 0);
  const double lines = scene.title
                           ? static_cast<double>(title_lines(look.title_bold, rotary_title(scene),
                                                             body.width(), scene.caption)
                                                     .size())
                           : 0;
  parts.title = QRectF(body.left(), body.top(), body.width(), row * lines);
  body.setTop(parts.title.bottom());
  parts.lines = {};
  for (const QString& fact : rotary_facts(scene))
    for (const QString& part : wrapped_lines(look.small, fact, body.width()))
      parts.lines.push_back(part);
  const auto pairs = static_cast<double>(std::max<size_t>(1, scene.cell->score.pairs.size()));
  const double left = look.px(60), right = look.px(80), above = look.px(20), turns = look.px(32);
  parts.column = (body.width() - left - right) / pairs;
  const double diameter = std::min(parts.column * 0.88, look.px(36) * 1.0);
  const double dial = diameter >= kLeastDial ? diameter + look.px(4) : 0;
  const double below = line * static_cast<double>(parts.lines.size());
  // If there is no room, first the curve is left out, then the words below, then the dials and
  // turns.
  const double least = look.px(kLeastChart), words = row + below + edge,
               turning = look.px(2) + dial + turns, around_curve = look.px(28) + look.px(34),
               height = body.height() - above;
  const bool has_curve = height - words - turning - around_curve >= 2 * least;
  const bool has_words = height - words - turning >= least;
  const bool has_turns = height - turning >= least;
  if (has_words) {
    parts.legend = QRectF(body.left(), bounds.bottom() - row, body.width(), row);
    parts.facts = QRectF(body.left(), parts.legend.top() - below, body.width(), below);
    body.setBottom(parts.facts.top() - edge);
  }
  body.adjust(left, above, -right, 0);
  const double rest = std::max(
      2.0, body.height() - (has_turns ? turning : 0) - (has_curve ? around_curve : look.px(4)));
  parts.bars = QRectF(body.left(), body.top(), body.width(), has_curve ? rest * 0.55 : rest);
  if (has_turns) {
    const double top = parts.bars.bottom() + look.px(2);
    if (dial > 0) parts.dials = QRectF(body.left(), top, body.width(), dial);
    parts.turns = QRectF(body.left(), top + dial, body.width(), turns);
  }
  if (has_curve)
    parts.curve =
        QRectF(body.left(), parts.turns.bottom() + look.px(28), body.width(), rest * 0.45);
  return parts;
}

void paint_rotary(QPainter& painter, const RotaryScene& scene, const RotaryParts& parts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  RotaryPicture picture(painter, scene, parts);
  picture.title();
  picture.bars();
  picture.dials();
  picture.turns();
  picture.curve();
  picture.facts();
  picture.legend();
  painter.restore();
}

}  // namespace attn::gui
