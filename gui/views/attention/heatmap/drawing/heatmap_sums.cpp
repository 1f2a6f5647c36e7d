// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/drawing/heatmap_sums.h"

#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/models/text.h"
#include "gui/widgets/text/number_signs.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

std::shared_ptr<const WeightTileData> column_tile(const HeatmapTiles& tiles,
                                                  const HeatmapScene& scene, int64_t key) {
  if (!scene.has_column_sums()) return nullptr;
  return tiles.find_kept_up(
      {TileKey::kColumnSums, Reduce::kMax, scene.summed_rows(), key / kTileSide});
}

struct Along {
  const CanvasAxis& axis;
  double origin;
  double at(int64_t cell) const { return origin + axis.to_pixel(static_cast<double>(cell)); }
};

double full_bar(const HeatmapPicture& in, const CellRange& range) {
  if (in.scene.shows_weights()) return 1;
  if (in.scene.quantity() == Quantity::kScore) return in.scene.shown_scale().high;
  double largest = is_written(in.scene.quantity()) ? 1e-12 : 1;
  for (int64_t q = range.query; q < std::min(range.query_end, in.scene.rows()); ++q)
    if (const double sum = row_sum(in.tiles, q); !in.scene.came_later(q) && sum > largest)
      largest = sum;
  return largest;
}

// The text of the number beside the bar of a row.
QString row_number(double sum, const HeatmapScene& scene) {
  if (scene.quantity() == Quantity::kScore) return score_text(sum);
  // Sums of differences that are only rounding errors are shown as 0.
  const double shown = scene.has_signs() && std::abs(sum) < 5e-5 ? 0.0 : sum;
  const int digits = shown < 9.99995 ? 4 : shown < 99.9995 ? 3 : shown < 999.995 ? 2 : 1;
  return QLocale().toString(shown, 'f', digits);
}

