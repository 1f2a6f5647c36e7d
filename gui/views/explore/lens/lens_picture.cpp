// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/lens/lens_picture.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/session/report/report.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

struct LensWords {
  Q_DECLARE_TR_FUNCTIONS(LogitLens)
};

QString quantity(LensColor color) {
  switch (color) {
    case LensColor::kProbability:
      return LensWords::tr("probability");
    case LensColor::kLogit:
      return LensWords::tr("logit");
    case LensColor::kRank:
      return LensWords::tr("rank + 1");
    case LensColor::kDivergence:
      return LensWords::tr("divergence");
  }
  return {};
}

// What the colours say, for the line above the grid.
QString color_meaning(LensColor color) {
  switch (color) {
    case LensColor::kProbability:
      return LensWords::tr("probability of the token that follows");
    case LensColor::kLogit:
      return LensWords::tr("logit of the token that follows");
    case LensColor::kRank:
      return LensWords::tr("rank + 1 of the token that follows");
    case LensColor::kDivergence:
      return LensWords::tr("divergence from the model's own answer");
  }
  return {};
}

}  // namespace

QString site_text(const LensSite& site) {
  if (site.site == ResidualSite::kEmbed) return LensWords::tr("embedding");
  return site.site == ResidualSite::kMid ? LensWords::tr("layer %1, attention").arg(site.layer)
                                         : LensWords::tr("layer %1, MLP").arg(site.layer);
}

// The positions are in blocks of as many columns as fit, one below the other.
struct LensPicture::Layout {
  double label = 0, column = 0, row = 0, head = 0, block = 0, grid_top = 0, bars_top = 0;
  int64_t per_block = 1, blocks = 0, sites = 0;
  QRectF bar;  // colour bar
  std::vector<QString> legend, bars_said;
  double width = 0;
  QRectF cell(int64_t site, int64_t index) const {
    const double top = grid_top + static_cast<double>(index / per_block) * block + head;
    return {label + column * static_cast<double>(index % per_block),
            top + row * static_cast<double>(sites - 1 - site), column, row};
  }
};

LensPicture::LensPicture(PictureFrame frame, LensScene scene)
    : ExplorePicture(std::move(frame)), scene_(std::move(scene)) {
  const LogitLens& lens = scene_.data->lens;
  if (scene_.color == LensColor::kProbability) scale_ = {ColorScale::Kind::kLinear, 0, 1};
  if (scene_.color == LensColor::kRank) {
    double last = 1000;
    for (const LensCell& cell : lens.cells) last = std::max(last, value_of(cell));
    scale_ = {ColorScale::Kind::kLog, 1, last};
  }
  if (scene_.color == LensColor::kLogit || scene_.color == LensColor::kDivergence) {
    double low = 1e300, high = -1e300;
    for (const LensCell& cell : lens.cells) {
      low = std::min(low, value_of(cell));
      high = std::max(high, value_of(cell));
    }
    if (scene_.color == LensColor::kDivergence) low = 0;
    scale_ = {ColorScale::Kind::kLinear, low, std::max(high, low + 1e-6)};
  }
}

int64_t LensPicture::columns() const {
  return std::min(scene_.rows, scene_.data->lens.count);
}

double LensPicture::value_of(const LensCell& cell) const {
  switch (scene_.color) {
    case LensColor::kProbability:
      return cell.probability;
    case LensColor::kLogit:
      return static_cast<double>(cell.logit);
    case LensColor::kRank:
      return static_cast<double>(cell.rank + 1);
    case LensColor::kDivergence:
      return cell.divergence;
  }
  return 0;
}

