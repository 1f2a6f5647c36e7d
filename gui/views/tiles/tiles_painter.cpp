// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/tiles/tiles_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/kernels/weight_recompute.h"
#include "gui/models/text.h"
#include "gui/views/tiles/tiles_panel.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

QString kernel_name(KernelId kernel) {
  const std::string_view name = name_of(kernel);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

class Painter {
 public:
  Painter(QPainter& painter, const TilesScene& scene, const TilesLayout& layout,
          const CanvasTransform& transform, const PictureLook& look)
      : p_(painter), scene_(scene), layout_(layout), transform_(transform), look_(look) {}

  void paint() {
    paint_surface(p_, layout_.bounds, look_.colors.surface);
    paint_title();
    if (scene_.rows > 0 && scene_.keys > 0) {
      p_.save();
      p_.setClipRect(layout_.grid.adjusted(-1, -1, 1, 1));
      paint_ground();
      paint_visited();
      paint_skipped();
      paint_lines();
      paint_numbers();
      paint_current();
      p_.restore();
      paint_row_mark();
      paint_pages();
      paint_axes();
      paint_legend();
    }
    if (!layout_.panel.isEmpty()) paint_softmax_panel(p_, scene_, layout_.panel, look_);
  }

 private:
  QRectF rect_of(int64_t q, int64_t rows, int64_t k, int64_t keys) const {
    const double x0 = transform_.x.to_pixel(static_cast<double>(k)),
                 x1 = transform_.x.to_pixel(static_cast<double>(k + keys)),
                 y0 = transform_.y.to_pixel(static_cast<double>(q)),
                 y1 = transform_.y.to_pixel(static_cast<double>(q + rows));
    return {layout_.grid.left() + x0, layout_.grid.top() + y0, x1 - x0, y1 - y0};
  }
  // The rectangle of a tile, cut at the last key of the picture.
  QRectF rect_of(const TileEvent& tile) const {
    return rect_of(tile.q_begin, tile.q_count, tile.k_begin,
                   std::min<int64_t>(tile.k_count, scene_.keys - tile.k_begin));
  }

  void paint_title() {
    p_.setFont(look_.small);
    p_.setPen(look_.colors.muted);
    QString text;
    if (const TileMark* current = scene_.current()) {
      text = at_step() + tr("%1, %2. Tile %3 of %4 is of %5.")
                             .arg(scene_.request, scene_.place, format_count(qint64(scene_.shown)),
                                  format_count(qint64(scene_.tiles.size())),
                                  kernels_in_words(*current));
      if (scene_.split) text += QLatin1Char(' ') + call_of_split();
    } else if (!scene_.request.isEmpty()) {
      text = at_step() + tr("%1, %2. No tile yet.").arg(scene_.request, scene_.place);
    }
    draw_line(p_, layout_.title, Qt::AlignLeft | Qt::AlignVCenter,
              elided_text(look_.small, text, layout_.title.width()));
  }

  QString call_of_split() const {
    const auto& split = *scene_.split;
    return split.sequences == 1 ? tr("Call %1 of %2 of a batch that was split, 1 sequence.")
                                      .arg(split.call + 1)
                                      .arg(split.calls)
                                : tr("Call %1 of %2 of a batch that was split, %3 sequences.")
                                      .arg(split.call + 1)
                                      .arg(split.calls)
                                      .arg(split.sequences);
  }

  // "paged_decode (up to 1 × 256, queries × keys); before it 60 of flash_prefill (up to 24 × 256)"
  QString kernels_in_words(const TileMark& current) const {
    struct Drawn {
      KernelId kernel = {};
      qint64 tiles = 0;
      uint32_t rows = 0, keys = 0;
    };
    std::vector<Drawn> kernels{{.kernel = current.tile.kernel, .tiles = 0, .rows = 0, .keys = 0}};
    for (size_t i = scene_.shown; i-- > 0;) {
      const TileEvent& tile = scene_.tiles[i].tile;
      auto drawn = std::ranges::find(kernels, tile.kernel, &Drawn::kernel);
      if (drawn == kernels.end()) drawn = kernels.insert(drawn, {tile.kernel, 0, 0, 0});
      ++drawn->tiles;
      drawn->rows = std::max(drawn->rows, tile.q_count);
      drawn->keys = std::max(drawn->keys, tile.k_count);
    }
    QString text;
    for (const Drawn& drawn : kernels) {
      const QString name = kernel_name(drawn.kernel), rows = format_count(drawn.rows),
                    keys = format_count(drawn.keys);
      text += text.isEmpty() ? tr("%1 (up to %2 × %3, queries × keys)").arg(name, rows, keys)
                             : tr("; before it %1 of %2 (up to %3 × %4)")
                                   .arg(format_count(drawn.tiles), name, rows, keys);
    }
    return text;
  }
  // "Step 12 computed 3 of these tiles. "
  QString at_step() const {
    if (!scene_.past_step) return {};
    const auto own = static_cast<qint64>(scene_.tiles.size() - scene_.step_first);
    const uint32_t step = *scene_.past_step;
    return (own == 0   ? tr("Step %1 computed none of these tiles. ").arg(step)
            : own == 1 ? tr("Step %1 computed one of these tiles. ").arg(step)
                       : tr("Step %1 computed %2 of these tiles. ")
                             .arg(QString::number(step), format_count(own)));
  }
  bool is_earlier(size_t tile) const { return scene_.past_step && tile < scene_.step_first; }
  QColor fill_of(int worker, bool earlier) const {
    return mix(look_.colors.surface, Theme::instance().category(worker), earlier ? 0.16 : 0.5);
  }

  void paint_ground() {
    const QRectF all = rect_of(0, scene_.rows, 0, scene_.keys);
    p_.setPen(QPen(look_.colors.line, 1));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(all);
  }

  void paint_visited() {
    const size_t last = scene_.shown;
    for (size_t i = 0; i < last; ++i) {
      const TileMark& mark = scene_.tiles[i];
      const QRectF rect = rect_of(mark.tile);
      if (rect.width() <= 0 || !rect.intersects(layout_.grid)) continue;
      const bool outlined = rect.height() >= 4 && rect.width() >= 4;
      const QColor fill = fill_of(mark.worker(), is_earlier(i));
      p_.fillRect(rect, fill);
      std::erase_if(numbers_, [&rect](const Number& one) { return one.plate.intersects(rect); });
      if (!outlined) continue;
      p_.setPen(QPen(Theme::instance().category_edge(mark.worker()), look_.line(1)));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(rect);
      add_number(i, rect, fill);
    }
  }

  void add_number(size_t tile, const QRectF& rect, const QColor& ground) {
    const QFontMetricsF metrics(look_.mono);
    QString text = format_count(qint64(tile) + 1);
    const QString with_worker = tr("%1  worker %2").arg(text).arg(scene_.tiles[tile].worker());
    const QRectF seen = rect.intersected(layout_.grid);
    if (seen.height() < metrics.height()) return;
    if (text_width(look_.mono, with_worker) + 8 <= seen.width()) text = with_worker;
    if (text_width(look_.mono, text) + 4 > seen.width()) return;
    // The number stands at the left, because what is masked lies mostly at the right.
    numbers_.push_back({QRectF(seen.left() + 2, seen.center().y() - metrics.height() / 2,
                               text_width(look_.mono, text) + 4, metrics.height())
                            .intersected(seen.adjusted(1, 1, -1, -1)),
                        ground, text});
  }

  void paint_numbers() {
    p_.setFont(look_.mono);
    for (const Number& number : numbers_) {
      p_.fillRect(number.plate, number.ground);
      p_.setPen(look_.text_on(number.ground));
      draw_line(p_, number.plate.adjusted(2, -4, 4, 4), Qt::AlignLeft | Qt::AlignVCenter,
                number.text);
    }
  }

  void paint_skipped() {
    std::set<std::pair<uint32_t, uint32_t>> bands;
    for (size_t i = 0; i < scene_.shown; ++i) {
      const TileEvent& tile = scene_.tiles[i].tile;
      if (!bands.insert({tile.q_begin, tile.q_count}).second) continue;
      for (const auto& [from, to] : skipped_keys(scene_, tile)) {
        const QRectF rect = rect_of(tile.q_begin, tile.q_count, from, to - from);
        p_.fillRect(rect, QBrush(look_.colors.hatch, Qt::BDiagPattern));
        any_skipped_ = true;
        if (rect.height() < 4) continue;
        p_.setPen(QPen(look_.colors.line, 1));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(rect);
      }
    }
  }

  void paint_lines() {
    const int64_t end = std::min(scene_.rows, scene_.keys), window = scene_.rule.sliding_window;
    const int64_t first = std::max(window, scene_.rule.rows_without_window);
    p_.setRenderHint(QPainter::Antialiasing);
    p_.setPen(QPen(look_.colors.text, look_.line(1), Qt::DotLine));
    if (scene_.rule.causal)
      p_.drawLine(rect_of(0, 1, 1, 1).topLeft(), rect_of(end, 1, end + 1, 1).topLeft());
    if (window > 0 && first < end)
      p_.drawLine(rect_of(first, 1, first - window, 1).topLeft(),
                  rect_of(end, 1, end - window, 1).topLeft());
    p_.setPen(QPen(look_.colors.bad, 2));
    const QRectF corner = rect_of(scene_.seq_len, 1, scene_.key_len(), 1);
    if (scene_.rows > scene_.seq_len)
      p_.drawLine(QPointF(layout_.grid.left(), corner.top()),
                  QPointF(layout_.grid.right(), corner.top()));
    if (scene_.keys > scene_.key_len())
      p_.drawLine(QPointF(corner.left(), layout_.grid.top()),
                  QPointF(corner.left(), layout_.grid.bottom()));
    if (scene_.partition <= 0) return;
    p_.setPen(QPen(look_.colors.warning, 2, Qt::DashLine));
    for (int64_t k = scene_.partition; k < scene_.keys; k += scene_.partition) {
      const double x = rect_of(0, 1, k, 1).left();
      p_.drawLine(QPointF(x, layout_.grid.top()), QPointF(x, layout_.grid.bottom()));
    }
  }

  void paint_current() {
    std::map<int, size_t> last;
    for (size_t i = 0; i < scene_.shown; ++i) last[scene_.tiles[i].worker()] = i;
    p_.setBrush(Qt::NoBrush);
    for (const auto& [worker, tile] : last) {
      if (tile + 1 == scene_.shown) continue;
      p_.setPen(QPen(Theme::instance().category_edge(worker), 2));
      p_.drawRect(rect_of(scene_.tiles[tile].tile).adjusted(1, 1, -1, -1));
    }
    if (const TileMark* current = scene_.current()) {
      p_.setPen(QPen(look_.colors.accent, 3));
      p_.drawRect(rect_of(current->tile).adjusted(-1, -1, 1, 1));
    }
  }

  void paint_row_mark() {
    if (scene_.row < 0 || scene_.row >= scene_.rows) return;
    const QRectF row = rect_of(scene_.row, 1, 0, scene_.keys);
    const double y = row.center().y(), r = look_.px(5);
    if (y < layout_.grid.top() || y > layout_.grid.bottom()) return;
    p_.setRenderHint(QPainter::Antialiasing);
    p_.setPen(Qt::NoPen);
    p_.setBrush(look_.colors.accent);
    const double left = layout_.grid.left() - 1, right = layout_.grid.right() + 1;
    p_.drawPolygon(QPolygonF({{left, y}, {left - r, y - r}, {left - r, y + r}}));
    p_.drawPolygon(QPolygonF({{right, y}, {right + r, y - r}, {right + r, y + r}}));
    p_.setBrush(Qt::NoBrush);
  }

  // A narrow box can stand for several pages. A box is filled if one of its pages was fetched.
  void paint_pages() {
    const QRectF area = layout_.pages;
    if (area.isEmpty() || scene_.block_size <= 0) return;
    p_.setFont(look_.small);
    p_.setPen(look_.colors.muted);
    draw_line(p_,
              QRectF(layout_.bounds.left() + look_.px(8), area.top(),
                     area.left() - layout_.bounds.left() - look_.px(12), area.height()),
              Qt::AlignRight | Qt::AlignVCenter, tr("pages"));
    p_.save();
    p_.setClipRect(area.adjusted(-1, -1, 1, 1));
    const uint64_t now = scene_.current() ? scene_.current()->end_ns : 0;
    std::set<int64_t> fetched;
    std::pair<int64_t, int64_t> newest{-1, -1};
    for (const FetchMark& fetch : scene_.fetches) {
      if (fetch.end_ns > now && !scene_.live) continue;
      for (int64_t page = 0; page < fetch.pages; ++page) fetched.insert(fetch.first_page + page);
      newest = {fetch.first_page, fetch.first_page + fetch.pages};
    }
    const int64_t pages = (scene_.keys + scene_.block_size - 1) / scene_.block_size;
    const double wide = transform_.x.scale * static_cast<double>(scene_.block_size);
    const int64_t every = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(3 / wide)));
    const QFontMetricsF metrics(look_.mono);
    for (int64_t page = 0; page < pages; page += every) {
      const double x = layout_.grid.left() +
                       transform_.x.to_pixel(static_cast<double>(page * scene_.block_size));
      const QRectF box(x, area.top() + 1, wide * static_cast<double>(every), area.height() - 3);
      if (box.right() < area.left() || box.left() > area.right()) continue;
      const auto first = fetched.lower_bound(page);
      if (first != fetched.end() && *first < page + every) p_.fillRect(box, look_.colors.decode);
      const bool is_new = page + every > newest.first && page < newest.second;
      p_.setPen(is_new ? QPen(look_.colors.accent, 2) : QPen(look_.colors.line, 1));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(box);
      if (every > 1 || page >= static_cast<int64_t>(scene_.blocks.size())) continue;
      const int32_t block = scene_.blocks[static_cast<size_t>(page)];
      if (block < 0) continue;  // no block is held
      const QString text = QString::number(block);
      const QRectF seen = box.intersected(area);
      if (text_width(look_.mono, text) + 4 > seen.width()) continue;
      p_.setFont(look_.mono);
      p_.setPen(fetched.contains(page) ? look_.text_on(look_.colors.decode) : look_.colors.muted);
      draw_line(p_, seen, Qt::AlignCenter, text);
    }
    p_.restore();
  }

  void paint_axes() {
    const QFontMetricsF metrics(look_.small);
    const double line = metrics.height();
    const QRectF& grid = layout_.grid;
    p_.setFont(look_.small);
    p_.setPen(look_.colors.muted);
    const auto label = [](double value, double) {
      return format_count(static_cast<qint64>(std::lround(value)));
    };
    // Ticks are at least one row, or key, apart.
    for (const RulerTick& tick :
         ruler_ticks(transform_.y, std::max(line * 2, transform_.y.scale), label)) {
      const double y = grid.top() + tick.pixel;
      if (y < grid.top() - 1 || y > grid.bottom() + 1) continue;
      p_.drawLine(QPointF(grid.left() - 4, y), QPointF(grid.left(), y));
      draw_line(p_, QRectF(grid.left() - look_.px(46), y - line / 2, look_.px(40), line),
                Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    for (const RulerTick& tick :
         ruler_ticks(transform_.x, std::max<double>(look_.px(56), transform_.x.scale), label)) {
      const double x = grid.left() + tick.pixel;
      if (x < grid.left() - 1 || x > grid.right() + 1) continue;
      p_.drawLine(QPointF(x, grid.bottom()), QPointF(x, grid.bottom() + 4));
      draw_line(p_, QRectF(x - look_.px(30), grid.bottom() + 4, look_.px(60), line),
                Qt::AlignCenter, tick.label);
    }
    p_.setPen(look_.colors.text);
    if (layout_.axis_name)
      draw_line(
          p_, QRectF(grid.left(), grid.bottom() + line + 4, grid.width(), line), Qt::AlignCenter,
          scene_.cross() ? tr("encoder's position, key (is read)") : tr("key position (is read)"));
    p_.save();
    p_.translate(layout_.bounds.left() + look_.px(6), grid.center().y());
    p_.rotate(-90);
    draw_line(p_, QRectF(-grid.height() / 2, 0, grid.height(), line), Qt::AlignCenter,
              elided_text(look_.small,
                          scene_.cross() ? tr("decoder's position, query (reads)")
                                         : tr("query position (reads)"),
                          grid.height()));
    p_.restore();
  }

  void paint_legend() {
    if (layout_.legend.isEmpty()) return;
    double x = layout_.legend.left();
    p_.setFont(look_.small);
    const auto entry = [&](const QString& text, auto&& swatch) {
      const double box = look_.px(14), needed = box + look_.px(18) + text_width(look_.small, text);
      if (x + needed > layout_.legend.right()) return;
      swatch(QRectF(x, layout_.legend.top() + 2, box, layout_.legend.height() - 4));
      p_.setPen(look_.colors.text);
      draw_line(
          p_, QRectF(x + box + look_.px(4), layout_.legend.top(), needed, layout_.legend.height()),
          Qt::AlignLeft | Qt::AlignVCenter, text);
      x += needed;
    };
    const auto framed = [&](const QBrush& fill, const QPen& pen) {
      return [this, fill, pen](const QRectF& box) {
        p_.setPen(pen);
        p_.setBrush(fill);
        p_.drawRect(box);
        p_.setBrush(Qt::NoBrush);
      };
    };
    if (!scene_.modelled.isEmpty())
      entry(scene_.modelled, framed(Theme::instance().modelled_brush(look_.colors.surface),
                                    QPen(look_.colors.line, 1)));
    std::map<int, int64_t> by_worker;
    for (size_t i = 0; i < scene_.shown; ++i) ++by_worker[scene_.tiles[i].worker()];
    entry(tr("shown tile"), framed(Qt::NoBrush, QPen(look_.colors.accent, 3)));
    const auto tile = [&](int worker, bool earlier) {
      return framed(fill_of(worker, earlier),
                    QPen(Theme::instance().category_edge(worker), look_.line(1)));
    };
    for (const auto& [worker, count] : by_worker)
      entry(tr("worker %1: %2").arg(worker).arg(format_count(count)), tile(worker, false));
    if (scene_.shown > 0 && is_earlier(0))
      entry(tr("of earlier steps"), tile(scene_.tiles.front().worker(), true));
    entry(tr("skipped"),
          framed(QBrush(look_.colors.hatch, Qt::BDiagPattern), QPen(look_.colors.line, 1)));
    entry(tr("row at the right"), [this](const QRectF& box) {
      p_.setPen(Qt::NoPen);
      p_.setBrush(look_.colors.accent);
      const QPointF c = box.center();
      p_.drawPolygon(QPolygonF({c, c + QPointF(-6, -5), c + QPointF(-6, 5)}));
      p_.setBrush(Qt::NoBrush);
    });
    const bool window = scene_.rule.window_of(std::min(scene_.rows, scene_.keys) - 1) > 0;
    const bool both = window && scene_.rule.causal;
    const auto dotted = [&](const QRectF& box) {
      p_.setPen(QPen(look_.colors.text, look_.line(1), Qt::DotLine));
      const QPointF half = both ? QPointF(box.width() / 2, 0) : QPointF();
      p_.drawLine(box.topLeft() + half, box.bottomRight());
      if (both) p_.drawLine(box.topLeft(), box.bottomRight() - half);
    };
    if (window || scene_.rule.causal)
      entry(both     ? tr("masked outside the two lines")
            : window ? tr("masked left of it")
                     : tr("masked right of it"),
            dotted);
    if (scene_.partition > 0 && scene_.keys > scene_.partition)
      entry(tr("partition of %1 keys").arg(scene_.partition), [this](const QRectF& box) {
        p_.setPen(QPen(look_.colors.warning, 2, Qt::DashLine));
        p_.drawLine(QPointF(box.center().x(), box.top()), QPointF(box.center().x(), box.bottom()));
      });
    if (scene_.rows > scene_.seq_len || scene_.keys > scene_.key_len())
      entry(tr("end of the sequence, then padding"), [this](const QRectF& box) {
        p_.setPen(QPen(look_.colors.bad, 2));
        p_.drawLine(QPointF(box.center().x(), box.top()), QPointF(box.center().x(), box.bottom()));
      });
    if (!scene_.fetches.empty())
      entry(tr("page fetched"), framed(look_.colors.decode, QPen(look_.colors.line, 1)));
  }

  QPainter& p_;
  const TilesScene& scene_;
  const TilesLayout& layout_;
  const CanvasTransform& transform_;
  const PictureLook& look_;
  struct Number {
    QRectF plate;  // the ground behind the text
    QColor ground;
    QString text;
  };
  std::vector<Number> numbers_;
  bool any_skipped_ = false;
};

}  // namespace

