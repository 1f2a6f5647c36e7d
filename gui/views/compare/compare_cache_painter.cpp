// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/compare_cache_painter.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/compare/wrapped_text.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kPaleShare = 0.68;  // share of the surface colour in the colour of saved work

QString cache_summary(const CompareCacheScene& scene) {
  const CacheCompareResult& result = *scene.model->result();
  const auto steps = [](const CacheCompareRun& run) {
    return counted(std::ssize(run.steps), tr("1 step"), tr("%1 steps"));
  };
  const QString with = steps(result.with_cache), without = steps(result.without_cache);
  QString text =
      tr("%1: %2, %3, %4, %5, %6; cache %7 in blocks of %8.")
          .arg(QString::fromStdString(result.title.empty() ? "run" : result.title),
               QString::fromStdString(result.source), QString::fromStdString(result.backend),
               with == without ? with : tr("%1 and %2").arg(with, without),
               counted(result.shape.num_layers, tr("1 layer"), tr("%1 layers")),
               QString::fromStdString(result.attention), QString::fromStdString(result.dtype),
               format_count(result.block_size));
  for (const std::string& note : result.notes)
    text += QLatin1Char(' ') + QString::fromStdString(note);
  text += QLatin1Char(' ') + tr("Without a cache every step computes all positions of its "
                                "sequences. Source, seed and sampling are the same.");
  if (!result.modelled_time)
    text += QLatin1Char(' ') + tr("Times were measured once and can differ much in another run.");
  return text;
}

// Entry 0 names the accent colour, entry 1 the pale one.
QString legend_text(size_t entry) {
  return entry == 0 ? tr("computed in both runs") : tr("computed only without a cache: saved");
}

double legend_indent(const PictureLook& look) {
  return look.px(22);
}

QString fitting(const QFont& font, double room, std::initializer_list<QString> names) {
  for (const QString& name : names)
    if (text_width(font, name) <= room) return name;
  return *(names.end() - 1);
}

double pairs_per_head(const CacheCompareResult& result, const ComputedRows* rows) {
  return rows ? static_cast<double>(rows->pairs) /
                    static_cast<double>(std::max<int64_t>(1, result.heads()))
              : 0;
}

int64_t count_of(const ComputedRows* rows) {
  return rows ? rows->end - rows->first : 0;
}

QString saved_text(double saved, double all) {
  return tr("saved: %1 of %2 (%3%)")
      .arg(pairs_text(saved), pairs_text(all), format_number(all > 0 ? 100 * saved / all : 0, 3));
}

QString steps_title(const CompareCacheScene& scene) {
  const CacheCompareResult& result = *scene.model->result();
  return tr("Rows computed in each step: %1")
      .arg(QString::fromStdString(result.answers[scene.answer].name));
}

QString steps_caption(const CompareCacheScene& scene) {
  int64_t with = 0, without = 0;
  for (const CacheStepRows& step : scene.steps) {
    with += count_of(step.with);
    without += count_of(step.without);
  }
  return tr("with a cache %1 rows, without %2; %3")
      .arg(format_count(with), format_count(without),
           saved_text(static_cast<double>(without - with), static_cast<double>(without)));
}

QString square_title(const CompareCacheScene& scene) {
  const CacheCompareResult& result = *scene.model->result();
  return tr("Query-key pairs of step %1, one head%2")
      .arg(scene.steps[scene.shown_step()].step)
      .arg(result.rules.are_one() ? QString() : tr(" of layer %1").arg(scene.layer));
}

QString square_caption(const CompareCacheScene& scene) {
  const CacheCompareResult& result = *scene.model->result();
  const CacheStepRows& step = scene.steps[scene.shown_step()];
  const double with = pairs_per_head(result, step.with),
               without = pairs_per_head(result, step.without);
  const QString text =
      tr("with a cache %1 pairs, without %2; %3")
          .arg(pairs_text(with), pairs_text(without), saved_text(without - with, without));
  return result.equal_heads() ? text : text + tr("; mean of layers and heads");
}

class CachePicture {
 public:
  CachePicture(QPainter& painter, const CompareCacheScene& scene, const CompareCacheLayout& layout,
               const PictureLook& look)
      : painter_(painter), scene_(scene), layout_(layout), look_(look) {}

