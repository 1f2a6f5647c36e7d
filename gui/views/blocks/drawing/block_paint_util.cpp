// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_paint_util.h"

#include <QFontMetricsF>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/widgets/text/number_signs.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"

namespace attn::gui {
namespace {

constexpr double kTintOfBody = 0.26;  // part of the block's colour in the body of its cell
constexpr double kLeastTick = 3;      // px; narrower slots of a bar are not told apart
constexpr double kLeastMarked = 14;   // px; smaller cells have no corners for read and written

void paint_corner(QPainter& painter, const QRectF& body, bool left, const QColor& color,
                  double size) {
  const double x = left ? body.left() : body.right(), inwards = left ? size : -size;
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF(
      {QPointF(x, body.top()), QPointF(x + inwards, body.top()), QPointF(x, body.top() + size)}));
}

void fill_slots(QPainter& painter, const QRectF& area, int64_t filled,
                const BlockCellStyle& style) {
  const int64_t capacity = std::max<int64_t>(1, style.block_size);
  const auto columns = static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(capacity))));
  const int64_t rows = (capacity + columns - 1) / columns;
  const auto y_of = [&](int64_t row) {
    return std::round(area.top() +
                      area.height() * static_cast<double>(row) / static_cast<double>(rows));
  };
  filled = std::clamp<int64_t>(filled, 0, capacity);
  const int64_t whole = filled == capacity ? rows : filled / columns;
  painter.fillRect(QRectF(area.left(), area.top(), area.width(), y_of(whole) - area.top()),
                   style.fill);
  if (filled == capacity || filled % columns == 0) return;
  const double part = static_cast<double>(filled % columns) / static_cast<double>(columns);
  painter.fillRect(QRectF(area.left(), y_of(whole), std::round(area.width() * part),
                          y_of(whole + 1) - y_of(whole)),
                   style.fill);
}

QString number_text(const BlockCellStyle& style) {
  const QString number = QString::number(style.block);
  return style.marks_hashed ? QLatin1Char('#') + number : number;
}

}  // namespace

QBrush cached_brush() {
  return {free_edge(), Qt::BDiagPattern};
}

QColor free_edge() {
  const ThemeColors& colors = Theme::instance().colors();
  return mix(colors.surface, colors.muted, 0.7);
}

QRectF snapped(const QRectF& rect, double gap) {
  const double left = std::round(rect.left()), top = std::round(rect.top());
  return {left, top, std::max(1.0, std::round(rect.right()) - left - gap),
          std::max(1.0, std::round(rect.bottom()) - top - gap)};
}

BlockCellStyle cell_style(const BlocksScene& scene, int64_t place) {
  const EngineSnapshot& snapshot = *scene.snapshot;
  const BlockView& view = view_at(snapshot, place);
  BlockCellStyle style;
  style.block = number_at(snapshot, place);
  style.on_host = is_host_place(snapshot, place);
  style.marks_hashed = scene.coloring.by == BlockColorBy::kHashState && view.hashed;
  style.block_size = snapshot.block_size;
  style.step = snapshot.step;
  style.color = scene.coloring.color(view, snapshot.step, place);
  style.fill = scene.coloring.brush(view, snapshot.step, place);
  style.edge = scene.coloring.edge(view, snapshot.step, place);
  return style;
}

bool is_lit(const BlocksScene& scene, int64_t place) {
  const std::vector<int32_t>& lit = scene.highlight.blocks;
  return std::find(lit.begin(), lit.end(), static_cast<int32_t>(place)) != lit.end();
}