TilesLayout lay_out_tiles(const QRectF& bounds, const PictureLook& look) {
  TilesLayout layout;
  const double line = QFontMetricsF(look.small).height(), pad = look.px(8);
  layout.bounds = bounds;
  QRectF inside = bounds.adjusted(pad, look.px(4), -pad, -look.px(4));
  layout.title = QRectF(inside.left(), inside.top(), inside.width(), line + 4);
  // A low panel leaves out first the legend, then the pages, then the name of the axis.
  const bool with_legend = bounds.height() >= look.px(190);
  const bool with_pages = bounds.height() >= look.px(150);
  const bool with_axis_name = bounds.height() >= look.px(120);
  if (with_legend)
    layout.legend = QRectF(inside.left(), inside.bottom() - line - 4, inside.width(), line + 4);
  inside.setTop(layout.title.bottom() + look.px(4));
  if (with_legend) inside.setBottom(layout.legend.top() - look.px(4));
  if (bounds.width() >= look.px(560)) {
    const double width = std::clamp(bounds.width() * 0.34, look.px(260) * 1.0, look.px(420) * 1.0);
    layout.panel = QRectF(inside.right() - width, inside.top(), width, inside.height());
    inside.setRight(layout.panel.left() - look.px(16));
  }
  const double axis = look.px(64), strip = with_pages ? line + look.px(6) : 0;
  const double below = (with_axis_name ? 2 : 1) * line + look.px(10);
  layout.grid = QRectF(inside.left() + axis, inside.top() + strip,
                       inside.width() - axis - look.px(10), inside.height() - strip - below);
  if (with_pages)
    layout.pages =
        QRectF(layout.grid.left(), inside.top(), layout.grid.width(), strip - look.px(2));
  layout.axis_name = with_axis_name;
  return layout;
}