  void summary() const;
  void table() const;
  void legend() const;
  void steps() const;
  void square() const;

 private:
  void cell(int row, int column) const;
  void words(const QRectF& area, const QString& title, const QString& caption) const;
  void axes(const QRectF& area, int64_t columns, int64_t rows, std::initializer_list<QString> below,
            std::initializer_list<QString> beside,
            const std::function<QString(int64_t)>& column_label) const;
  void rect(const QRectF& area, const QColor& color) const { painter_.fillRect(area, color); }
  QColor pale() const { return mix(look_.colors.accent, look_.colors.surface, kPaleShare); }
  void frame(const QRectF& area) const;

  QPainter& painter_;
  const CompareCacheScene& scene_;
  const CompareCacheLayout& layout_;
  const PictureLook& look_;
};

void CachePicture::summary() const {
  painter_.setFont(look_.small);
  painter_.setPen(look_.colors.muted);
  painter_.drawText(layout_.summary, kWrap, breakable(cache_summary(scene_)));
  painter_.setPen(look_.colors.warning);
  painter_.drawText(layout_.note, kWrap, scene_.note);
}

void CachePicture::cell(int row, int column) const {
  const QModelIndex index = scene_.model->index(row, column);
  const double inset = look_.px(6);
  const QRectF area = layout_.cell(static_cast<size_t>(row), static_cast<size_t>(column))
                          .adjusted(inset, look_.px(3), -inset, 0);
  const bool modelled = index.data(CompareCacheModel::kModelledRole).toBool();
  if (const QVariant share = index.data(CompareCacheModel::kShareRole); share.isValid()) {
    const double thick = look_.px(modelled ? 5 : 3);  // the hatch needs the room
    const QRectF bar(area.left(), area.bottom() - look_.px(1) - thick,
                     std::max(1.0, area.width() * share.toDouble()), thick);
    if (modelled)
      painter_.fillRect(bar, Theme::instance().modelled_brush(look_.colors.muted));
    else
      rect(bar, look_.colors.accent);
  }
  QColor color = look_.colors.text;
  if (const QVariant verdict = index.data(CompareCacheModel::kVerdictRole); verdict.isValid())
    color = verdict.toBool() ? look_.colors.good : look_.colors.bad;
  const double line = QFontMetricsF(look_.mono).height();
  painter_.setFont(look_.mono);
  painter_.setPen(color);
  draw_line(painter_, QRectF(area.left(), area.top(), area.width(), line),
            Qt::AlignRight | Qt::AlignVCenter,
            elided_text(look_.mono, index.data().toString(), area.width()));
  painter_.setFont(look_.small);
  painter_.setPen(color == look_.colors.text ? look_.colors.muted : color);
  painter_.drawText(QRectF(area.left(), area.top() + line, area.width(), area.height() - line),
                    Qt::AlignRight | Qt::AlignTop | Qt::TextWordWrap,
                    index.data(CompareCacheModel::kDetailRole).toString());
}

void CachePicture::table() const {
  const CompareCacheModel& model = *scene_.model;
  const double inset = look_.px(6);
  painter_.setPen(QPen(look_.colors.line, 1));
  for (const QRectF& row : layout_.rows) painter_.drawLine(row.topLeft(), row.topRight());
  for (int column = 0; column < model.columnCount(); ++column) {
    const QRectF& area = layout_.columns[column];
    painter_.setFont(look_.title_bold);
    painter_.setPen(look_.colors.text);
    painter_.drawText(QRectF(area.left() + inset, layout_.head_top, area.width() - 2 * inset,
                             layout_.head_height),
                      Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap,
                      model.headerData(column, Qt::Horizontal).toString());
  }
  for (int row = 0; row < model.rowCount(); ++row) {
    const QRectF& area = layout_.rows[static_cast<size_t>(row)];
    const auto quantity = model.rows()[static_cast<size_t>(row)].quantity;
    const bool part = quantity == CompareCacheModel::Quantity::kTilePairs ||
                      quantity == CompareCacheModel::Quantity::kAttention;
    const double indent = part ? look_.px(12) : 0;
    painter_.setFont(look_.small);
    painter_.setPen(part ? look_.colors.muted : look_.colors.text);
    painter_.drawText(QRectF(area.left() + indent, area.top() + look_.px(3),
                             layout_.names - inset - indent, area.height()),
                      kWrap, model.headerData(row, Qt::Vertical).toString());
    for (int column = 0; column < model.columnCount(); ++column) cell(row, column);
  }
  if (!scene_.focused || scene_.row < 0 || scene_.row >= model.rowCount()) return;
  painter_.setPen(QPen(look_.colors.accent, 2));
  painter_.setBrush(Qt::NoBrush);
  painter_.drawRect(
      layout_.rows[static_cast<size_t>(scene_.row)].adjusted(-look_.px(5), 1, look_.px(1), -1));
}