namespace {

// Draws at whole pixels, so that a number looks the same in each cell.
void draw_number(QPainter& painter, const NumberSigns& signs, const QRectF& rect,
                 const QString& number) {
  const double left = rect.center().x() - signs.width(number) / 2;
  const double baseline = rect.center().y() - signs.height() / 2 + signs.ascent();
  signs.draw(painter, rect.translated(std::round(left) - left, std::round(baseline) - baseline),
             number);
}

void paint_free_cell(QPainter& painter, const QRectF& body, const BlockView& view,
                     const BlockCellStyle& style) {
  const ThemeColors& colors = Theme::instance().colors();
  painter.setPen(QPen(free_edge(), 1, style.on_host ? Qt::DotLine : Qt::SolidLine));
  painter.setBrush(view.is_cached() ? cached_brush() : QBrush(Qt::NoBrush));
  painter.drawRect(body.adjusted(0, 0, -1, -1));
  if (!style.numbered) return;
  // A plain ground under the number, because links pass under the hollow cell.
  const QString number = number_text(style);
  const NumberSigns& signs = NumberSigns::of(painter.font());
  QRectF ground(0, 0, signs.width(number) + 4, signs.height());
  ground.moveCenter(body.center());
  painter.fillRect(ground.intersected(body.adjusted(1, 1, -1, -1)), colors.surface);
  painter.setPen(colors.muted);
  draw_number(painter, signs, body, number);
}

void paint_bar(QPainter& painter, const QRectF& bar, int64_t filled, const BlockCellStyle& style) {
  const QColor ground = mix(Theme::instance().colors().surface, style.color, kTintOfBody);
  const auto capacity = static_cast<double>(std::max<int64_t>(1, style.block_size));
  const double part = std::clamp(static_cast<double>(filled) / capacity, 0.0, 1.0);
  const double slot = bar.width() / capacity;
  painter.fillRect(QRectF(bar.left(), bar.top(), std::round(bar.width() * part), bar.height()),
                   style.fill);
  if (slot < kLeastTick) return;
  for (int64_t i = 1; i < filled; ++i)
    painter.fillRect(
        QRectF(std::round(bar.left() + static_cast<double>(i) * slot), bar.top(), 1, bar.height()),
        ground);
}

void paint_marks(QPainter& painter, const QRectF& body, const BlockView& view,
                 const BlockCellStyle& style) {
  const ThemeColors& colors = Theme::instance().colors();
  const bool taken_now = style.step > 0 && view.allocated_step == style.step;
  const bool wide = taken_now || style.on_host;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(taken_now ? colors.good : style.edge, wide ? 2 : 1,
                      style.on_host ? Qt::DotLine : Qt::SolidLine));
  const double inset = wide ? 1 : 0;
  painter.drawRect(body.adjusted(inset, inset, -1, -1));
  if (body.width() < kLeastMarked || style.step == 0) return;
  const double size = std::clamp(body.width() * 0.18, 4.0, 9.0);
  if (view.last_read_step == style.step) paint_corner(painter, body, true, colors.text, size);
  if (view.last_write_step == style.step) paint_corner(painter, body, false, colors.warning, size);
}

}  // namespace

void paint_cell_text(QPainter& painter, const QRectF& rect, const QString& words) {
  draw_number(painter, NumberSigns::of(painter.font()), rect, words);
}

double cell_text_width(const QFont& font, const QString& words) {
  return NumberSigns::of(font).width(words);
}

BlockTexts place_block_texts(const QRectF& body, double number_width, double count_width,
                             double cap_height, double line_height, bool slots_as_text) {
  constexpr double kPad = 1, kCountPad = 3;  // px: around the ground of the count; beside its text
  BlockTexts texts;
  texts.bar = slots_as_text ? 0 : std::max(4.0, std::round(body.height() * 0.28));
  QRectF number = body;
  number.setBottom(body.bottom() - texts.bar);
  if (slots_as_text) number.setHeight(Theme::instance().px(20));
  const double width = count_width > 0 ? count_width + kCountPad : 0;
  if (width + number_width + 6 <= body.width()) {
    if (width > 0)
      texts.count = QRectF(body.right() - width - kPad, body.top() + kPad, width, line_height - 2);
    const double free_right = width > 0 ? texts.count.left() - kPad : body.right();
    texts.number =
        number.translated(-std::max(0.0, body.center().x() + number_width / 2 - free_right), 0);
    return texts;
  }
  // The count is below the number, on the bar if there is one; without room it is left out.
  texts.number = number;
  if (width == 0) return texts;
  const QRectF above(body.left(), body.top() + kPad, body.width(), cap_height);
  const double high = std::ceil(cap_height) + 1;
  const QRectF count(body.right() - width - kPad, body.bottom() - high - kPad, width, high);
  if (count.top() < above.bottom() || count.left() < body.left()) return texts;
  texts.number = above;
  texts.count = count;
  if (!slots_as_text) texts.bar = std::max(texts.bar, high + kPad);
  return texts;
}

