// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heads/head_grid_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "gui/models/text.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/color_bar.h"
#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

namespace {

constexpr double kHatchStep = 6;  // px along a row between lines of masked cells

class GridPicture {
 public:
  GridPicture(QPainter& painter, const HeadGridScene& scene, const HeadGridLayout& layout,
              double scroll, HeadThumbs& thumbs)
      : p_(painter),
        scene_(scene),
        layout_(layout),
        look_(scene.look),
        colors_(look_.colors),
        thumbs_(thumbs),
        offset_(0, layout.view.top() - scroll) {}

  void axes();
  void point_axes();
  void point_names();
  void heads();
  void legend();
  void caption();
  void texts_line();
  void footer();
  void scroll_bar();

 private:
  void thumb(int64_t index, const QRectF& rect);
  void mark_changed(const ChangedHead& head, const QRectF& rect);
  void hatch(const QRectF& rect);
  void facts_beside(int64_t index, const QRectF& rect);
  void fact_line(const HeadScores& scores, HeadScore score, const QRectF& line, double name,
                 double number);
  void fact_below(int64_t index, const QRectF& rect);
  void rank(size_t place, const HeadGridLayout::Cell& cell, const QRectF& facts);
  void bar(const QRectF& rect, const HeadScores& scores, HeadScore score, bool pointed_out);
  void kv_brackets();
  double paragraph(const QString& text, double y, const QColor& color, double indent = 0);
  double height_of(const QString& text, double indent) const;
  bool has_room(const QString& text, double y, double indent) const;
  bool visible(const QRectF& rect) const {
    return rect.bottom() > layout_.view.top() && rect.top() < layout_.view.bottom();
  }
  QString text_of(const HeadScores& scores, HeadScore score) const {
    return score_text(value_of(scores, score, scene_.relative), score, scene_.relative);
  }