void paint_row_sums(QPainter& p, const HeatmapPicture& in, const QRectF& content) {
  const PictureLook& look = in.scene.look;
  const QRectF strip = in.layout.sums(content.right());
  const QFontMetricsF metrics(look.small), mono(look.mono);
  // Nobody can zoom into a file, so there the sums are left out without a word.
  if (!in.layout.on_screen && !shows_sums(in.transform)) return;
  p.setFont(look.small);
  p.setPen(look.colors.muted);
  const Quantity quantity = in.scene.quantity();
  draw_line(p,
            QRectF(strip.left(), strip.top() - metrics.height() - look.px(2),
                   strip.width() + look.px(8), metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            quantity == Quantity::kScore ? tr("row max") : tr("row sum"));
  if (!shows_sums(in.transform)) {
    const QString advice = quantity == Quantity::kScore ? tr("zoom in to see the largest scores")
                                                        : tr("zoom in to see the sums");
    const QRectF room(strip.left(), strip.top() + look.px(6), strip.width(), strip.height());
    constexpr int kAlign = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    if (metrics.boundingRect(room, kAlign, advice).height() <= content.bottom() - room.top())
      p.drawText(room, kAlign, advice);
    return;
  }
  const bool signs = in.scene.has_signs();
  const CellRange range = visible_cells(in.transform);
  const double full = full_bar(in, range);
  const Along rows{in.transform.y, in.layout.cells.top()};
  const double number_width =
      text_width(look.mono, signs ? QStringLiteral("-0.0000") : QStringLiteral("0.0000")) +
      look.px(4);
  const double room = std::min(strip.width(), static_cast<double>(look.px(signs ? 22 : 28)));
  const bool with_numbers =
      in.transform.y.scale >= mono.ascent() + 2 && strip.width() >= room + number_width;
  p.save();
  p.setClipRect(QRectF(strip.left(), content.top(), strip.width() + 1, content.height()));
  p.setRenderHint(QPainter::Antialiasing, false);
  p.setFont(look.mono);
  for (int64_t q = range.query; q < std::min(range.query_end, in.scene.rows()); ++q) {
    const double sum = row_sum(in.tiles, q);
    const double top = rows.at(q), height = rows.at(q + 1) - top;
    const double inset = std::max(height * 0.2, (height - look.px(10)) / 2);
    const QRectF bar(strip.left(), top + inset, room, std::max(1.0, height - 2 * inset));
    p.fillRect(bar, look.colors.line);
    if (std::isnan(sum) || in.scene.came_later(q)) continue;
    // The bar of a difference or a score grows from the middle to either side.
    const double zero = signs ? 0.5 : 0.0, part = std::clamp(sum / full, -1.0, 1.0) * (1 - zero);
    p.fillRect(QRectF(bar.left() + bar.width() * std::min(zero, zero + part), bar.top(),
                      bar.width() * std::abs(part), bar.height()),
               look.colors.muted);
    if (!with_numbers) continue;
    p.setPen(look.colors.text);
    NumberSigns::of(look.mono).draw(p,
                                    QRectF(strip.right() - number_width, top, number_width, height),
                                    row_number(sum, in.scene), Qt::AlignRight | Qt::AlignVCenter);
  }
  p.restore();
}

void paint_column_sums(QPainter& p, const HeatmapPicture& in, const QRectF& content) {
  const QRectF strip = in.layout.column_sums(content.bottom());
  if (strip.height() <= 0 || !in.scene.shows_weights()) return;
  const PictureLook& look = in.scene.look;
  const CellRange range = visible_cells(in.transform);
  const Along columns{in.transform.x, in.layout.cells.left()};
  const int64_t end = std::min(range.key_end, in.scene.columns());

  // A pixel that stands for several columns shows that of their sums which has the largest
  // magnitude.
  struct Bar {
    double left, right, sum;
    int64_t key;
  };
  std::vector<Bar> bars;
  double largest = 0;
  std::shared_ptr<const WeightTileData> tile;
  for (int64_t k = range.key; k < end; ++k) {
    if (k == range.key || k % kTileSide == 0) tile = column_tile(in.tiles, in.scene, k);
    const double sum = tile ? tile->sum[static_cast<size_t>(k % kTileSide)] : std::nan("");
    const double left = columns.at(k), right = columns.at(k + 1);
    if (!std::isnan(sum)) largest = std::max(largest, std::abs(sum));
    if (!bars.empty() && left - bars.back().left < 1) {
      bars.back().right = right;
      if (std::isnan(bars.back().sum) || std::abs(sum) > std::abs(bars.back().sum))
        bars.back().sum = sum;
      continue;
    }
    bars.push_back({left, right, sum, k});
  }

  const QFontMetricsF metrics(look.small), mono(look.mono);
  p.save();
  p.setFont(look.small);
  const double left = in.layout.row_axis.left();
  const QRectF name(left, strip.top(), in.layout.row_labels.right() - left - look.px(4),
                    metrics.height());
  p.setPen(look.colors.muted);
  const QString whole = tr("column sum"), brief = tr("sum");
  const bool fits = text_width(look.small, whole) <= name.width();
  draw_line(p, name, Qt::AlignRight | Qt::AlignVCenter,
            elided_text(look.small, fits ? whole : brief, name.width()));
  if (largest > 0) {
    const QString most = tr("max %1").arg(format_number(largest, 3));
    const auto totals = heatmap_totals(in.tiles, in.scene);
    const QString of_all =
        totals ? tr("%1 of %2").arg(most, format_number(totals->all, 4)) : QString();
    draw_line(p, name.translated(0, metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
              totals && text_width(look.small, of_all) <= name.width()
                  ? of_all
                  : elided_text(look.small, most, name.width()));
  }

  const bool signs = in.scene.head.combine.is_difference();
  const bool with_numbers =
      in.transform.x.scale >=
      text_width(look.mono, signs ? QStringLiteral("-00.00") : QStringLiteral("00.00")) +
          look.px(4);
  const double height = strip.height() - (with_numbers ? mono.height() : 0);
  p.setClipRect(QRectF(content.left(), strip.top(), content.width() + 1, strip.height() + 1));
  p.setRenderHint(QPainter::Antialiasing, false);
  const double zero = strip.top() + (signs ? height / 2 : height);
  p.fillRect(QRectF(content.left(), zero, content.width(), 1), look.colors.line);
  p.setFont(look.mono);
  for (const Bar& bar : bars) {
    if (std::isnan(bar.sum)) continue;
    const double width = std::max(1.0, bar.right - bar.left - (bar.right - bar.left >= 4 ? 1 : 0));
    const double high = largest > 0 ? bar.sum / largest * (signs ? height / 2 : height) : 0;
    p.fillRect(QRectF(bar.left, std::min(zero, zero - high), width, std::abs(high)),
               look.colors.muted);
    if (!with_numbers) continue;
    p.setPen(look.colors.text);
    NumberSigns::of(look.mono).draw(
        p, QRectF(bar.left, strip.bottom() - mono.height(), bar.right - bar.left, mono.height()),
        QLocale().toString(bar.sum, 'f', 2));
  }
  p.restore();
}

}  // namespace

double row_sum(const HeatmapTiles& tiles, int64_t query) {
  const auto tile = tiles.find({TileKey::kRowSums, Reduce::kMax, query / kSumRows, 0});
  return tile ? tile->sum[static_cast<size_t>(query % kSumRows)] : std::nan("");
}

double column_sum(const HeatmapTiles& tiles, const HeatmapScene& scene, int64_t key) {
  const auto tile = column_tile(tiles, scene, key);
  return tile ? tile->sum[static_cast<size_t>(key % kTileSide)] : std::nan("");
}

std::optional<HeatmapTotals> heatmap_totals(const HeatmapTiles& tiles, const HeatmapScene& scene) {
  if (scene.rows() <= 0 || scene.head.combine.is_difference() || !scene.shows_weights())
    return std::nullopt;
  HeatmapTotals totals;
  std::shared_ptr<const WeightTileData> tile;
  for (int64_t key = 0; key < scene.columns(); ++key) {
    if (key % kTileSide == 0) tile = column_tile(tiles, scene, key);
    const double sum = tile ? tile->sum[static_cast<size_t>(key % kTileSide)] : std::nan("");
    if (std::isnan(sum)) return std::nullopt;
    if (key == 0) totals.first = sum;
    totals.all += sum;
  }
  return totals;
}

QString totals_words(const std::optional<HeatmapTotals>& totals) {
  if (!totals) return {};
  const QString all = format_number(totals->all, 5);
  if (!(totals->all > 0)) return tr("sum of all cells %1").arg(all);
  return tr("sum of all cells %1; first token: %2% of the weights of all rows")
      .arg(all, format_number(100 * totals->first / totals->all, 3));
}

std::optional<KeptCells> kept_cells(const HeatmapPicture& picture) {
  const HeatmapScene& scene = picture.scene;
  if (picture.level > 0 || scene.keep.kind == Keep::Kind::kAll) return std::nullopt;
  const CellRange range = visible_cells(picture.transform);
  KeptCells cells;
  for (int64_t q = range.query; q < std::min(range.query_end, scene.rows()); ++q) {
    if (scene.came_later(q)) break;
    const auto cuts =
        picture.tiles.find({TileKey::kRowCuts, Reduce::kMax, q / kSumRows, scene.keep.code()});
    if (!cuts) return std::nullopt;
    const auto at = static_cast<size_t>(q % kSumRows);
    if (!cuts->done[at]) continue;
    cells.kept += cuts->cut[at].kept;
    cells.seen += scene.head.num_seen(q, scene.columns());
  }
  return cells;
}

void paint_heatmap_sums(QPainter& painter, const HeatmapPicture& picture, const QRectF& content) {
  paint_row_sums(painter, picture, content);
  paint_column_sums(painter, picture, content);
}

}  // namespace attn::gui