void paint_block_cell(QPainter& painter, const QRectF& body, const BlockView& view,
                      const BlockCellStyle& style) {
  const ThemeColors& colors = Theme::instance().colors();
  if (view.ref_count <= 0) return paint_free_cell(painter, body, view, style);
  painter.fillRect(body, mix(colors.surface, style.color, kTintOfBody));
  if (!style.numbered) {
    fill_slots(painter, body.adjusted(1, 1, -1, -1), view.filled, style);
    return paint_marks(painter, body, view, style);
  }
  const NumberSigns& signs = NumberSigns::of(painter.font());
  const QString number = number_text(style);
  const QString count = view.ref_count > 1 ? QStringLiteral("×%1").arg(view.ref_count) : QString();
  const BlockTexts texts = place_block_texts(
      body, signs.width(number), count.isEmpty() ? 0 : signs.width(count),
      QFontMetricsF(painter.font()).capHeight(), signs.height(), style.slots_as_text);
  if (texts.bar > 0)
    paint_bar(painter,
              {body.left() + 1, body.bottom() - texts.bar, body.width() - 2, texts.bar - 1},
              view.filled, style);
  paint_marks(painter, body, view, style);
  painter.setPen(colors.text);
  draw_number(painter, signs, texts.number, number);
  if (texts.count.isEmpty()) return;
  painter.fillRect(texts.count, colors.text);
  painter.setPen(Theme::instance().text_on(colors.text));
  draw_number(painter, signs, texts.count, count);
}

void paint_thumb(QPainter& painter, const TableLayout& tables, bool vertical) {
  const ThemeColors& colors = Theme::instance().colors();
  const QRectF body = tables.body();
  const double shown = vertical ? body.height() : body.width();
  const double all = shown + (vertical ? tables.max_scroll_y() : tables.max_scroll_x());
  const double at = vertical ? tables.scroll_y : tables.scroll_x;
  const double length = std::max(12.0, shown * shown / all),
               start = (shown - length) * at / std::max(1.0, all - shown);
  const QColor color = mix(colors.surface, colors.muted, 0.7);
  if (vertical) {
    painter.fillRect(QRectF(body.right() - 3, body.top() + start, 3, length), color);
  } else {
    painter.fillRect(QRectF(body.left() + start, body.bottom() - 3, length, 3), color);
  }
}

LegendLine::LegendLine(QPainter* painter, const QRectF& bounds, int lines)
    : painter_(painter),
      font_(Theme::instance().font(TextRole::kSmall)),
      bounds_(bounds),
      lines_(lines),
      x_(bounds.left()) {
  bounds_.setHeight(bounds.height() / lines);
  if (!painter_) return;
  painter_->save();
  painter_->setFont(font_);
  painter_->setRenderHint(QPainter::Antialiasing, true);
}

LegendLine::~LegendLine() {
  if (painter_) painter_->restore();
}

double LegendLine::width_of(const QString& name) const {
  const Theme& theme = Theme::instance();
  return theme.px(10) + theme.px(4) + text_width(font_, name) + theme.px(12);
}

// Not clipped: with some fonts and scales words are drawn wider than they were measured.
void LegendLine::write(double left, double width, const QString& words) {
  if (!painter_) return;
  painter_->setPen(Theme::instance().colors().muted);
  draw_line(*painter_, QRectF(left, bounds_.top(), width + 2, bounds_.height()),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, words);
}