void CachePicture::legend() const {
  const double line = QFontMetricsF(look_.small).height();
  for (size_t i = 0; i < std::size(layout_.legend); ++i) {
    const QRectF& area = layout_.legend[i];
    const QRectF box(area.left(), area.top() + line * 0.15, look_.px(14), line * 0.7);
    rect(box, i == 0 ? look_.colors.accent : pale());
    frame(box);
    painter_.setFont(look_.small);
    painter_.setPen(look_.colors.text);
    painter_.drawText(area.adjusted(legend_indent(look_), 0, 0, 0), kWrap, legend_text(i));
  }
}

void CachePicture::words(const QRectF& area, const QString& title, const QString& caption) const {
  const double head = wrapped_height(look_.small_bold, title, area.width());
  painter_.setFont(look_.small_bold);
  painter_.setPen(look_.colors.text);
  painter_.drawText(QRectF(area.left(), area.top(), area.width(), head), kWrap, breakable(title));
  painter_.setFont(look_.small);
  painter_.drawText(area.adjusted(0, head, 0, 0), kWrap, caption);
}

void CachePicture::frame(const QRectF& area) const {
  painter_.setPen(QPen(look_.colors.line, 1));
  painter_.setBrush(Qt::NoBrush);
  painter_.drawRect(area);
}

void CachePicture::axes(const QRectF& area, int64_t columns, int64_t rows,
                        std::initializer_list<QString> below, std::initializer_list<QString> beside,
                        const std::function<QString(int64_t)>& column_label) const {
  const double line = QFontMetricsF(look_.small).height();
  painter_.setFont(look_.small);
  painter_.setPen(look_.colors.muted);
  const double row_height = area.height() / static_cast<double>(rows);
  for (int64_t row = 0; row < rows; row += label_every(row_height, line * 1.5)) {
    const double y = area.top() + (static_cast<double>(row) + 0.5) * row_height;
    draw_line(painter_, QRectF(area.left() - look_.px(44), y - line / 2, look_.px(40), line),
              Qt::AlignRight | Qt::AlignVCenter, format_count(row));
  }
  const double width = area.width() / static_cast<double>(columns);
  const double widest = text_width(look_.small, column_label(columns - 1)) + look_.px(12);
  for (int64_t column = 0; column < columns; column += label_every(width, widest)) {
    const double x = area.left() + (static_cast<double>(column) + 0.5) * width;
    draw_line(painter_, QRectF(x - widest / 2, area.bottom() + 2, widest, line), Qt::AlignCenter,
              column_label(column));
  }
  painter_.setPen(look_.colors.text);
  draw_line(painter_, QRectF(area.left(), area.bottom() + line + 2, area.width(), line),
            Qt::AlignCenter, fitting(look_.small, area.width(), below));
  painter_.save();
  painter_.translate(area.left() - look_.px(60), area.center().y());
  painter_.rotate(-90);
  draw_line(painter_, QRectF(-area.height() / 2, 0, area.height(), line), Qt::AlignCenter,
            fitting(look_.small, area.height(), beside));
  painter_.restore();
}