LensPicture::Layout LensPicture::lay_out(double width) const {
  const PictureLook& l = look();
  Layout at;
  at.width = width;
  at.sites = std::ssize(scene_.data->lens.sites);
  for (const LensSite& site : scene_.data->lens.sites)
    at.label = std::max(at.label, text_width(l.small, site_text(site)));
  at.label += l.px(8);
  // In a narrow file the colour bar is below, so that more columns fit.
  const bool below = frame().in_file && width < l.px(480);
  const double right = below ? 0 : l.px(88), room = std::max(1.0, width - at.label - right);
  at.per_block = std::clamp<int64_t>(static_cast<int64_t>(room / l.px(64)), 1,
                                     std::max<int64_t>(1, columns()));
  at.column = std::min<double>(room / static_cast<double>(at.per_block), l.px(120));
  at.blocks = (columns() + at.per_block - 1) / at.per_block;
  at.row = l.px(22);
  at.head = l.px(26);
  at.block = at.head + at.row * static_cast<double>(at.sites) + l.px(26);
  at.legend = wrapped_lines(l.small, legend_words(), width);
  at.grid_top = l.px(18) * static_cast<double>(at.legend.size());
  at.bars_top = at.grid_top + at.block * static_cast<double>(at.blocks) + l.px(4);
  at.bar = QRectF(width - right + l.px(12), at.grid_top + at.head, right - l.px(12),
                  std::min<double>(at.row * static_cast<double>(at.sites), l.px(220)));
  if (below) {
    at.bar = QRectF(0, at.bars_top + l.px(20), l.px(76), l.px(100));
    at.bars_top = at.bar.bottom() + l.px(16);
  }
  if (scene_.bars) at.bars_said = lines_of(l.small_bold, bars_words(), width);
  return at;
}

double LensPicture::content_height(double width) const {
  const Layout at = lay_out(width);
  if (!scene_.bars) return at.bars_top + (frame().in_file ? 0 : look().px(20));
  return at.bars_top + look().px(4) +
         look().px(20) * static_cast<double>(at.bars_said.size() + scene_.bars->texts.size());
}

void LensPicture::paint_block(QPainter& p, const Layout& at, int64_t block,
                              const Spot& cursor) const {
  const PictureLook& l = look();
  const LensData& data = *scene_.data;
  const ColorTable& colors = color_table(scene_.map);
  const int64_t first = block * at.per_block, end = std::min(first + at.per_block, columns());
  for (int64_t site = 0; site < at.sites; ++site) {
    const QRectF row = at.cell(site, first);
    p.setFont(l.small);
    p.setPen(l.colors.muted);
    draw_line(p, QRectF(0, row.top(), at.label - l.px(8), row.height()),
              Qt::AlignRight | Qt::AlignVCenter,
              site_text(data.lens.sites[static_cast<size_t>(site)]));
    for (int64_t i = first; i < end; ++i) {
      const LensCell& cell = data.lens.cell(static_cast<size_t>(site), data.lens.first + i);
      const QRectF box = at.cell(site, i).adjusted(0, 0, -1, -1);
      const double value = value_of(cell);
      // Small ranks and divergences are bright.
      const bool turned =
          scene_.color == LensColor::kRank || scene_.color == LensColor::kDivergence;
      const int index = scale_.index(value);
      const QColor fill =
          QColor::fromRgb(colors[static_cast<size_t>(turned ? 255 - index : index)]);
      p.fillRect(box, fill);
      p.setFont(cell.best == data.lens.wanted[static_cast<size_t>(i)] ? l.small_bold : l.small);
      p.setPen(l.text_on(fill));
      const QString text = data.best[static_cast<size_t>(site * data.lens.count + i)];
      draw_line(p, box.adjusted(l.px(3), 0, -l.px(3), 0), Qt::AlignCenter,
                elided_text(p.font(), text, box.width() - l.px(6)));
      const bool shown = scene_.bars && scene_.bars->site == static_cast<size_t>(site) &&
                         scene_.bars->position == i;
      if (!shown && !(cursor == Spot{kGrid, site, i})) continue;
      p.setBrush(Qt::NoBrush);
      p.setPen(QPen(l.colors.accent, l.line(2)));
      p.drawRect(box.adjusted(1, 1, -1, -1));
    }
  }
  p.setFont(l.mono);
  for (int64_t i = first; i < end; ++i) {
    const QRectF top = at.cell(at.sites - 1, i), bottom = at.cell(0, i);
    const double room = at.column - l.px(4);
    p.setPen(l.colors.text);
    draw_line(p, QRectF(top.left(), top.top() - l.px(22), at.column - 1, l.px(20)), Qt::AlignCenter,
              elided_text(l.mono, data.wanted[static_cast<size_t>(i)], room));
    p.setPen(l.colors.muted);
    draw_line(p, QRectF(top.left(), bottom.bottom(), at.column - 1, l.px(20)), Qt::AlignCenter,
              elided_text(l.mono, data.tokens[static_cast<size_t>(i)], room));
  }
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  const QRectF above = at.cell(at.sites - 1, first), below = at.cell(0, first);
  draw_line(p, QRectF(0, above.top() - l.px(22), at.label - l.px(8), l.px(20)),
            Qt::AlignRight | Qt::AlignVCenter, LensWords::tr("follows"));
  draw_line(p, QRectF(0, below.bottom(), at.label - l.px(8), l.px(20)),
            Qt::AlignRight | Qt::AlignVCenter, LensWords::tr("reads"));
}