void paint_tiles(QPainter& painter, const TilesScene& scene, const TilesLayout& layout,
                 const CanvasTransform& transform, const PictureLook& look) {
  painter.save();
  Painter(painter, scene, layout, transform, look).paint();
  painter.restore();
}

int64_t keys_of_band(const TilesScene& scene, const TileEvent& tile) {
  if (scene.cross()) return scene.encoder_len;
  const int64_t end = int64_t{tile.q_begin} + tile.q_count;
  return std::min(scene.keys,
                  std::max(end, tile.q_begin < scene.prompt_len ? scene.prompt_len : 0));
}

std::vector<std::pair<int64_t, int64_t>> skipped_keys(const TilesScene& scene,
                                                      const TileEvent& band) {
  for (int64_t q = band.q_begin; q < std::min<int64_t>(band.q_begin + band.q_count, scene.rows);
       ++q)
    if (!scene.row_done[static_cast<size_t>(q)]) return {};
  std::vector<std::pair<int64_t, int64_t>> covered, gaps;
  for (size_t i = 0; i < scene.tiles.size(); ++i) {
    const TileEvent& tile = scene.tiles[i].tile;
    if (tile.q_begin != band.q_begin || tile.q_count != band.q_count) continue;
    if (i >= scene.shown) return {};  // a tile of the band is not shown yet
    covered.emplace_back(tile.k_begin, int64_t{tile.k_begin} + tile.k_count);
  }
  std::sort(covered.begin(), covered.end());
  int64_t at = 0;
  const int64_t end = keys_of_band(scene, band);
  for (const auto& [from, to] : covered) {
    if (from > at) gaps.emplace_back(at, std::min(from, end));
    at = std::max(at, to);
  }
  if (at < end) gaps.emplace_back(at, end);
  return gaps;
}