// A column shows several steps if there are more steps than pixels: all rows from the first to the
// last that they computed.
void CachePicture::steps() const {
  const QRectF& area = layout_.steps;
  const auto count = std::ssize(scene_.steps);
  int64_t rows = 1;
  for (const CacheStepRows& step : scene_.steps) rows = std::max(rows, step.end());
  words(layout_.steps_words, steps_title(scene_), steps_caption(scene_));
  const auto columns = std::min<int64_t>(count, static_cast<int64_t>(std::ceil(area.width())));
  const double width = area.width() / static_cast<double>(columns),
               height = area.height() / static_cast<double>(rows), gap = width >= 5 ? 0.5 : 0;
  const auto bar = [&](int64_t column, int64_t first, int64_t end, double least,
                       const QColor& color) {
    if (end <= first) return;
    const double bottom = area.top() + static_cast<double>(end) * height,
                 top = std::min(area.top() + static_cast<double>(first) * height,
                                std::max(area.top(), bottom - least));
    rect(QRectF(area.left() + static_cast<double>(column) * width + gap, top, width - 2 * gap,
                bottom - top),
         color);
  };
  for (int64_t column = 0; column < columns; ++column) {
    ComputedRows with{.first = rows}, without{.first = rows};
    const auto take = [](const ComputedRows* from, ComputedRows& to) {
      if (!from) return;
      to.first = std::min(to.first, from->first);
      to.end = std::max(to.end, from->end);
    };
    for (int64_t i = column * count / columns; i < (column + 1) * count / columns; ++i) {
      take(scene_.steps[static_cast<size_t>(i)].with, with);
      take(scene_.steps[static_cast<size_t>(i)].without, without);
    }
    bar(column, without.first, without.end, 0, pale());
    bar(column, with.first, with.end, look_.line(1.5), look_.colors.accent);
  }
  frame(area);
  const double each = area.width() / static_cast<double>(count);
  painter_.setPen(QPen(look_.colors.text, look_.line(1.5)));
  painter_.drawRect(QRectF(area.left() + static_cast<double>(scene_.shown_step()) * each,
                           area.top() - 2, std::max(each, 3.0), area.height() + 4));
  axes(area, count, rows, {tr("step")}, {tr("query row"), tr("query"), QString()},
       [this](int64_t column) {
         return format_count(scene_.steps[static_cast<size_t>(column)].step);
       });
}

void CachePicture::square() const {
  const QRectF& area = layout_.square;
  const CacheStepRows& step = scene_.steps[scene_.shown_step()];
  const int64_t keys = std::max<int64_t>(1, step.end());
  const WeightRule& rule = scene_.model->result()->rules.of(scene_.layer);
  words(layout_.square_words, square_title(scene_), square_caption(scene_));
  rect(area, look_.colors.surface);
  painter_.fillRect(area, QBrush(look_.colors.hatch, Qt::BDiagPattern));
  const double side = area.width() / static_cast<double>(keys);
  const auto lines = std::min<int64_t>(keys, static_cast<int64_t>(std::ceil(area.height())));
  // Fills the spans of keys (WeightRule::span()) of the rows as one polygon, without seams between
  // rows. `least` is its least height, px.
  const auto rows_of = [&](const ComputedRows* rows, double least, const QColor& color) {
    if (!rows || rows->end <= rows->first) return;
    QPolygonF outline, left;
    for (int64_t i = 0; i < lines; ++i) {
      const int64_t first = std::max(i * keys / lines, rows->first),
                    end = std::min((i + 1) * keys / lines, rows->end);
      if (first >= end) continue;
      const double begin = area.left() + static_cast<double>(rule.span(first, keys).begin) * side,
                   right = area.left() + static_cast<double>(rule.span(end - 1, keys).end) * side;
      const double bottom = area.top() + static_cast<double>(end) * side;
      double top = area.top() + static_cast<double>(first) * side;
      if (outline.isEmpty()) {
        const double last = area.top() + static_cast<double>(rows->end) * side;
        top = std::min(top, std::max(area.top(), last - least));
      }
      outline << QPointF(right, top) << QPointF(right, bottom);
      left << QPointF(begin, top) << QPointF(begin, bottom);
    }
    std::ranges::reverse(left);
    outline += left;
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(color);
    painter_.drawPolygon(outline);
  };
  rows_of(step.without, 0, pale());
  rows_of(step.with, look_.line(1.5), look_.colors.accent);
  frame(area);
  axes(area, keys, keys, {tr("key (is read)"), tr("key")},
       {tr("query row (reads)"), tr("query"), QString()},
       [](int64_t column) { return format_count(column); });
}