QString LensPicture::legend_words() const {
  return LensWords::tr(
             "Colour: %1. Text: the likeliest token; bold: it is also the token that follows.")
      .arg(color_meaning(scene_.color));
}

QString LensPicture::bars_words() const {
  const LensBars& bars = *scene_.bars;
  return LensWords::tr("If the model ended at %1: what follows %2")
      .arg(site_text(scene_.data->lens.sites[bars.site]),
           scene_.data->tokens[static_cast<size_t>(bars.position)]);
}

void LensPicture::paint_bars(QPainter& p, const Layout& at) const {
  const PictureLook& l = look();
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  if (!scene_.bars) {
    if (frame().in_file) return;
    draw_line(p, QRectF(0, at.bars_top, at.width, l.px(20)), Qt::AlignLeft | Qt::AlignVCenter,
              LensWords::tr("Click a cell, or move to it with the arrow keys, to see its likeliest "
                            "tokens as bars."));
    return;
  }
  const LensBars& bars = *scene_.bars;
  const auto index = static_cast<size_t>(bars.position);
  p.setFont(l.small_bold);
  p.setPen(l.colors.text);
  const double words = l.px(20) * static_cast<double>(at.bars_said.size());
  paint_lines(p, QRectF(0, at.bars_top, at.width, words), at.bars_said);
  const double label = at.label, most = std::max(1e-9, bars.next.choices.front().plain);
  const double room = std::max(1.0, at.width - label - l.px(90));
  for (size_t i = 0; i < bars.texts.size(); ++i) {
    const TokenChoice& choice = bars.next.choices[i];
    const bool wanted = choice.token == scene_.data->lens.wanted[index];
    const double y = at.bars_top + words + l.px(2) + l.px(20) * static_cast<double>(i);
    p.setFont(l.mono);
    p.setPen(l.colors.text);
    draw_line(p, QRectF(0, y, label - l.px(8), l.px(20)), Qt::AlignRight | Qt::AlignVCenter,
              elided_text(l.mono, bars.texts[i], label - l.px(8)));
    const QRectF bar(label, y + l.px(3), std::max(1.0, room * choice.plain / most), l.px(14));
    p.fillRect(bar, wanted ? l.colors.decode : l.colors.accent);
    draw_line(p, QRectF(bar.right() + l.px(6), y, l.px(84), l.px(20)),
              Qt::AlignLeft | Qt::AlignVCenter,
              QLocale().toString(100 * choice.plain, 'f', 1) + QLatin1Char('%'));
  }
}

