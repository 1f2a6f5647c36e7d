// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/head_lines_painter.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>

#include "gui/models/text.h"
#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/views/attention/lines/line_raster.h"
#include "gui/widgets/text/number_signs.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

namespace {

constexpr double kThinnest = 0.6, kThickest = 6;  // width of lines of weights 0 and 1, px at 100%
constexpr double kFaintest = 0.14;                // opacity of a line of weight 0
// At a token the ends of the lines of all heads are spread over this part of the token's height.
constexpr double kHeadsApart = 0.5;

class LinesPicture {
 public:
  LinesPicture(QPainter& painter, const HeadLinesPicture& in)
      : p_(painter),
        in_(in),
        scene_(in.scene),
        layout_(in.layout),
        look_(scene_.look),
        colors_(look_.colors) {
    const QFontMetricsF metrics(look_.mono);
    line_ = metrics.ascent() + metrics.descent();
    digits_ = text_width(
        look_.mono, QString::number(std::max<int64_t>({0, scene_.rows() - 1, scene_.keys() - 1})));
  }

  void caption();
  void head_names();
  void names();
  void line_paths();
  void line_image();
  void labels(LineSide side);
  void values();
  void row_bars();
  void outside();
  void first_token();
  void phases();
  void legend();
  void footer();
  void positions();

 private:
  const CanvasAxis& axis(LineSide side) const {
    return side == LineSide::kQuery ? in_.queries : in_.keys;
  }
  double middle(LineSide side, int64_t position) const {
    return layout_.lines.top() + axis(side).to_pixel(static_cast<double>(position) + 0.5);
  }
  bool in_window(LineSide side, int64_t position) const {
    const double y = middle(side, position);
    return y >= layout_.lines.top() - 1 && y <= layout_.lines.bottom() + 1;
  }
  int64_t count(LineSide side) const {
    return side == LineSide::kQuery ? scene_.rows() : scene_.keys();
  }
  const QColor& color_of(int64_t head) const {
    return scene_.head_colors[static_cast<size_t>(head)];
  }
  double width_of(const HeadLine& line) const;  // px
  // The number of the line / scene_.full(); for weights the weight itself.
  double part_of(const HeadLine& line) const {
    return static_cast<double>(line.weight) / scene_.full();
  }
  void label(LineSide side, int64_t position, bool pointed_out, bool partner);
  std::vector<int64_t> partners(LineSide side) const;
  void diamond(const QPointF& at, double radius);
  void triangle(const QPointF& at, bool up);
  QString number_text(double number) const;
  double largest_sum() const;
  bool has_row_bars() const;
  double legend_text(const QString& text, double y, double indent, const QColor& color);