void place_cache_picture(const QRectF& area, const QString& title, const QString& caption,
                         bool is_square, const PictureLook& look, QRectF& words, QRectF& cells) {
  words = QRectF(area.left(), area.top(), area.width() - look.px(8),
                 wrapped_height(look.small_bold, title, area.width() - look.px(8)) +
                     wrapped_height(look.small, caption, area.width() - look.px(8)));
  const double line = QFontMetricsF(look.small).height();
  const QRectF room =
      area.adjusted(look.px(64), words.height() + look.px(6), -look.px(16), -2 * line - look.px(6));
  const double width = std::max(40.0, room.width()), height = std::max(40.0, room.height());
  const double side = std::min(width, height);
  cells = QRectF(room.left(), room.top(), is_square ? side : std::min(width, 2.2 * height),
                 is_square ? side : height);
}

void lay_out_cache_pictures(const CompareCacheScene& scene, const PictureLook& look,
                            const QRectF& area, bool side_by_side, CompareCacheLayout& layout) {
  double top = area.top();
  for (size_t i = 0; i < std::size(layout.legend); ++i) {
    const double height =
        wrapped_height(look.small, legend_text(i), area.width() - legend_indent(look)) + look.px(2);
    layout.legend[i] = QRectF(area.left(), top, area.width(), height);
    top += height;
  }
  QRectF room = area;
  room.setTop(top + look.px(8));
  QRectF first = room, second = room;
  if (side_by_side) {
    first.setWidth(room.width() / 2 - look.px(4));
    second.setLeft(room.left() + room.width() / 2 + look.px(4));
  } else {
    first.setHeight(room.height() / 2 - look.px(4));
    second.setTop(room.top() + room.height() / 2 + look.px(4));
  }
  place_cache_picture(first, steps_title(scene), steps_caption(scene), false, look,
                      layout.steps_words, layout.steps);
  place_cache_picture(second, square_title(scene), square_caption(scene), true, look,
                      layout.square_words, layout.square);
}

// Only the left and right edges of `table` are used.
void lay_out_cache_rows(const CompareCacheScene& scene, const PictureLook& look,
                        const QRectF& table, bool names_above, CompareCacheLayout& layout) {
  const CompareCacheModel& model = *scene.model;
  const double line = QFontMetricsF(look.mono).height(), inset = look.px(6);
  double top = layout.head_top + layout.head_height;
  for (int row = 0; row < model.rowCount(); ++row) {
    const auto quantity = model.rows()[static_cast<size_t>(row)].quantity;
    const bool part = quantity == CompareCacheModel::Quantity::kTilePairs ||
                      quantity == CompareCacheModel::Quantity::kAttention;
    const double name = wrapped_height(look.small, model.headerData(row, Qt::Vertical).toString(),
                                       layout.names - inset - (part ? look.px(12) : 0));
    layout.name_heights.push_back(names_above ? name : 0);
    double height = std::max(line, names_above ? 0 : name);
    for (int column = 0; column < model.columnCount(); ++column)
      height = std::max(
          height,
          line + wrapped_height(
                     look.small,
                     model.index(row, column).data(CompareCacheModel::kDetailRole).toString(),
                     layout.columns[column].width() - 2 * inset));
    if (model.index(row, 0).data(CompareCacheModel::kShareRole).isValid()) height += look.px(5);
    height = std::ceil(layout.name_heights.back() + height + look.px(6));
    layout.rows.emplace_back(table.left(), top, table.width(), height);
    top = layout.rows.back().bottom();
  }
  for (QRectF& column : layout.columns) {
    column.setTop(layout.head_top);
    column.setBottom(top);
  }
}

}  // namespace

std::vector<CacheStepRows> cache_steps_of(const CacheCompareResult& result, uint32_t request) {
  std::map<uint32_t, CacheStepRows> steps;
  const auto take = [&](const CacheCompareRun& run, const ComputedRows* CacheStepRows::*member) {
    for (const CacheCompareStep& step : run.steps)
      for (const ComputedRows& rows : step.rows) {
        if (rows.request != request) continue;
        steps[step.step].step = step.step;
        steps[step.step].*member = &rows;
      }
  };
  take(result.with_cache, &CacheStepRows::with);
  take(result.without_cache, &CacheStepRows::without);
  std::vector<CacheStepRows> list;
  for (const auto& [number, rows] : steps) list.push_back(rows);
  return list;
}