  QPainter& p_;
  const HeadGridScene& scene_;
  const HeadGridLayout& layout_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  HeadThumbs& thumbs_;
  QPointF offset_;
};

// Draws lines x + y = c, each from one side of the rectangle to another.
void GridPicture::hatch(const QRectF& rect) {
  p_.setPen(QPen(colors_.hatch, 1));
  const double first = std::ceil((rect.left() + rect.top()) / kHatchStep) * kHatchStep;
  for (double c = first; c < rect.right() + rect.bottom(); c += kHatchStep) {
    const double x0 = std::max(rect.left(), c - rect.bottom()),
                 x1 = std::min(rect.right(), c - rect.top());
    p_.drawLine(QPointF(x0, c - x0), QPointF(x1, c - x1));
  }
}

void GridPicture::thumb(int64_t index, const QRectF& rect) {
  const QImage& image = thumbs_.of(scene_, index);
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  p_.fillRect(rect, image.isNull() ? colors_.raised : colors_.surface);
  if (!image.isNull()) {
    hatch(rect);
    paint_cells(p_, rect, image, kMostRects / std::max<int64_t>(1, std::ssize(scene_.summaries)));
  }
  p_.setBrush(Qt::NoBrush);
  const bool shown = index == scene_.shown;
  p_.setPen(QPen(shown ? colors_.accent : colors_.line, shown ? 3 : 1));
  p_.drawRect(shown ? rect.adjusted(-2, -2, 2, 2) : rect.adjusted(-1, -1, 0, 0));
  if (const auto found = scene_.changed.find(index); found != scene_.changed.end())
    mark_changed(found->second, rect);
  p_.restore();
}

void GridPicture::mark_changed(const ChangedHead& head, const QRectF& rect) {
  p_.setRenderHint(QPainter::Antialiasing);
  p_.setPen(QPen(colors_.warning, look_.line(2)));
  if (head.output) {
    p_.drawLine(rect.topLeft(), rect.bottomRight());
    p_.drawLine(rect.topRight(), rect.bottomLeft());
  } else {
    p_.drawRect(rect);
  }
  const double pad = look_.px(4), wide = text_width(look_.small_bold, head.word) + 2 * pad,
               high = QFontMetricsF(look_.small_bold).height();
  if (wide > rect.width() || high > rect.height()) return;
  const QRectF box(rect.right() - wide, rect.top(), wide, high);
  p_.fillRect(box, colors_.warning);
  p_.setFont(look_.small_bold);
  p_.setPen(look_.text_on(colors_.warning));
  draw_line(p_, box, Qt::AlignCenter, head.word);
}

void GridPicture::bar(const QRectF& rect, const HeadScores& scores, HeadScore score,
                      bool pointed_out) {
  p_.fillRect(rect, colors_.line);
  const auto value = value_of(scores, score, scene_.relative);
  if (!value || std::isnan(*value)) return;
  const double share = std::clamp(*value / scene_.bar_end(score), 0.0, 1.0);
  p_.fillRect(QRectF(rect.left(), rect.top(), rect.width() * share, rect.height()),
              pointed_out ? colors_.accent : colors_.muted);
}

void GridPicture::fact_line(const HeadScores& scores, HeadScore score, const QRectF& line,
                            double name, double number) {
  const bool pointed_out = score == scene_.score;
  p_.setFont(pointed_out ? look_.small_bold : look_.small);
  p_.setPen(pointed_out ? colors_.text : colors_.muted);
  draw_line(p_, QRectF(line.left(), line.top(), name, line.height()),
            Qt::AlignLeft | Qt::AlignVCenter, name_of(score));
  const double gap = look_.px(4);
  QRectF room(line.left() + name + gap, line.top(), line.width() - name - number - 2 * gap,
              line.height());
  const double high = look_.px(7), low = look_.px(2);
  if (room.width() < look_.px(20))
    bar(QRectF(line.left(), line.bottom() - low, line.width(), low), scores, score, pointed_out);
  else
    bar(QRectF(room.left(), room.center().y() - high / 2, room.width(), high), scores, score,
        pointed_out);
  p_.setFont(look_.mono);
  p_.setPen(colors_.text);
  draw_line(p_, QRectF(line.right() - number, line.top(), number, line.height()),
            Qt::AlignRight | Qt::AlignVCenter, text_of(scores, score));
}

void GridPicture::facts_beside(int64_t index, const QRectF& rect) {
  const HeadScores* scores = scene_.scores(index);
  if (!scores) return;
  const QFontMetricsF mono(look_.mono);
  double name = 0;
  std::array<HeadScore, kBesideScores> beside;
  std::copy_n(kHeadScores.begin(), kBesideScores, beside.begin());
  if (std::ranges::find(beside, scene_.score) == beside.end()) beside.back() = scene_.score;
  for (const HeadScore score : beside)
    name = std::max(name, text_width(look_.small_bold, name_of(score)));
  const double number = text_width(look_.mono, QStringLiteral("00.000"));
  const double step = std::min(rect.height() / 5, mono.height() * 1.35);
  double y = rect.top();
  for (const HeadScore score : beside) {
    fact_line(*scores, score, QRectF(rect.left(), y, rect.width(), step), name, number);
    y += step;
  }
}

void GridPicture::fact_below(int64_t index, const QRectF& rect) {
  const HeadScores* scores = scene_.scores(index);
  if (!scores) return;
  const double number = text_width(look_.mono, QStringLiteral("00.00"));
  const double high = look_.px(6);
  const QRectF room(rect.left(), rect.center().y() - high / 2,
                    std::min<double>(rect.width() - number - look_.px(4), layout_.thumb_side),
                    high);
  if (room.width() >= look_.px(8)) bar(room, *scores, scene_.score, true);
  p_.setFont(look_.mono);
  p_.setPen(colors_.text);
  const double left = std::max(rect.left(), room.right() + look_.px(4));
  draw_line(p_, QRectF(left, rect.top(), rect.right() - left, rect.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text_of(*scores, scene_.score));
}

void GridPicture::rank(size_t place, const HeadGridLayout::Cell& cell, const QRectF& facts) {
  const HeadScores* scores = scene_.scores(cell.index);
  const HeadScore score = *scene_.order;
  const bool ranked = scores && value_of(*scores, score, scene_.relative);
  const QRectF rect = cell.rect.translated(offset_), thumb_rect = cell.thumb.translated(offset_);
  p_.setFont(look_.mono);
  p_.setPen(colors_.muted);
  draw_line(
      p_,
      QRectF(rect.left(), rect.top(), thumb_rect.left() - rect.left() - look_.px(6), rect.height()),
      Qt::AlignRight | Qt::AlignVCenter, ranked ? QString::number(place + 1) : QStringLiteral("–"));
  const QFontMetricsF small(look_.small), mono(look_.mono);
  const double line = std::max(small.height(), mono.height());
  const bool three = facts.height() >= 3 * line;
  const double needed = (three ? 3 : 2) * line;
  QRectF row(facts.left(), facts.center().y() - needed / 2, facts.width(), line);
  p_.setFont(look_.small_bold);
  p_.setPen(colors_.text);
  const int64_t layer = scene_.layer_of(cell.index);
  QString name = tr("layer %1, head %2")
                     .arg(layer_words(layer, scene_.is_encoder(layer)))
                     .arg(scene_.head_of(cell.index));
  if (scene_.is_cross(layer)) name += tr(" · cross");
  if (scene_.group() > 1) name += tr(" · KV %1").arg(scene_.kv_head_of(cell.index));
  draw_line(p_, row, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.small_bold, name, row.width()));
  if (!scores) return;
  row.translate(0, line);
  const double number = text_width(look_.mono, QStringLiteral("00.000")), high = look_.px(8);
  bar(QRectF(row.left(), row.center().y() - high / 2, row.width() - number - look_.px(6), high),
      *scores, score, true);
  p_.setFont(look_.mono);
  p_.setPen(colors_.text);
  draw_line(p_, row, Qt::AlignRight | Qt::AlignVCenter, text_of(*scores, score));
  if (!three) return;
  row.translate(0, line);
  QStringList others;
  for (const HeadScore other : kHeadScores)
    if (other != score) others << name_of(other) + QLatin1Char(' ') + text_of(*scores, other);
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  while (others.size() > 1 &&
         text_width(look_.small, others.join(QStringLiteral(" · "))) > row.width())
    others.removeLast();
  draw_line(p_, row, Qt::AlignLeft | Qt::AlignVCenter, others.join(QStringLiteral(" · ")));
}

void GridPicture::point_axes() {
  const QRectF& plot = layout_.plot;
  const auto axis = [&](HeadScore score, double room, const auto& draw) {
    const std::vector<double> ticks =
        nice_ticks(0, scene_.axis_end(score), std::max(2, static_cast<int>(room / look_.px(60))));
    for (const double tick : ticks)
      draw(tick / scene_.axis_end(score),
           format_tick(tick, ticks.size() > 1 ? ticks[1] - ticks[0] : 1));
  };
  const auto line = [&](const QPointF& from, const QPointF& to) {
    p_.setPen(QPen(colors_.line, 1));
    p_.drawLine(from, to);
    p_.setPen(colors_.muted);
  };
  const double high = look_.px(16);
  p_.setFont(look_.mono);
  axis(*scene_.across, plot.width(), [&](double share, const QString& text) {
    const double x = std::round(plot.left() + share * plot.width()) + 0.5;
    line(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    draw_line(p_, QRectF(x - look_.px(30), layout_.view.bottom() - 2 * high, look_.px(60), high),
              Qt::AlignCenter, text);
  });
  axis(scene_.score, plot.height(), [&](double share, const QString& text) {
    const double y = std::round(plot.bottom() - share * plot.height()) + 0.5;
    line(QPointF(plot.left(), y), QPointF(plot.right(), y));
    draw_line(p_, QRectF(plot.left() - look_.px(62), y - high / 2, look_.px(46), high),
              Qt::AlignRight | Qt::AlignVCenter, text);
  });
  const auto name = [&](HeadScore score) {
    const QString unit = unit_of(score, scene_.relative);
    return name_of(score) + (unit.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(unit));
  };
  p_.setFont(look_.small_bold);
  p_.setPen(colors_.text);
  draw_line(p_, QRectF(plot.left(), layout_.view.bottom() - high, plot.width(), high),
            Qt::AlignRight | Qt::AlignVCenter, name(*scene_.across) + QStringLiteral(" →"));
  draw_line(p_, QRectF(plot.left() - look_.px(46), plot.top() - look_.px(22), plot.width(), high),
            Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("↑ ") + name(scene_.score));
}

// Draws the names of the points. The shown head, the head under the pointer and, if the view has
// the focus, the head at the cursor always get their names; other heads only if the name covers
// nothing.
void GridPicture::point_names() {
  std::vector<QRectF> taken;
  for (const HeadGridLayout::Cell& cell : layout_.cells)
    taken.push_back(cell.thumb.translated(offset_));
  p_.setFont(look_.mono);
  const auto name = [&](const HeadGridLayout::Cell& cell, bool meant) {
    const QRectF place = cell.facts.translated(offset_);
    const bool is_free =
        std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
    if (!meant && !is_free) return;
    taken.push_back(place);
    if (meant) p_.fillRect(place, colors_.surface);
    p_.setPen(meant ? colors_.text : colors_.muted);
    draw_line(
        p_, place, Qt::AlignLeft | Qt::AlignVCenter,
        QStringLiteral("%1.%2").arg(scene_.layer_of(cell.index)).arg(scene_.head_of(cell.index)));
  };
  for (const bool meant : {true, false})
    for (const HeadGridLayout::Cell& cell : layout_.cells)
      if (meant == (cell.index == scene_.hover || cell.index == scene_.shown ||
                    (scene_.focus && cell.index == scene_.cursor)))
        name(cell, meant);
}

void GridPicture::heads() {
  p_.save();
  p_.setClipRect(layout_.view.adjusted(-look_.px(4), -3, look_.px(4), 3));
  for (size_t place = 0; place < layout_.cells.size(); ++place) {
    const HeadGridLayout::Cell& cell = layout_.cells[place];
    const QRectF rect = cell.rect.translated(offset_);
    if (!visible(rect)) continue;
    const bool cursor = scene_.focus && cell.index == scene_.cursor;
    if (cell.index == scene_.hover || cursor) {
      p_.setPen(QPen(cursor ? colors_.accent : colors_.muted, look_.line(1),
                     cursor ? Qt::DashLine : Qt::SolidLine));
      p_.setBrush(colors_.raised);
      p_.drawRoundedRect(rect.adjusted(-1.5, 0.5, -2.5, -0.5), 4, 4);
    }
    thumb(cell.index, cell.thumb.translated(offset_));
    if (scene_.across) continue;
    const QRectF facts = cell.facts.translated(offset_);
    if (layout_.ranked) {
      rank(place, cell, facts);
    } else if (layout_.style == HeadGridLayout::Facts::kBeside) {
      facts_beside(cell.index, facts);
    } else {
      fact_below(cell.index, facts);
    }
  }
  if (scene_.across) point_names();
  p_.restore();
}

void GridPicture::kv_brackets() {
  const double line = QFontMetricsF(look_.small).height();
  const double y = layout_.top_axis.top() + line;
  for (int64_t first = 0; first < scene_.num_heads; first += scene_.group()) {
    const int64_t last = std::min(first + scene_.group(), scene_.num_heads) - 1;
    const double left = layout_.cells[static_cast<size_t>(first)].rect.left();
    const double right = layout_.cells[static_cast<size_t>(last)].rect.right() - look_.px(6);
    const QString text = tr("KV head %1").arg(first / scene_.group());
    const QString fitting = text_width(look_.small, text) <= right - left
                                ? text
                                : tr("KV %1").arg(first / scene_.group());
    p_.setFont(look_.small);
    p_.setPen(colors_.muted);
    draw_line(p_, QRectF(left, y, right - left, line), Qt::AlignLeft | Qt::AlignVCenter, fitting);
    p_.setPen(QPen(colors_.muted, look_.line(1)));
    const double base = y + line + look_.px(2);
    p_.drawLine(QPointF(left, base), QPointF(right, base));
    p_.drawLine(QPointF(left, base), QPointF(left, base + look_.px(3)));
    p_.drawLine(QPointF(right, base), QPointF(right, base + look_.px(3)));
  }
}

void GridPicture::axes() {
  if (scene_.across) return point_axes();
  if (layout_.ranked || layout_.cells.empty()) return;
  const double line = QFontMetricsF(look_.small).height();
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  draw_line(p_,
            QRectF(layout_.top_axis.left(), layout_.top_axis.top(), layout_.top_axis.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter,
            scene_.group() > 1 ? tr("head → (bracketed heads share one KV head)") : tr("head →"));
  if (scene_.group() > 1) kv_brackets();
  p_.save();
  p_.translate(layout_.left_axis.left(), layout_.left_axis.bottom());
  p_.rotate(-90);
  QString name = tr("← layer");
  if (scene_.is_encoder(0) &&
      p_.fontMetrics().horizontalAdvance(tr("← layer (E: encoder)")) <= layout_.left_axis.height())
    name = tr("← layer (E: encoder)");
  if (p_.fontMetrics().horizontalAdvance(name) <= layout_.left_axis.height())
    draw_line(p_, QRectF(0, 0, layout_.left_axis.height(), line), Qt::AlignRight | Qt::AlignVCenter,
              name);
  p_.restore();
  p_.setFont(look_.mono);
  for (int64_t head = 0; head < scene_.num_heads; ++head) {
    const QRectF cell = layout_.cells[static_cast<size_t>(head)].rect;
    p_.setPen(scene_.shown >= 0 && scene_.head_of(scene_.shown) == head ? colors_.text
                                                                        : colors_.muted);
    draw_line(p_,
              QRectF(cell.left() + look_.px(3), layout_.top_axis.bottom() - line,
                     layout_.thumb_side, line),
              Qt::AlignHCenter | Qt::AlignVCenter, QString::number(head));
  }
  for (int64_t layer = 0; layer < scene_.num_layers; ++layer) {
    const HeadGridLayout::Cell& cell = layout_.cells[static_cast<size_t>(layer * scene_.num_heads)];
    const QRectF rect = cell.thumb.translated(offset_);
    if (rect.center().y() < layout_.view.top() || rect.center().y() > layout_.view.bottom())
      continue;
    p_.setPen(scene_.shown >= 0 && scene_.layer_of(scene_.shown) == layer ? colors_.text
                                                                          : colors_.muted);
    draw_line(p_,
              QRectF(layout_.left_axis.left(), rect.top(), layout_.left_axis.width() - look_.px(4),
                     rect.height()),
              Qt::AlignRight | Qt::AlignVCenter,
              scene_.is_encoder(layer) ? tr("E%1").arg(layer) : QString::number(layer));
  }
}

double GridPicture::height_of(const QString& text, double indent) const {
  const QRectF room(0, 0, layout_.legend.width() - indent, 1000);
  return QFontMetricsF(look_.small)
      .boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, text)
      .height();
}

bool GridPicture::has_room(const QString& text, double y, double indent) const {
  return y + height_of(text, indent) <= layout_.legend.bottom() + look_.px(8);
}

// Draws the text if there is room for it. Returns the y at which the next paragraph begins.
double GridPicture::paragraph(const QString& text, double y, const QColor& color, double indent) {
  const QRectF room(layout_.legend.left() + indent, y, layout_.legend.width() - indent, 1000);
  const double high = height_of(text, indent);
  if (!has_room(text, y, indent)) return y;
  p_.setFont(look_.small);
  p_.setPen(color);
  p_.drawText(QRectF(room.left(), y, room.width(), high), Qt::AlignLeft | Qt::TextWordWrap, text);
  return y + high + look_.px(8);
}

void GridPicture::legend() {
  if (layout_.legend.width() <= 0) return;
  ColorBar scale;
  scale.map = scene_.map;
  scale.scale = scene_.shown_scale();
  scale.quantity = short_name_of(scene_.heads.quantity);
  const double room = layout_.legend.height() - look_.px(190);
  const QRectF bar_rect(layout_.legend.left(), layout_.legend.top(), layout_.legend.width(),
                        std::clamp<double>(room, look_.px(96), look_.px(200)));
  paint_color_bar(p_, bar_rect, scale, look_);
  double y = bar_rect.bottom() + look_.px(10);
  y = paragraph(thumb_sentence(scene_), y, colors_.text);
  if (scene_.heads.quantity != Quantity::kWeight)
    if (const QString check = sum_check(scene_.off()); !check.isEmpty())
      y = paragraph(check, y, colors_.muted);
  if (!scene_.across) {
    QStringList ends;
    std::vector scores{HeadScore::kEntropy, HeadScore::kDistance};
    if (scene_.score == HeadScore::kSpread) scores.push_back(HeadScore::kSpread);
    for (const HeadScore score : scores)
      if (const QString unit = unit_of(score, scene_.relative); !unit.isEmpty())
        ends << tr("%1 at %2 %3")
                    .arg(name_of(score), score_text(scene_.bar_end(score), score, scene_.relative),
                         unit);
    y = paragraph(tr("Bars end at 1; %1").arg(ends.join(QStringLiteral(", "))), y, colors_.muted);
  }
  if (scene_.heads.record) {
    const QString masked = mask_words(scene_.heads.record->shape().rules);
    if (!masked.isEmpty() && has_room(masked, y, look_.px(18))) {
      p_.save();
      p_.setRenderHint(QPainter::Antialiasing, false);
      const QRectF swatch(layout_.legend.left(), y + 1, look_.px(12), look_.px(12));
      hatch(swatch);
      p_.setPen(QPen(colors_.line, 1));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(swatch);
      p_.restore();
      y = paragraph(masked, y, colors_.muted, look_.px(18));
    }
  }
  if (scene_.shown >= 0) {
    const QString shown = tr("the head that the other views show");
    if (has_room(shown, y, look_.px(18))) {
      p_.save();
      p_.setRenderHint(QPainter::Antialiasing, false);
      p_.setPen(QPen(colors_.accent, 3));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(QRectF(layout_.legend.left() + 1, y + 2, look_.px(10), look_.px(10)));
      p_.restore();
      paragraph(shown, y, colors_.muted, look_.px(18));
    }
  }
}

void GridPicture::caption() {
  if (!scene_.caption) return;
  p_.setFont(look_.title_bold);
  p_.setPen(colors_.text);
  paint_lines(p_, layout_.caption, layout_.caption_lines);
}

void GridPicture::texts_line() {
  if (layout_.texts_line.isEmpty()) return;
  const bool waits = !scene_.state_line.isEmpty();
  p_.setFont(look_.small_bold);
  p_.setPen(waits ? colors_.warning : colors_.text);
  draw_line(p_, layout_.texts_line, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.small_bold, waits ? scene_.state_line : scene_.texts_line(),
                        layout_.texts_line.width()));
}

void GridPicture::footer() {
  QString text;
  if (scene_.across) {
    text = tr("each point is a head, named layer.head; %1: %2")
               .arg(name_of(scene_.score), definition_of(scene_.score, scene_.relative));
    const int64_t left_out = scene_.count() - std::ssize(layout_.cells);
    if (left_out > 0 && scene_.behind == 0)
      text = tr("%1 left out, because one of the two scores is n/a or NaN; ")
                 .arg(counted(left_out, tr("1 head"), tr("%1 heads"))) +
             text;
  } else if (scene_.order) {
    const QString unit = unit_of(*scene_.order, scene_.relative);
    text = name_of(*scene_.order) +
           (unit.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(unit)) + QStringLiteral(": ") +
           definition_of(*scene_.order, scene_.relative);
  } else if (layout_.style == HeadGridLayout::Facts::kBelow) {
    const QString unit = unit_of(scene_.score, scene_.relative);
    text = tr("below each head: %1").arg(name_of(scene_.score)) +
           (unit.isEmpty() ? QString() : QStringLiteral(" [%1]").arg(unit));
  } else {
    text =
        scene_.heads.encoder
            ? tr("rows: %1 of the decoder; columns: the same tokens in self attention, %2 of the "
                 "encoder in cross attention; in the encoder's layers both are its tokens")
                  .arg(counted(scene_.heads.rows, tr("1 token"), tr("%1 tokens")),
                       format_count(scene_.heads.record->shape().encoder_keys))
        : scene_.heads.mix_keys()
            ? tr("rows: %1 of the decoder; columns: the same tokens in self attention, %2 of the "
                 "encoder in cross attention")
                  .arg(counted(scene_.heads.rows, tr("1 token"), tr("%1 tokens")),
                       format_count(scene_.heads.record->shape().encoder_keys))
        : scene_.heads.head(0).keys_are_tokens()
            ? tr("each row is a query, each column a key; %1")
                  .arg(counted(scene_.heads.rows, tr("1 token"), tr("%1 tokens")))
            : tr("rows: %1 of the decoder; columns: %2 of the encoder")
                  .arg(counted(scene_.heads.rows, tr("1 token"), tr("%1 tokens")),
                       format_count(scene_.heads.head(0).columns()));
  }
  if (scene_.behind > 0)
    text = tr("Thumbnails and scores are being computed, %1 of %2 left. ")
               .arg(format_count(scene_.behind), format_count(2 * scene_.count())) +
           text;
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  draw_line(p_, layout_.footer, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look_.small, text, layout_.footer.width()));
}