void LensPicture::paint_content(QPainter& painter, double width, const Spot& cursor) const {
  const Layout at = lay_out(width);
  for (int64_t block = 0; block < at.blocks; ++block) paint_block(painter, at, block, cursor);
  ColorBar bar;
  bar.map = scene_.map;
  bar.scale = scale_;
  bar.quantity = quantity(scene_.color);
  if (scene_.color == LensColor::kDivergence) bar.unit = LensWords::tr("nats");
  if (scene_.color == LensColor::kRank || scene_.color == LensColor::kDivergence) {
    bar.turned = true;
    bar.holds_all = true;
  }
  paint_color_bar(painter, at.bar, bar, look());
  painter.setFont(look().small);
  painter.setPen(look().colors.text);
  paint_lines(painter, QRectF(0, 0, width, at.grid_top), at.legend);
  paint_bars(painter, at);
}

std::optional<Spot> LensPicture::content_at(const QPointF& point, double width) const {
  const Layout at = lay_out(width);
  const double y = point.y() - at.grid_top;
  if (point.x() < at.label || y < 0) return std::nullopt;
  const auto block = static_cast<int64_t>(y / at.block);
  const auto column = static_cast<int64_t>((point.x() - at.label) / at.column);
  const int64_t index = block * at.per_block + column;
  if (block >= at.blocks || column >= at.per_block || index >= columns()) return std::nullopt;
  const double down = y - static_cast<double>(block) * at.block - at.head;
  const auto row = static_cast<int64_t>(std::floor(down / at.row));
  if (row < 0 || row >= at.sites) return std::nullopt;
  return Spot{kGrid, at.sites - 1 - row, index};
}

QRectF LensPicture::content_box(const Spot& spot, double width) const {
  const Layout at = lay_out(width);
  return spot.column >= 0 && spot.column < columns() && spot.row < at.sites
             ? at.cell(spot.row, spot.column)
             : QRectF();
}

Spot LensPicture::moved(const Spot& from, int columns_by, int rows_by) const {
  const int64_t last = columns() - 1, top = std::ssize(scene_.data->lens.sites) - 1;
  if (!from.is_somewhere()) return {kGrid, top, last};
  return {kGrid, std::clamp<int64_t>(from.row - rows_by, 0, top),
          std::clamp<int64_t>(from.column + columns_by, 0, last)};
}

QString LensPicture::value_text(const LensCell& cell) const {
  return LensWords::tr("probability %1, logit %2, rank %3, divergence from the answer %4 nats")
      .arg(format_number(cell.probability), format_number(static_cast<double>(cell.logit)))
      .arg(cell.rank)
      .arg(format_number(cell.divergence));
}

QString LensPicture::words(const Spot& spot) const {
  const LensData& data = *scene_.data;
  const auto site = static_cast<size_t>(spot.row), index = static_cast<size_t>(spot.column);
  const LensCell& cell = data.lens.cell(site, data.lens.first + spot.column);
  return LensWords::tr(
             "%1, position %2, reads %3\nwould say %4 with probability %5\n%6, which follows: %7")
      .arg(site_text(data.lens.sites[site]))
      .arg(data.lens.first + spot.column)
      .arg(data.tokens[index], data.best[site * static_cast<size_t>(data.lens.count) + index],
           format_number(cell.best_probability), data.wanted[index], value_text(cell));
}

std::vector<ViewPoint::Number> LensPicture::numbers(const Spot& spot) const {
  const LensCell& cell =
      scene_.data->lens.cell(static_cast<size_t>(spot.row), scene_.data->lens.first + spot.column);
  return {{LensWords::tr("probability"), exact_number(cell.probability)},
          {LensWords::tr("logit"), exact_number(cell.logit)},
          {LensWords::tr("rank"), QString::number(cell.rank)},
          {LensWords::tr("divergence"), exact_number(cell.divergence)}};
}

std::vector<SelectionState> LensPicture::things(const Spot& spot) const {
  return {{.kind = SelectionKind::kToken, .query = scene_.data->lens.first + spot.column}};
}