CompareCacheLayout lay_out_cache(const CompareCacheScene& scene, const QRectF& bounds,
                                 const PictureLook& look) {
  CompareCacheLayout layout;
  layout.bounds = bounds;
  layout.height = bounds.height();
  if (!scene.model || !scene.model->result()) return layout;
  const double pad = std::min(look.px(12) * 1.0, 0.04 * bounds.width());
  const double width = bounds.width() - 2 * pad;
  layout.summary = QRectF(bounds.left() + pad, bounds.top() + look.px(8), width,
                          wrapped_height(look.small, cache_summary(scene), width));
  layout.note = QRectF(layout.summary.left(), layout.summary.bottom(), width,
                       wrapped_height(look.small, scene.note, width));
  layout.head_top = layout.note.bottom() + look.px(8);
  const bool beside = bounds.width() >= look.px(1000);
  const double table = beside ? std::min(0.42 * width, look.px(560) * 1.0) : width;
  layout.names = std::min(table * 0.34, look.px(230) * 1.0);
  double column = (table - layout.names) / 2;
  const double inset = look.px(6);
  const bool names_above = column < look.px(96);
  if (names_above) {
    layout.names = table;
    column = table / 2;
  }
  for (int i = 0; i < 2; ++i) {
    layout.columns[i] =
        QRectF(bounds.left() + pad + table - (2 - i) * column, layout.head_top, column, 0);
    layout.head_height = std::max(
        layout.head_height,
        wrapped_height(look.title_bold, scene.model->headerData(i, Qt::Horizontal).toString(),
                       column - 2 * inset) +
            look.px(10));
  }
  lay_out_cache_rows(scene, look, QRectF(bounds.left() + pad, 0, table, 0), names_above, layout);
  const double table_bottom = layout.rows.back().bottom();
  layout.height = table_bottom + pad - bounds.top();
  if (scene.steps.empty()) return layout;
  QRectF pictures(bounds.left() + pad, table_bottom + look.px(12), width, 0);
  if (beside) {
    const double gap = look.px(28);
    pictures = QRectF(bounds.left() + pad + table + gap, layout.head_top, width - table - gap, 0);
  }
  const bool side_by_side = pictures.width() >= look.px(560);
  pictures.setHeight(
      std::max(bounds.bottom() - pad - pictures.top(), look.px(side_by_side ? 320 : 640) * 1.0));
  lay_out_cache_pictures(scene, look, pictures, side_by_side, layout);
  const double axis = 2 * QFontMetricsF(look.small).height() + look.px(6);
  layout.height =
      std::max({table_bottom, layout.steps.bottom() + axis, layout.square.bottom() + axis}) + pad -
      bounds.top();
  return layout;
}

void paint_compare_cache(QPainter& painter, const CompareCacheScene& scene,
                         const CompareCacheLayout& layout, const PictureLook& look) {
  QRectF ground = layout.bounds;
  ground.setHeight(std::max(ground.height(), layout.height));
  paint_surface(painter, ground, look.colors.surface);
  if (!scene.model || !scene.model->result()) return;
  const CachePicture picture(painter, scene, layout, look);
  picture.summary();
  picture.table();
  if (scene.steps.empty()) return;
  picture.legend();
  picture.steps();
  picture.square();
}

std::optional<size_t> cache_step_at(const CompareCacheScene& scene,
                                    const CompareCacheLayout& layout, const QPointF& point) {
  if (scene.steps.empty() || layout.steps.isEmpty() || !layout.steps.contains(point))
    return std::nullopt;
  const double share = (point.x() - layout.steps.left()) / layout.steps.width();
  const auto step = static_cast<size_t>(share * static_cast<double>(scene.steps.size()));
  return std::min(step, scene.steps.size() - 1);
}

QString cache_step_sentence(const CompareCacheScene& scene, size_t index) {
  if (index >= scene.steps.size()) return {};
  const CacheCompareResult& result = *scene.model->result();
  const CacheStepRows& step = scene.steps[index];
  const auto rows = [](const ComputedRows* of) {
    return counted(count_of(of), tr("1 row"), tr("%1 rows"));
  };
  return tr("Step %1: with a cache %2 and %3 pairs per head, without %4 and %5 pairs")
      .arg(step.step)
      .arg(rows(step.with), pairs_text(pairs_per_head(result, step.with)), rows(step.without),
           pairs_text(pairs_per_head(result, step.without)));
}

}  // namespace attn::gui