int64_t seen_pairs(const TilesScene& scene, const TileEvent& tile) {
  int64_t pairs = 0;
  const int64_t end = std::min(int64_t{tile.k_begin} + tile.k_count, scene.key_len());
  for (int64_t q = tile.q_begin;
       q < std::min<int64_t>(int64_t{tile.q_begin} + tile.q_count, scene.seq_len); ++q)
    pairs += count_seen_keys(scene.rule, scene.head, q, tile.k_begin, end);
  return pairs;
}

bool rows_have_one_tile(const TilesScene& scene) {
  for (size_t i = 0; i < scene.shown; ++i) {
    const TileEvent& tile = scene.tiles[i].tile;
    const int64_t end = std::min<int64_t>(int64_t{tile.q_begin} + tile.q_count, scene.seq_len);
    for (int64_t row = tile.q_begin; row < end; ++row) {
      const KeySpan seen = scene.rule.span(row, scene.key_len());
      if (seen.begin < tile.k_begin || seen.end > int64_t{tile.k_begin} + tile.k_count)
        return false;
    }
  }
  return scene.shown > 0;
}

QString tile_sentence(const TilesScene& scene, size_t tile) {
  const TileMark& mark = scene.tiles[tile];
  return tr("tile %1 of %2: queries %3 to %4, keys %5 to %6, worker %7, %8, %9")
      .arg(tile + 1)
      .arg(scene.tiles.size())
      .arg(mark.tile.q_begin)
      .arg(mark.tile.q_begin + mark.tile.q_count - 1)
      .arg(mark.tile.k_begin)
      .arg(mark.tile.k_begin + mark.tile.k_count - 1)
      .arg(mark.worker())
      .arg(kernel_name(mark.tile.kernel),
           format_duration_ns(static_cast<double>(mark.end_ns - mark.begin_ns)));
}

std::optional<size_t> tile_at(const TilesScene& scene, const TilesLayout& layout,
                              const CanvasTransform& transform, const QPointF& point) {
  if (!layout.grid.contains(point)) return std::nullopt;
  const double k = transform.x.to_content(point.x() - layout.grid.left());
  const double q = transform.y.to_content(point.y() - layout.grid.top());
  for (size_t i = scene.shown; i > 0; --i) {
    const TileEvent& tile = scene.tiles[i - 1].tile;
    if (q >= tile.q_begin && q < tile.q_begin + tile.q_count && k >= tile.k_begin &&
        k < tile.k_begin + tile.k_count)
      return i - 1;
  }
  return std::nullopt;
}

}  // namespace attn::gui