bool LegendLine::find_room(double width) {
  if (x_ + width <= bounds_.right()) return true;
  if (line_ + 1 >= lines_ || width > bounds_.width()) return false;
  ++line_;
  x_ = bounds_.left();
  bounds_.translate(0, bounds_.height());
  return true;
}

bool LegendLine::entry(const QString& name, QRectF* box) {
  const Theme& theme = Theme::instance();
  const double side = theme.px(10), gap = theme.px(4), space = theme.px(12);
  const double width = text_width(font_, name);
  if (!find_room(side + gap + width)) return false;
  *box = QRectF(std::round(x_), std::round(bounds_.center().y() - side / 2), side, side);
  write(box->right() + gap, width, name);
  x_ = box->right() + gap + width + space;
  return true;
}

bool LegendLine::swatch(const QBrush& fill, const QColor& edge, const QString& name) {
  QRectF box;
  if (!entry(name, &box)) return false;
  if (!painter_) return true;
  painter_->setPen(edge);
  painter_->setBrush(fill);
  painter_->drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  return true;
}

bool LegendLine::outline(const QColor& color, const QString& name) {
  QRectF box;
  if (!entry(name, &box)) return false;
  if (!painter_) return true;
  painter_->setPen(QPen(color, 2));
  painter_->setBrush(Qt::NoBrush);
  painter_->drawRect(box.adjusted(1, 1, -1, -1));
  return true;
}

bool LegendLine::corner(const QColor& color, bool left, const QString& name) {
  QRectF box;
  if (!entry(name, &box)) return false;
  if (!painter_) return true;
  painter_->setPen(free_edge());
  painter_->setBrush(Qt::NoBrush);
  painter_->drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  paint_corner(*painter_, box, left, color, box.width() * 0.6);
  return true;
}

bool LegendLine::arrow(const QColor& color, Qt::PenStyle line, const QString& name) {
  QRectF box;
  if (!entry(name, &box)) return false;
  if (!painter_) return true;
  const QPointF tip(box.right(), box.center().y());
  painter_->setPen(QPen(color, 2, line));
  painter_->drawLine(QPointF(box.left(), tip.y()), tip);
  painter_->setPen(Qt::NoPen);
  painter_->setBrush(color);
  painter_->drawPolygon(QPolygonF({tip, tip + QPointF(-4, -3.5), tip + QPointF(-4, 3.5)}));
  return true;
}

bool LegendLine::ramp(ColorMapId map, bool reversed, const QString& name, const QString& low,
                      const QString& high) {
  const Theme& theme = Theme::instance();
  const double bar = theme.px(96), gap = theme.px(4);
  const double width =
      text_width(font_, name) + text_width(font_, low) + text_width(font_, high) + bar + 3 * gap;
  if (!find_room(width)) return false;
  const auto put = [&](const QString& words) {
    write(x_, text_width(font_, words), words);
    x_ += text_width(font_, words) + gap;
  };
  put(name);
  put(low);
  const QRectF rect(std::round(x_), std::round(bounds_.center().y() - theme.px(5)), bar,
                    theme.px(10));
  const ColorTable& table = color_table(map);
  for (int i = 0; painter_ && i < static_cast<int>(bar); ++i) {
    const auto index = static_cast<size_t>(i * 255 / std::max(1, static_cast<int>(bar) - 1));
    painter_->fillRect(QRectF(rect.left() + i, rect.top(), 1, rect.height()),
                       QColor::fromRgb(table[reversed ? 255 - index : index]));
  }
  x_ = rect.right() + gap;
  put(high);
  x_ += theme.px(8);
  return true;
}

bool LegendLine::text(const QString& words) {
  const double width = text_width(font_, words);
  if (!find_room(width)) return false;
  write(x_, width, words);
  x_ += width + Theme::instance().px(12);
  return true;
}

}  // namespace attn::gui