void GridPicture::scroll_bar() {
  if (layout_.max_scroll() <= 0) return;
  p_.save();
  p_.setRenderHint(QPainter::Antialiasing, false);
  const QRectF track(layout_.view.right() + look_.px(4), layout_.view.top(), look_.px(3),
                     layout_.view.height());
  p_.fillRect(track, colors_.line);
  const double from = (layout_.view.top() - offset_.y()) / layout_.height * track.height();
  p_.fillRect(QRectF(track.left(), track.top() + from, track.width(),
                     track.height() * layout_.view.height() / layout_.height),
              colors_.accent);
  p_.restore();
}

}  // namespace

QString thumb_sentence(const HeadGridScene& scene) {
  const bool weights = scene.heads.quantity == Quantity::kWeight;
  if (scene.thumb.level == 0)
    return weights ? tr("each dot = one weight") : tr("each dot = one cell");
  const QString side = format_count(int64_t{1} << scene.thumb.level);
  if (!weights)
    return (scene.thumb.reduce == Reduce::kMax ? tr("each dot = max of %1 × %1 cells")
                                               : tr("each dot = mean of %1 × %1 cells"))
        .arg(side);
  return (scene.thumb.reduce == Reduce::kMax ? tr("each dot = max of %1 × %1 weights")
                                             : tr("each dot = mean of %1 × %1 weights"))
      .arg(side);
}

void paint_head_grid(QPainter& painter, const HeadGridScene& scene, const HeadGridLayout& layout,
                     double scroll, HeadThumbs& thumbs) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  GridPicture parts(painter, scene, layout, scroll, thumbs);
  parts.caption();
  parts.texts_line();
  parts.axes();
  parts.heads();
  parts.legend();
  parts.footer();
  parts.scroll_bar();
  painter.restore();
}

}  // namespace attn::gui