  QPainter& p_;
  const HeadLinesPicture& in_;
  const HeadLinesScene& scene_;
  const HeadLinesLayout& layout_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  double line_ = 0, digits_ = 0;
};

void LinesPicture::caption() {
  if (layout_.caption_lines.empty()) return;
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  paint_lines(p_, layout_.caption, layout_.caption_lines);
}

void LinesPicture::head_names() {
  if (layout_.head_column <= 0) return;
  const QRectF& area = layout_.head_names;
  const auto columns =
      std::max<int64_t>(1, static_cast<int64_t>(std::lround(area.width() / layout_.head_column)));
  const double line = QFontMetricsF(look_.small).height(), sample = look_.px(14);
  p_.setFont(look_.small);
  for (int64_t i = 0; i < std::ssize(scene_.heads); ++i) {
    const int64_t head = scene_.heads[static_cast<size_t>(i)];
    const double x = area.left() + static_cast<double>(i % columns) * layout_.head_column,
                 y = area.top() + static_cast<double>(i / columns) * line;
    p_.fillRect(QRectF(x, y + line / 2 - look_.px(2), sample, look_.px(4)), color_of(head));
    p_.setPen(colors_.text);
    draw_line(p_, QRectF(x + sample + look_.px(4), y, layout_.head_column, line),
              Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, head_name(head));
  }
}

void LinesPicture::names() {
  const bool cross = !scene_.keys_are_tokens();
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  const double y = layout_.axis_names.top(), high = layout_.axis_names.height();
  const double half = (layout_.left_labels.right() + layout_.right_labels.left()) / 2;
  // The name of the axis ends at the right of the column of tokens; a wider name reaches over the
  // lines.
  const bool of_encoder = scene_.base.is_encoder();
  const QString reads = of_encoder ? tr("encoder (query), reads →")
                        : cross    ? tr("decoder (query), reads →")
                                   : tr("query, reads →");
  const double right = std::max(layout_.left_labels.right(),
                                layout_.caption.left() + text_width(look_.small, reads));
  draw_line(p_, QRectF(layout_.caption.left(), y, right - layout_.caption.left(), high),
            Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, reads);
  const QString is_read = cross || of_encoder ? tr("encoder (key), is read") : tr("key, is read");
  double left = std::max(half, layout_.right_labels.left());
  // A narrow picture must not end within the name.
  if (scene_.caption)
    left = std::min(left, layout_.caption.right() - text_width(look_.small, is_read));
  draw_line(p_, QRectF(left, y, layout_.right_values.right() - layout_.right_labels.left(), high),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, is_read);
}

QRgb opaque(const QColor& color) {
  return QColor(color.red(), color.green(), color.blue()).rgb();
}

double LinesPicture::width_of(const HeadLine& line) const {
  // The height of a row limits the width of a line, to keep the lines of the next query visible.
  return std::min(std::max(1.0, in_.queries.scale * 0.9),
                  look_.px(10) / 10.0 * line_width(part_of(line)));
}

void LinesPicture::line_paths() {
  p_.save();
  p_.setClipRect(layout_.lines.adjusted(0, -edge_distance(look_) - 4, 0, edge_distance(look_) + 4));
  p_.setBrush(Qt::NoBrush);
  const double left = layout_.lines.left(), right = layout_.lines.right();
  const double bend = (right - left) * kCurveBend;
  for (const HeadLine& one : in_.shown.lines) {
    QColor color = color_of(one.head);
    color.setAlphaF(static_cast<float>(line_opacity(part_of(one))));
    p_.setPen(QPen(color, width_of(one), Qt::SolidLine, Qt::FlatCap));
    const QPointF from(left, line_end(in_, LineSide::kQuery, one.query, one.head));
    const QPointF to(right, line_end(in_, LineSide::kKey, one.key, one.head));
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    p_.drawPath(path);
  }
  p_.restore();
}

void LinesPicture::line_image() {
  const double ratio = p_.device()->devicePixelRatio(), room = edge_distance(look_) + 4;
  const QRectF& area = layout_.lines;
  const QRect pixels = QRectF(area.left() * ratio, (area.top() - room) * ratio,
                              area.width() * ratio, (area.height() + 2 * room) * ratio)
                           .toAlignedRect();
  if (in_.shown.lines.empty() || pixels.isEmpty()) return;
  LineRaster raster(pixels.size(), opaque(colors_.surface), area.left() * ratio - pixels.left(),
                    area.right() * ratio - pixels.left());
  const auto y = [&](LineSide side, int64_t position, int64_t head) {
    return line_end(in_, side, position, head) * ratio - pixels.top();
  };
  for (const HeadLine& one : in_.shown.lines)
    raster.add({.from = y(LineSide::kQuery, one.query, one.head),
                .to = y(LineSide::kKey, one.key, one.head),
                .width = width_of(one) * ratio,
                .color = opaque(color_of(one.head)),
                .opacity = line_opacity(part_of(one))});
  QImage image = raster.image();
  image.setDevicePixelRatio(ratio);
  p_.drawImage(QPointF(pixels.topLeft()) / ratio, image);
}

// The tokens of this side at the other ends of the chosen token's lines, largest weight first.
std::vector<int64_t> LinesPicture::partners(LineSide side) const {
  std::vector<int64_t> found;
  const auto chosen = scene_.chosen();
  if (!chosen || chosen->side == side) return found;
  std::vector<bool> seen(static_cast<size_t>(count(side)));
  for (auto line = in_.shown.lines.rbegin(); line != in_.shown.lines.rend(); ++line) {
    const int64_t position = side == LineSide::kKey ? line->key : line->query;
    if (seen[static_cast<size_t>(position)]) continue;
    seen[static_cast<size_t>(position)] = true;
    found.push_back(position);
  }
  return found;
}

void LinesPicture::labels(LineSide side) {
  const CanvasAxis& along = axis(side);
  const int64_t every = label_every(along.scale, line_);
  const double room = line_ / along.scale;  // height of a label, in tokens
  const auto chosen = scene_.chosen();
  std::vector<int64_t> pointed;
  if (chosen && chosen->side == side) pointed.push_back(chosen->position);
  if (scene_.pointed && scene_.pointed->side == side && scene_.pointed != chosen)
    pointed.push_back(scene_.pointed->position);
  if (scene_.locked && scene_.locked->side != side && scene_.keys_are_tokens())
    pointed.push_back(scene_.locked->position);
  std::vector<int64_t> placed;
  const auto is_free = [&](int64_t position) {
    return std::ranges::none_of(placed, [&](int64_t other) {
      return std::abs(static_cast<double>(position - other)) < std::max(1.0, room);
    });
  };
  const auto place = [&](int64_t position, bool out, bool partner) {
    if (position < 0 || position >= count(side) || !in_window(side, position)) return;
    if (!is_free(position)) return;
    placed.push_back(position);
    label(side, position, out, partner);
  };
  for (const int64_t position : pointed) place(position, true, false);
  for (const int64_t position : partners(side)) place(position, false, true);
  const auto first = std::max<int64_t>(0, static_cast<int64_t>(std::floor(along.visible_begin())));
  const auto last = std::min(count(side), static_cast<int64_t>(std::ceil(along.visible_end())));
  for (int64_t i = (first + every - 1) / every * every; i < last; i += every)
    place(i, false, false);
}

void LinesPicture::label(LineSide side, int64_t position, bool pointed_out, bool partner) {
  const bool left = side == LineSide::kQuery;
  const QRectF& column = left ? layout_.left_labels : layout_.right_labels;
  const QRectF whole(column.left(), middle(side, position) - line_ / 2, column.width(), line_);
  const auto chosen = scene_.chosen();
  TokenLabelStyle style;
  style.font = look_.mono;
  style.color = chosen && !partner && !pointed_out ? colors_.muted : colors_.text;
  style.faint = colors_.muted;
  style.align = left ? Qt::AlignRight : Qt::AlignLeft;
  if (pointed_out) {
    p_.setPen(Qt::NoPen);
    p_.setBrush(colors_.accent);
    p_.drawRoundedRect(whole, 3, 3);
    style.color = style.faint = look_.text_on(colors_.accent);
  }
  if (!left && position == scene_.marked_key) {
    p_.setPen(QPen(colors_.accent, look_.line(1)));
    p_.setBrush(Qt::NoBrush);
    p_.drawRoundedRect(whole.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
  const double gap = look_.px(4);
  QRectF number = whole, token = whole;
  if (left) {
    number.setLeft(whole.right() - digits_ - gap);
    number.setRight(whole.right() - gap);
    token.setRight(number.left() - gap);
    token.setLeft(whole.left() + gap / 2);
  } else {
    number.setLeft(whole.left() + gap);
    number.setWidth(digits_);
    token.setLeft(number.right() + gap);
    token.setRight(whole.right() - gap / 2);
  }
  p_.setPen(pointed_out ? style.color : style.faint);
  p_.setFont(style.font);
  NumberSigns::of(style.font).draw(p_, number, QString::number(position), Qt::AlignRight);
  if (const TokenView* view = scene_.token_at(side, position))
    paint_token(p_, token, token_text(view->text), style);
}

void LinesPicture::values() {
  const auto chosen = scene_.chosen();
  if (!chosen || layout_.value_heads == 0) return;
  const LineSide side = chosen->side == LineSide::kQuery ? LineSide::kKey : LineSide::kQuery;
  const QRectF& column = side == LineSide::kKey ? layout_.right_values : layout_.left_values;
  std::vector<int64_t> heads(scene_.heads);
  if (static_cast<int64_t>(heads.size()) > layout_.value_heads)
    heads.resize(static_cast<size_t>(layout_.value_heads));
  const auto place_of = [&](int64_t head) {
    return std::ranges::find(heads, head) - heads.begin();
  };
  const double x0 = side == LineSide::kKey
                        ? column.left()
                        : column.right() - static_cast<double>(heads.size()) * layout_.value_width;
  p_.setFont(look_.mono);
  if (scene_.heads.size() > 1)
    for (const int64_t head : heads) {
      const QRectF room(x0 + static_cast<double>(place_of(head)) * layout_.value_width,
                        layout_.axis_names.top(), layout_.value_width, line_);
      p_.setPen(color_of(head));
      draw_line(p_, room.adjusted(0, 0, -look_.px(6), 0), Qt::AlignRight | Qt::AlignVCenter,
                tr("h%1").arg(head));
    }
  // The largest numbers are drawn first. A number that would touch an earlier one in its column is
  // left out.
  std::map<int64_t, std::vector<double>> taken;
  for (auto line = in_.shown.lines.rbegin(); line != in_.shown.lines.rend(); ++line) {
    const int64_t position = side == LineSide::kKey ? line->key : line->query;
    const auto at = place_of(line->head);
    if (at == static_cast<std::ptrdiff_t>(heads.size()) || !in_window(side, position)) continue;
    const double y = middle(side, position);
    std::vector<double>& used = taken[at];
    if (std::ranges::any_of(used, [&](double other) { return std::abs(other - y) < line_ * 0.95; }))
      continue;
    used.push_back(y);
    p_.setPen(scene_.heads.size() > 1 ? color_of(line->head) : colors_.text);
    draw_line(p_,
              QRectF(x0 + static_cast<double>(at) * layout_.value_width, y - line_ / 2,
                     layout_.value_width - look_.px(6), line_),
              Qt::AlignRight | Qt::AlignVCenter, number_text(static_cast<double>(line->weight)));
  }
}

// A weight × length can be larger than 1, and has no more room than a weight.
QString LinesPicture::number_text(double number) const {
  if (scene_.shows_weights() || number < 0.9995) return weight_text(number);
  return format_number(number, 4);
}

double LinesPicture::largest_sum() const {
  double largest = 0;
  for (int64_t query = 0; query < scene_.rows(); ++query)
    if (in_window(LineSide::kQuery, query))
      if (const double sum = scene_.row_sum(query); sum > largest) largest = sum;
  return largest;
}

bool LinesPicture::has_row_bars() const {
  const auto chosen = scene_.chosen();
  return !scene_.shows_weights() && layout_.value_heads > 0 && in_.queries.scale >= 3 &&
         !(chosen && chosen->side == LineSide::kKey);
}

// If weight × length is shown and there is room, draws bars of row sums beside the queries. If a
// key is chosen, there are none, because the numbers of its lines are there.
void LinesPicture::row_bars() {
  if (!has_row_bars()) return;
  const double full = largest_sum();
  if (!(full > 0)) return;
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  const QRectF& column = layout_.left_values;
  const double right = column.right() - look_.px(6), room = right - column.left();
  const double high = std::min<double>(look_.px(8), in_.queries.scale * 0.7);
  for (int64_t query = 0; query < scene_.rows(); ++query) {
    const double sum = scene_.row_sum(query);
    if (std::isnan(sum) || !in_window(LineSide::kQuery, query)) continue;
    const double wide = room * sum / full, y = middle(LineSide::kQuery, query) - high / 2;
    p_.fillRect(QRectF(column.left(), y, room, high), colors_.line);
    p_.fillRect(QRectF(right - wide, y, wide, high), colors_.muted);
  }
  p_.restore();
}

void LinesPicture::triangle(const QPointF& at, bool up) {
  const double r = look_.px(4), tip = up ? -r : r;
  p_.setPen(Qt::NoPen);
  p_.setBrush(colors_.text);
  p_.drawPolygon(QPolygonF(
      {{at.x() - r, at.y() - tip / 2}, {at.x() + r, at.y() - tip / 2}, {at.x(), at.y() + tip}}));
}

// Draws marks for tokens outside the window: how many lines go to keys there, with their share of
// the sum, and how many rows there read the chosen key.
void LinesPicture::outside() {
  const LinesShown& shown = in_.shown;
  const auto share = [&](double mass) {
    return QLocale().toString(in_.shown.mass > 0 ? mass / in_.shown.mass : 0, 'f', 3);
  };
  p_.setFont(look_.small);
  const double gap = look_.px(22), edge = edge_distance(look_);
  // In a picture that has no room for `brief` the number stands alone.
  const auto mark = [&](const QRectF& column, bool up, const QString& full, const QString& brief,
                        const QString& number) {
    const bool left = column.right() <= layout_.lines.left() + 1;
    const double y = up ? layout_.lines.top() - edge : layout_.lines.bottom() + edge;
    // At the top of the key side the mark is further right, because the diamond of the first token
    // may be there.
    const double x = !left && up ? look_.px(14) : look_.px(8);
    triangle({left ? column.right() - x : column.left() + x, y}, up);
    p_.setPen(colors_.text);
    const QRectF room(left ? layout_.left_values.left() : column.left() + gap, y - line_ / 2,
                      left ? column.right() - gap - layout_.left_values.left()
                           : layout_.right_values.right() - column.left() - gap,
                      line_);
    const double most =
        left ? room.right() - layout_.caption.left() : layout_.caption.right() - room.left();
    const bool fits = !scene_.caption || text_width(look_.small, brief) <= most;
    draw_line(p_, room,
              (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter | Qt::TextDontClip,
              text_width(look_.small, full) <= room.width() ? full
              : fits                                        ? brief
                                                            : number);
  };
  if (shown.lines_above > 0)
    mark(layout_.right_labels, true,
         tr("lines to earlier keys: %1, share %2")
             .arg(format_count(shown.lines_above), share(shown.mass_above)),
         tr("share above: %1").arg(share(shown.mass_above)), share(shown.mass_above));
  if (shown.lines_below > 0)
    mark(layout_.right_labels, false,
         tr("lines to later keys: %1, share %2")
             .arg(format_count(shown.lines_below), share(shown.mass_below)),
         tr("share below: %1").arg(share(shown.mass_below)), share(shown.mass_below));
  // With several heads a row counts once for each head that reads the key.
  const bool one = scene_.heads.size() == 1;
  if (in_.shown.readers_above > 0)
    mark(layout_.left_labels, true,
         (one ? tr("earlier rows that read this key: %1")
              : tr("earlier rows that read this key, added up over the heads: %1"))
             .arg(format_count(in_.shown.readers_above)),
         tr("earlier: %1").arg(format_count(in_.shown.readers_above)),
         format_count(in_.shown.readers_above));
  if (in_.shown.readers_below > 0)
    mark(layout_.left_labels, false,
         (one ? tr("later rows that read this key: %1")
              : tr("later rows that read this key, added up over the heads: %1"))
             .arg(format_count(in_.shown.readers_below)),
         tr("later: %1").arg(format_count(in_.shown.readers_below)),
         format_count(in_.shown.readers_below));
}

void LinesPicture::diamond(const QPointF& at, double radius) {
  p_.setPen(QPen(colors_.text, look_.line(1.5)));
  p_.setBrush(colors_.surface);
  p_.drawPolygon(QPolygonF({{at.x(), at.y() - radius},
                            {at.x() + radius, at.y()},
                            {at.x(), at.y() + radius},
                            {at.x() - radius, at.y()}}));
}

void LinesPicture::first_token() {
  if (scene_.keys() == 0 || scene_.rows() == 0) return;
  const bool seen = in_window(LineSide::kKey, 0);
  const double y = seen ? middle(LineSide::kKey, 0) : layout_.lines.top() - edge_distance(look_);
  diamond({layout_.lines.right(), y}, look_.px(5));
}

// Draws a bar beside the rows in the colours of prefill, for prompt tokens, and decode, for
// generated tokens.
void LinesPicture::phases() {
  if (scene_.prompt_len <= 0 || scene_.prompt_len >= scene_.rows()) return;
  const double boundary =
      layout_.lines.top() + in_.queries.to_pixel(static_cast<double>(scene_.prompt_len));
  const double top = layout_.lines.top(),
               bottom = std::min(layout_.lines.bottom(),
                                 top + in_.queries.to_pixel(static_cast<double>(scene_.rows())));
  const double cut = std::clamp(boundary, top, bottom);
  const double x = layout_.lines.left() - look_.px(3), wide = look_.px(3);
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  if (cut > top) p_.fillRect(QRectF(x, top, wide, cut - top), colors_.prefill);
  // The part of the generated tokens is dashed, so that the two differ in more than colour.
  const double dash = look_.px(4);
  for (double y = cut; y < bottom; y += 2 * dash)
    p_.fillRect(QRectF(x, y, wide, std::min(dash, bottom - y)), colors_.decode);
  p_.restore();
}

double LinesPicture::legend_text(const QString& text, double y, double indent,
                                 const QColor& color) {
  const QRectF room(layout_.legend.left() + indent, y, layout_.legend.width() - indent, 1000);
  const double high = QFontMetricsF(look_.small)
                          .boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, text)
                          .height();
  if (y + high > layout_.legend.bottom()) return layout_.legend.bottom() + 1;
  p_.setFont(look_.small);
  p_.setPen(color);
  p_.drawText(QRectF(room.left(), y, room.width(), high), Qt::AlignLeft | Qt::TextWordWrap, text);
  return y + high + look_.px(4);
}

void LinesPicture::legend() {
  if (layout_.legend.width() <= 0) return;
  const double x = layout_.legend.left(), sample = look_.px(40), indent = look_.px(48);
  double y =
      legend_text(short_name_of(scene_.base.quantity), layout_.legend.top(), 0, colors_.text);
  const QColor& color = color_of(scene_.heads.empty() ? 0 : scene_.heads.front());
  for (const double weight : {1.0, 0.5, 0.2, 0.05}) {
    QColor shade = color;
    shade.setAlphaF(static_cast<float>(line_opacity(weight)));
    p_.setPen(QPen(shade, look_.px(10) / 10.0 * line_width(weight), Qt::SolidLine, Qt::FlatCap));
    p_.drawLine(QPointF(x, y + line_ / 2), QPointF(x + sample, y + line_ / 2));
    y = legend_text(scene_.shows_weights() ? QLocale().toString(weight, 'g', 2)
                                           : format_number(weight * scene_.full(), 3),
                    y, indent, colors_.text);
  }
  if (has_row_bars() && y + line_ <= layout_.legend.bottom()) {
    p_.fillRect(QRectF(x, y + line_ / 2 - look_.px(4), sample, look_.px(8)), colors_.muted);
    y = legend_text(tr("row sum %1").arg(format_number(largest_sum(), 3)), y, indent, colors_.text);
  }
  y += look_.px(8);
  if (scene_.heads.size() > 1 || scene_.caption)
    for (const int64_t head : scene_.heads) {
      if (y + line_ > layout_.legend.bottom()) return;
      p_.fillRect(QRectF(x, y + line_ / 2 - look_.px(2), sample, look_.px(4)), color_of(head));
      y = legend_text(head_name(head), y, indent, colors_.text);
    }
  y += look_.px(8);
  const double mark = look_.px(6), text = look_.px(18);
  if (y + line_ > layout_.legend.bottom()) return;
  diamond({x + mark, y + line_ / 2}, look_.px(5));
  const bool one_key = scene_.chosen() && scene_.chosen()->side == LineSide::kKey;
  const bool one_row = scene_.chosen() && scene_.chosen()->side == LineSide::kQuery;
  const QString share =
      in_.shown.mass > 0 ? format_number(100 * in_.shown.first / in_.shown.mass, 3) : QString();
  QString first = tr("first token");
  if (!one_key && !share.isEmpty())
    first = (scene_.shows_weights() ? (one_row ? tr("first token: %1% of the weights of this query")
                                               : tr("first token: %1% of the weights of the rows "
                                                    "shown"))
                                    : (one_row ? tr("first token: %1% of the sum of this query")
                                               : tr("first token: %1% of the sum of the rows "
                                                    "shown")))
                .arg(share);
  y = legend_text(first, y, text, colors_.muted);
  if (!in_.keys.is_fit() && y + line_ <= layout_.legend.bottom()) {
    triangle({x + mark, y + line_ / 2}, true);
    y = legend_text(tr("lines to keys out of sight end at the edge"), y, text, colors_.muted);
  }
  if (scene_.prompt_len <= 0 || scene_.prompt_len >= scene_.rows()) return;
  for (const bool prompt : {true, false}) {
    if (y + line_ > layout_.legend.bottom()) return;
    const double high = line_ - look_.px(2), dash = look_.px(4);
    for (double part = 0; part < high; part += prompt ? high : 2 * dash)
      p_.fillRect(
          QRectF(x + mark - 1, y + part, look_.px(3), prompt ? high : std::min(dash, high - part)),
          prompt ? colors_.prefill : colors_.decode);
    y = legend_text(prompt ? tr("prompt") : tr("generated"), y, text, colors_.muted);
  }
}

void LinesPicture::footer() {
  if (layout_.footer.isEmpty()) return;
  const QString text = footer_text(scene_, in_.shown);
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  if (scene_.caption)
    return paint_lines(p_, layout_.footer,
                       wrapped_lines(look_.small, text, layout_.footer.width()));
  draw_line(p_, layout_.footer, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.small, text, layout_.footer.width()));
}

// Which part of the sequence the window shows. Files have no such bar.
void LinesPicture::positions() {
  if (scene_.caption || in_.keys.is_fit()) return;
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  const QRectF track(layout_.right_values.right() + look_.px(4), layout_.lines.top(), look_.px(3),
                     layout_.lines.height());
  p_.fillRect(track, colors_.line);
  const double from = in_.keys.visible_begin() / in_.keys.length(),
               to = in_.keys.visible_end() / in_.keys.length();
  p_.fillRect(QRectF(track.left(), track.top() + from * track.height(), track.width(),
                     std::max(8.0, (to - from) * track.height())),
              colors_.accent);
  p_.restore();
}

}  // namespace

double line_width(double weight) {
  return kThinnest + (kThickest - kThinnest) * std::clamp(weight, 0.0, 1.0);
}

double line_opacity(double weight) {
  return kFaintest + (1 - kFaintest) * std::clamp(weight, 0.0, 1.0);
}

double line_end(const HeadLinesPicture& picture, LineSide side, int64_t position, int64_t head) {
  const CanvasAxis& axis = side == LineSide::kQuery ? picture.queries : picture.keys;
  const auto heads = static_cast<double>(picture.scene.heads.size());
  const auto place = static_cast<double>(std::ranges::find(picture.scene.heads, head) -
                                         picture.scene.heads.begin());
  const double apart = heads > 1 ? ((place + 0.5) / heads - 0.5) * axis.scale * kHeadsApart : 0;
  const double y = axis.to_pixel(static_cast<double>(position) + 0.5);
  const QRectF& area = picture.layout.lines;
  const double edge = edge_distance(picture.scene.look);
  if (y < -1) return area.top() - edge;
  if (y > area.height() + 1) return area.bottom() + edge;
  return area.top() + y + apart;
}

void paint_head_lines(QPainter& painter, const HeadLinesPicture& picture) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  LinesPicture parts(painter, picture);
  if (!picture.scene.caption) parts.line_image();
  parts.caption();
  parts.head_names();
  parts.names();
  if (picture.scene.caption) parts.line_paths();
  parts.phases();
  parts.labels(LineSide::kQuery);
  parts.labels(LineSide::kKey);
  parts.row_bars();
  parts.values();
  parts.outside();
  parts.first_token();
  parts.legend();
  parts.footer();
  parts.positions();
  painter.restore();
}

}  // namespace attn::gui