std::shared_ptr<const Explanation> LensPicture::explain(const Spot& spot) const {
  const LensData& data = *scene_.data;
  const auto site = static_cast<size_t>(spot.row), index = static_cast<size_t>(spot.column);
  const LensCell& cell = data.lens.cell(site, data.lens.first + spot.column);
  const QString place = site_text(data.lens.sites[site]),
                best = data.best[site * static_cast<size_t>(data.lens.count) + index],
                follows = data.wanted[index];
  const int64_t position = data.lens.first + spot.column;
  // log Σ exp(logits), from a logit and its probability.
  const double log_sum = static_cast<double>(cell.best_logit) - std::log(cell.best_probability);
  auto of = std::make_shared<Explanation>();
  of->title = LensWords::tr("Logit lens: %1, position %2").arg(place).arg(position);
  of->meaning = LensWords::tr(
                    "What the model would say after %1 if it ended at this place: most likely "
                    "%2. %3 is the token that follows or, at the end of the text, the model's "
                    "own answer.")
                    .arg(data.tokens[index], best, follows);
  const auto number = [](double value) { return format_number(value, 7); };
  of->numbers = {
      {LensWords::tr("probability of %1").arg(follows), number(cell.probability)},
      {LensWords::tr("logit of %1").arg(follows), number(static_cast<double>(cell.logit))},
      {LensWords::tr("rank of %1 (0: the likeliest)").arg(follows), QString::number(cell.rank)},
      {LensWords::tr("divergence from the model's own answer, nats"), number(cell.divergence)}};
  if (cell.rank > 0)
    of->numbers.insert(
        of->numbers.begin(),
        {{LensWords::tr("probability of %1").arg(best), number(cell.best_probability)},
         {LensWords::tr("logit of %1").arg(best), number(static_cast<double>(cell.best_logit))}});
  of->formulas = {LensWords::tr("logits = U norm(x)"),
                  LensWords::tr("probability = exp(logit − log Σ exp(logits))"),
                  QStringLiteral("= exp(%1 − %2) = %3")
                      .arg(number(static_cast<double>(cell.logit)), number(log_sum),
                           number(std::exp(static_cast<double>(cell.logit) - log_sum))),
                  LensWords::tr("divergence = Σ p log(p ÷ lens), p: the model's own answer")};
  of->origin = LensWords::tr(
      "x is the residual stream of this position at this place, norm the model's last norm with "
      "the statistics of this x, and U the model's output embedding. A bias, factor or soft cap of "
      "the logits is applied where the model has one.");
  return of;
}

QString LensPicture::sentence() const {
  return LensWords::tr("Logit lens of %1 positions at %2 places of the network; colours: %3.")
      .arg(columns())
      .arg(scene_.data->lens.sites.size())
      .arg(color_meaning(scene_.color));
}

std::string LensPicture::csv() const {
  const LensData& data = *scene_.data;
  std::string out =
      "site,position,token,best,best_text,best_logit,best_probability,follows,logit,probability,"
      "rank_from_0,divergence,token_id,follows_id\n";
  for (size_t site = 0; site < data.lens.sites.size(); ++site)
    for (int64_t i = 0; i < columns(); ++i) {
      const auto index = static_cast<size_t>(i);
      const LensCell& cell = data.lens.cell(site, data.lens.first + i);
      out += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
          csv_cell(site_text(data.lens.sites[site]).toStdString()), data.lens.first + i,
          csv_cell(data.plain_tokens[index]), cell.best,
          csv_cell(data.plain_best[site * static_cast<size_t>(data.lens.count) + index]),
          cell.best_logit, cell.best_probability, csv_cell(data.plain_wanted[index]), cell.logit,
          cell.probability, cell.rank, cell.divergence, data.token_ids[index],
          data.lens.wanted[index]);
    }
  return out;
}

}  // namespace attn::gui
