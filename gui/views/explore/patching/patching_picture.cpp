// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/patching/patching_picture.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "engine/session/report/report.h"
#include "gui/widgets/color_bar.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

struct PatchingWords {
  Q_DECLARE_TR_FUNCTIONS(Patching)
};

constexpr int kResultLines = 2;
// In logits. Effects are divided by the distance between the logit differences of the two prompts;
// below this distance there is a warning.
constexpr double kSmallEffect = 1;

// Such as "99.7%", "100%" or "0.05%".
QString share_text(double share) {
  const double value = 100 * share;
  const bool whole = std::abs(value - std::round(value)) < 0.05;
  const int decimals = whole && std::abs(value) > 0.5 ? 0 : std::abs(value) < 1 ? 2 : 1;
  return QLocale().toString(value, 'f', value == 0 ? 0 : decimals) + QLatin1Char('%');
}

// The number in a cell. Empty: it would be 0, or there are no digits.
QString number_of(double share, int digits) {
  const bool none = digits == 0 || std::abs(share) < 0.5 * std::pow(10, -digits);
  return none ? QString() : QLocale().toString(share, 'f', digits);
}

// Names the compared pair of tokens and its logit difference in both runs. Empty: no pair is known,
// or PatchingData::trouble is set.
QString pair_words(const PatchingData& data) {
  if (data.right.empty() || !data.trouble.isEmpty()) return {};
  return PatchingWords::tr(
             "Compared: the logit of %1 minus that of %2. This difference is %3 after the clean "
             "prompt and %4 after the corrupted one.")
      .arg(quoted_token(data.right), quoted_token(data.wrong),
           format_number(data.ends.clean.difference, 3),
           format_number(data.ends.corrupted.difference, 3));
}

// Why the shares say little about the answer; empty: no warning.
QString pair_warning(const PatchingData& data) {
  if (data.right.empty() || !data.trouble.isEmpty()) return {};
  const PatchEnds& ends = data.ends;
  QStringList warnings;
  if (ends.clean.best == ends.corrupted.best)
    warnings += PatchingWords::tr(
                    "The likeliest token is %1 after both prompts, so the cells do not explain "
                    "which of two answers is given.")
                    .arg(quoted_token(data.best_clean));
  const double apart = std::abs(ends.clean.difference - ends.corrupted.difference);
  if (apart < kSmallEffect)
    warnings += PatchingWords::tr(
                    "The two differences are only %1 apart, so even a tiny change can give a share "
                    "far from 0 and 1.")
                    .arg(format_number(apart, 3));
  if (!warnings.isEmpty())
    warnings += PatchingWords::tr("Choose prompts with different answers, or another pair.");
  return warnings.join(QLatin1Char(' '));
}

}  // namespace

Spot source_of(const PatchingMove& move) {
  return {other_run(move.part), move.cells.from_layer, move.cells.from_column};
}

Spot target_of(const PatchingMove& move) {
  return {move.part, move.cells.layer, move.cells.column};
}

struct PatchingPicture::Layout {
  double label = 0, cell = 0, head = 0, high = 0;
  double overhang = 0;  // how far the first turned token reaches to the left of its column
  bool turned = false;
  QRectF heading, pair, warning, result, bar;
  std::vector<QString> said, pair_lines, warning_lines, result_lines;
  std::vector<QString> title_lines[2];
  QRectF title[2];  // 0: clean, 1: corrupted
  QRectF heads_title[2];
  QRectF tokens[2];  // above the grid of positions
  QRectF grid[kPatchingParts];
  QRectF cell_at(const Spot& spot) const {
    const QRectF& box = grid[spot.part];
    const double wide = is_of_heads(spot.part) ? head : cell;
    return {box.left() + wide * static_cast<double>(spot.column),
            box.top() + high * static_cast<double>(spot.row), wide, high};
  }
};

PatchingPicture::PatchingPicture(PictureFrame frame, PatchingScene scene)
    : ExplorePicture(std::move(frame)), scene_(std::move(scene)) {
  colors_ = diverging_table(scene_.is_dark ? qRgb(24, 26, 30) : qRgb(255, 255, 255));
  for (const auto* texts : {&scene_.data->clean_texts, &scene_.data->corrupted_texts})
    for (const std::string& text : *texts)
      longest_ = std::max(longest_, token_width(token_text(text), look().mono));
}

int64_t PatchingPicture::columns(int part) const {
  return is_of_heads(part) ? scene_.data->heads : scene_.data->tokens();
}

std::optional<double> PatchingPicture::value(const Spot& spot) const {
  const auto& grid = scene_.data->grids[static_cast<size_t>(spot.part)];
  if (!grid) return std::nullopt;
  return grid->value(spot.row, spot.column);
}

PatchingPicture::Layout PatchingPicture::lay_out(double width) const {
  const PictureLook& l = look();
  const PatchingData& data = *scene_.data;
  const auto layers = static_cast<double>(data.layers), heads = static_cast<double>(data.heads),
             tokens = static_cast<double>(std::max<int64_t>(1, data.tokens()));
  Layout at;
  at.label = std::max(l.px(30) * 1.0,
                      std::ceil(text_width(l.small, PatchingWords::tr("layer"))) + l.px(6));
  const double gap = l.px(20), bar = l.px(92), bar_high = l.px(130);
  const bool below = frame().in_file && width < l.px(480);
  // Whole pixels, so that the cells have sharp edges.
  at.head = std::floor(std::clamp(
      below ? (width - at.label - gap - bar) / heads : width * 0.22 / heads, 5.0, l.px(36) * 1.0));
  const double room =
      below ? width - at.label : width - 2 * at.label - 2 * gap - at.head * heads - bar;
  at.cell = std::floor(std::clamp(room / tokens, 3.0, l.px(58) * 1.0));
  at.high = std::floor(
      std::clamp(std::min(l.px(156) / layers, width / 48), l.px(13) * 1.0, l.px(26) * 1.0));
  at.turned = longest_ + l.px(6) > at.cell;
  const double names =
      at.turned ? std::ceil(std::min(longest_ + 1, l.px(84) * 1.0)) + l.px(9) : l.px(18);
  // Turned labels of narrow columns reach to the left of the grid.
  if (at.turned && at.cell < l.px(15)) {
    at.overhang = (l.px(15) - at.cell) / 2;
    at.label += at.overhang;
    at.cell = std::floor(std::clamp((room - (below ? 1 : 2) * at.overhang) / tokens, 3.0, at.cell));
  }
  at.said = lines_of(l.title_bold, headline(), width);
  at.heading = QRectF(0, 0, width, l.px(22) * static_cast<double>(at.said.size()));
  at.pair_lines = lines_of(l.small, pair_words(data), width);
  at.pair =
      QRectF(0, at.heading.bottom(), width,
             data.trouble.isEmpty() ? l.px(17) * static_cast<double>(at.pair_lines.size()) : 0);
  if (const QString warning = pair_warning(data); !warning.isEmpty())
    at.warning_lines = wrapped_lines(l.small, warning, width);
  at.warning =
      QRectF(0, at.pair.bottom(), width, l.px(17) * static_cast<double>(at.warning_lines.size()));
  at.result_lines = wrapped_lines(l.small, result_line(), width);
  if (!frame().in_file && std::ssize(at.result_lines) > kResultLines) {
    QString rest;
    for (size_t i = kResultLines - 1; i < at.result_lines.size(); ++i)
      rest += at.result_lines[i] + QLatin1Char(' ');
    at.result_lines.resize(kResultLines);
    at.result_lines.back() = elided_text(l.small, rest.trimmed(), width);
  }
  const auto result_rows =
      static_cast<double>(frame().in_file ? at.result_lines.size() : size_t{kResultLines});
  at.result = QRectF(0, at.warning.bottom(), width, l.px(17) * result_rows);
  double y = at.result.bottom() + l.px(6);
  const double heads_left = below ? at.label : at.label + at.cell * tokens + gap + at.label;
  for (int run = 0; run < 2; ++run) {
    const double title_room = below || !data.trouble.isEmpty() ? width : heads_left - l.px(34);
    at.title_lines[run] = lines_of(l.small_bold, title_words(run), title_room);
    at.title[run] = QRectF(0, y, width, l.px(18) * static_cast<double>(at.title_lines[run].size()));
    at.tokens[run] = QRectF(at.label, at.title[run].bottom(), at.cell * tokens, names);
    const double top = at.tokens[run].bottom();
    if (!data.trouble.isEmpty()) {
      y = top + l.px(10);
      continue;
    }
    at.grid[run] = QRectF(at.label, top, at.cell * tokens, at.high * layers);
    const double heads_top = below ? at.grid[run].bottom() + l.px(18 + 22) : top;
    at.heads_title[run] =
        below ? QRectF(0, at.grid[run].bottom() + l.px(4), width, l.px(18))
              : QRectF(heads_left, at.title[run].bottom() - l.px(18), width - heads_left, l.px(18));
    at.grid[kHeadsIntoClean + run] =
        QRectF(heads_left, heads_top, at.head * heads, at.high * layers);
    y = at.grid[kHeadsIntoClean + run].bottom() + l.px(10);
    if (below && run == 0) y = std::max(y, heads_top + bar_high);
  }
  const double bar_top = below ? at.grid[kHeadsIntoClean].top() : at.title[0].top();
  at.bar = QRectF(
      at.grid[kHeadsIntoClean].right() + gap, bar_top, bar,
      std::max(bar_high, (below ? at.grid[kHeadsIntoClean] : at.grid[0]).bottom() - bar_top));
  return at;
}

double PatchingPicture::content_height(double width) const {
  const Layout at = lay_out(width);
  return std::max({at.tokens[kIntoCorrupted].bottom(), at.grid[kIntoCorrupted].bottom(),
                   at.grid[kHeadsIntoCorrupted].bottom()}) +
         look().px(4);
}

QString PatchingPicture::title_words(int run) const {
  const bool clean = is_into_clean(run);
  if (!scene_.data->trouble.isEmpty())
    return clean ? PatchingWords::tr("Tokens of the clean prompt")
                 : PatchingWords::tr("Tokens of the corrupted prompt");
  return clean ? PatchingWords::tr(
                     "Clean run, a cell comes from the corrupted run: what does the "
                     "answer need?")
               : PatchingWords::tr(
                     "Corrupted run, a cell comes from the clean run: what brings "
                     "the answer back?");
}

void PatchingPicture::paint_title(QPainter& p, const Layout& at, int part) const {
  const PictureLook& l = look();
  p.setFont(l.small_bold);
  p.setPen(l.colors.text);
  paint_lines(p, at.title[part], at.title_lines[part]);
  if (!scene_.data->trouble.isEmpty()) return;
  QRectF heads = at.heads_title[part];
  if (heads.left() > 0) heads.setRight(at.bar.left() - l.px(8));
  const QString whole = PatchingWords::tr("Heads, at all positions");
  draw_line(p, heads, Qt::AlignLeft | Qt::AlignVCenter,
            frame().in_file && text_width(l.small_bold, whole) > heads.width()
                ? PatchingWords::tr("Heads")
                : elided_text(l.small_bold, whole, heads.width()));
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  const double wide = at.label - at.overhang - l.px(2);
  draw_line(p, QRectF(0, at.tokens[part].bottom() - l.px(17), wide, l.px(16)),
            Qt::AlignRight | Qt::AlignVCenter,
            elided_text(l.small, PatchingWords::tr("layer"), wide));
}

void PatchingPicture::paint_tokens(QPainter& p, const Layout& at, int part) const {
  const PictureLook& l = look();
  const PatchingData& data = *scene_.data;
  const auto& texts = is_into_clean(part) ? data.clean_texts : data.corrupted_texts;
  // Tokens that the lower edge of the window would cut are left out.
  if (p.hasClipping() && p.clipBoundingRect().bottom() < at.tokens[part].bottom()) return;
  const int64_t every = at.turned ? label_every(at.cell, l.px(14)) : 1;
  for (int64_t i = 0; i < std::ssize(texts); ++i) {
    const bool differs = data.differs(i);
    QRectF box(at.tokens[part].left() + at.cell * static_cast<double>(i), at.tokens[part].top(),
               at.cell, at.tokens[part].height() - l.px(2));
    if (differs) p.fillRect(box, mix(l.colors.surface, l.colors.accent, 0.2));
    if (!differs && i % every != 0) continue;
    TokenLabelStyle style{.font = l.mono,
                          .color = differs ? l.colors.text : l.colors.muted,
                          .faint = l.colors.muted,
                          .align = at.turned ? Qt::AlignLeft : Qt::AlignHCenter,
                          .turned = at.turned};
    if (at.turned) {
      const double least = l.px(15);
      if (box.width() < least)
        box = QRectF(box.center().x() - least / 2, box.top(), least, box.height());
      box.adjust(0, l.px(2), 0, -l.px(3));
    }
    paint_token(p, box, token_text(texts[static_cast<size_t>(i)]), style);
  }
}

// The digits after the point, as many as fit into each cell of both runs. 0: no numbers.
int PatchingPicture::digits_in(int part, double room) const {
  for (const int digits : {2, 1}) {
    double widest = 0;
    for (const int of : {part, other_run(part)})
      for (int64_t i = 0; i < scene_.data->layers * columns(of); ++i)
        if (const auto share = value({of, i / columns(of), i % columns(of)}))
          widest = std::max(widest, text_width(look().small, number_of(*share, digits)));
    if (widest + look().px(4) <= room) return digits;
  }
  return 0;
}

void PatchingPicture::paint_grid(QPainter& p, const Layout& at, int part) const {
  const PictureLook& l = look();
  const PatchingData& data = *scene_.data;
  const ColorScale scale{ColorScale::Kind::kLinear, -1, 1};
  const QRectF& area = at.grid[part];
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  const int64_t every_layer = label_every(at.high, l.px(12));
  for (int64_t layer = 0; layer < data.layers; layer += every_layer)
    draw_line(p,
              QRectF(area.left() - at.label, at.cell_at({part, layer, 0}).top(), at.label - l.px(6),
                     at.high),
              Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
  if (is_of_heads(part)) {
    const int64_t every = label_every(at.head, l.px(16));
    for (int64_t head = 0; head < data.heads; head += every) {
      const QRectF cell = at.cell_at({part, 0, head});
      draw_line(
          p,
          QRectF(cell.left() - l.px(10), area.top() - l.px(17), cell.width() + l.px(20), l.px(16)),
          Qt::AlignCenter, QString::number(head));
    }
  }
  const double wide = is_of_heads(part) ? at.head : at.cell;
  const double gap = wide >= l.px(8) ? 1 : 0;
  const int digits = digits_in(part, wide - gap);
  for (int64_t layer = 0; layer < data.layers; ++layer)
    for (int64_t column = 0; column < columns(part); ++column) {
      const Spot spot{part, layer, column};
      const QRectF box = at.cell_at(spot).adjusted(0, 0, -gap, -1);
      const auto share = value(spot);
      if (!share) {
        p.fillRect(box, mix(l.colors.surface, l.colors.line, 0.5));
        continue;
      }
      const QColor fill = QColor::fromRgb(colors_[static_cast<size_t>(scale.index(*share))]);
      p.fillRect(box, fill);
      const QString number = number_of(*share, digits);
      if (number.isEmpty()) continue;
      p.setPen(l.text_on(fill));
      draw_line(p, box, Qt::AlignCenter, number);
    }
  p.setPen(QPen(l.colors.line, 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(area.adjusted(-0.5, -0.5, 0.5 - gap, -0.5));
}

// Frames what the state of a position can change, and pales the rest of the grid. It can change
// itself and, in later layers, the positions from its own on.
void PatchingPicture::paint_cone(QPainter& p, const Layout& at, const Spot& of) const {
  if (!of.is_somewhere() || is_of_heads(of.part)) return;
  const PictureLook& l = look();
  const QRectF cell = at.cell_at(of), &area = at.grid[of.part];
  QPainterPath cone, all;
  cone.addRect(cell);
  if (of.row + 1 < scene_.data->layers)
    cone.addRect(QRectF(QPointF(cell.left(), cell.bottom()), area.bottomRight()));
  cone = cone.simplified();
  all.addRect(area);
  QColor veil = l.colors.surface;
  veil.setAlphaF(0.55f);
  p.fillPath(all.subtracted(cone), veil);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(l.colors.text, l.line(1.5), Qt::DashLine));
  p.drawPath(cone);
}

void PatchingPicture::paint_arrow(QPainter& p, const Layout& at) const {
  if (!scene_.patch) return;
  const PictureLook& l = look();
  const QPointF from = at.cell_at(source_of(scene_.patch->move)).center(),
                to = at.cell_at(target_of(scene_.patch->move)).center();
  const QLineF line(from, to);
  const QPointF along = (to - from) / std::max(1.0, line.length()), aside(-along.y(), along.x());
  const double size = l.px(9);
  const QPolygonF tip{to, to - along * size + aside * size / 2,
                      to - along * size - aside * size / 2};
  for (const auto& [color, width] : {std::pair(l.colors.surface, 5.0), {l.colors.text, 2.0}}) {
    p.setPen(QPen(color, l.line(width), Qt::SolidLine, Qt::RoundCap));
    p.drawLine(from, to - along * size * 0.7);
    p.setBrush(color);
    p.drawPolygon(tip);
    p.drawEllipse(from, width, width);
  }
}

void PatchingPicture::paint_content(QPainter& painter, double width, const Spot& cursor) const {
  const Layout at = lay_out(width);
  const PictureLook& l = look();
  const PatchingData& data = *scene_.data;
  painter.setFont(l.title_bold);
  painter.setPen(l.colors.text);
  paint_lines(painter, at.heading, at.said);
  painter.setFont(l.small);
  if (!at.pair.isEmpty()) paint_lines(painter, at.pair, at.pair_lines);
  painter.setPen(l.colors.bad);
  if (!at.warning_lines.empty()) paint_lines(painter, at.warning, at.warning_lines);
  const bool wrong = !data.trouble.isEmpty() || !scene_.trouble.isEmpty();
  painter.setPen(wrong ? l.colors.bad : scene_.patch ? l.colors.text : l.colors.muted);
  const auto count = static_cast<double>(at.result_lines.size());
  paint_lines(painter, QRectF(at.result.topLeft(), QSizeF(width, l.px(17) * count)),
              at.result_lines);
  for (int run = 0; run < 2; ++run) {
    paint_title(painter, at, run);
    paint_tokens(painter, at, run);
  }
  if (!data.trouble.isEmpty()) return;
  for (int part = 0; part < kPatchingParts; ++part) paint_grid(painter, at, part);
  const auto target = scene_.patch ? target_of(scene_.patch->move) : Spot{};
  const bool points = scene_.pointed.is_somewhere() || cursor.is_somewhere();
  paint_cone(painter, at,
             !points                         ? target
             : scene_.pointed.is_somewhere() ? scene_.pointed
                                             : cursor);
  paint_arrow(painter, at);
  const auto frame = [&](const Spot& spot, const QColor& color) {
    if (!spot.is_somewhere()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, l.line(2)));
    painter.drawRect(at.cell_at(spot).adjusted(0, 0, -1, -1));
  };
  frame(scene_.marked, l.colors.warning);
  frame(cursor, l.colors.text);
  ColorBar bar;
  bar.scale = {ColorScale::Kind::kLinear, -1, 1};
  bar.colors = &colors_;
  bar.marked = -3;
  bar.quantity = PatchingWords::tr("clean answer");
  paint_color_bar(painter, at.bar, bar, l);
}

std::optional<Spot> PatchingPicture::content_at(const QPointF& point, double width) const {
  const Layout at = lay_out(width);
  for (int part = 0; part < kPatchingParts; ++part) {
    const QRectF& area = at.grid[part];
    if (!area.contains(point)) continue;
    const double wide = is_of_heads(part) ? at.head : at.cell;
    const auto row = static_cast<int64_t>((point.y() - area.top()) / at.high),
               column = static_cast<int64_t>((point.x() - area.left()) / wide);
    return Spot{part, std::clamp<int64_t>(row, 0, scene_.data->layers - 1),
                std::clamp<int64_t>(column, 0, columns(part) - 1)};
  }
  return std::nullopt;
}

QRectF PatchingPicture::content_box(const Spot& spot, double width) const {
  if (!scene_.data->trouble.isEmpty() || spot.row >= scene_.data->layers ||
      spot.column >= columns(spot.part))
    return {};
  return lay_out(width).cell_at(spot);
}

// Beyond the edge of a grid the cursor goes on in the neighbouring grid, if there is one.
Spot PatchingPicture::moved(const Spot& from, int across, int down) const {
  const int64_t layers = scene_.data->layers;
  if (!scene_.data->trouble.isEmpty()) return {};
  if (!from.is_somewhere()) return {kIntoCorrupted, 0, 0};
  Spot to{from.part, from.row + down, from.column + across};
  const auto go = [&](int part, int64_t row, int64_t column) {
    to = {part, row, std::min(column, columns(part) - 1)};
  };
  if (to.row < 0)
    is_into_clean(from.part) ? go(from.part, 0, to.column)
                             : go(other_run(from.part), layers - 1, to.column);
  else if (to.row >= layers)
    is_into_clean(from.part) ? go(other_run(from.part), 0, to.column)
                             : go(from.part, layers - 1, to.column);
  if (to.column < 0)
    is_of_heads(from.part) ? go(to.part - kHeadsIntoClean, to.row, columns(kIntoClean) - 1)
                           : go(to.part, to.row, 0);
  else if (to.column >= columns(from.part))
    is_of_heads(from.part) ? go(to.part, to.row, columns(from.part) - 1)
                           : go(to.part + kHeadsIntoClean, to.row, 0);
  return to;
}

// Such as "the state after layer 3 at “·dog” (position 5)".
QString PatchingPicture::place_of(int part, int64_t layer, int64_t column) const {
  if (is_of_heads(part))
    return PatchingWords::tr("the output of head %1.%2 at all positions").arg(layer).arg(column);
  const PatchingData& data = *scene_.data;
  const auto& texts = is_into_clean(part) ? data.clean_texts : data.corrupted_texts;
  const auto at = static_cast<size_t>(column);
  const QString token = at < texts.size() ? quoted_token(texts[at]) : QString();
  return PatchingWords::tr("the state after layer %1 at %2 (position %3)")
      .arg(QString::number(layer), token, QString::number(column));
}

QString PatchingPicture::patch_words() const {
  if (!scene_.trouble.isEmpty()) return scene_.trouble;
  if (!scene_.patch) return {};
  const PatchingData& data = *scene_.data;
  const PatchingMove& move = scene_.patch->move;
  const PatchAnswer& answer = scene_.patch->answer;
  const Spot from = source_of(move), to = target_of(move);
  const bool same = from.row == to.row && from.column == to.column;
  const bool into_clean = is_into_clean(move.part);
  const QString what = place_of(from.part, from.row, from.column);
  QString text;
  if (same)
    text = (into_clean ? PatchingWords::tr("Putting %1 of the corrupted run into the clean run")
                       : PatchingWords::tr("Putting %1 of the clean run into the corrupted run"))
               .arg(what);
  else
    text = (into_clean ? PatchingWords::tr(
                             "Putting %1 of the corrupted run in the place of %2 of the clean run")
                       : PatchingWords::tr(
                             "Putting %1 of the clean run in the place of %2 of the corrupted run"))
               .arg(what, place_of(to.part, to.row, to.column));
  const double share = data.ends.value(answer.difference);
  text += QLatin1Char(' ');
  const double moved = into_clean ? 1 - share : share;
  if (moved < 0)
    text += PatchingWords::tr(
                "moves the run away from the answer of the other run, by %1 of "
                "the difference between the two.")
                .arg(share_text(-moved));
  else if (into_clean)
    text += PatchingWords::tr("takes %1 of the clean answer away.").arg(share_text(moved));
  else
    text += PatchingWords::tr("brings %1 of the clean answer back.").arg(share_text(moved));
  const PatchAnswer& before = into_clean ? data.ends.clean : data.ends.corrupted;
  text += QLatin1Char(' ') +
          PatchingWords::tr("The probability of %1 goes from %2 to %3, that of %4 from %5 to %6.")
              .arg(quoted_token(data.right), share_text(before.right_probability),
                   share_text(answer.right_probability), quoted_token(data.wrong),
                   share_text(before.wrong_probability), share_text(answer.wrong_probability));
  if (answer.best != data.ends.right && answer.best != data.ends.wrong)
    text += QLatin1Char(' ') +
            PatchingWords::tr("The likeliest token is %1 (%2).")
                .arg(quoted_token(scene_.patch->best), share_text(answer.best_probability));
  return text;
}

QString PatchingPicture::result_line() const {
  if (!scene_.data->trouble.isEmpty()) return scene_.data->trouble;
  if (scene_.progress >= 0)
    return PatchingWords::tr("%1 runs of %2 tokens, one for each cell: %3 are done. Esc cancels.")
        .arg(format_count(scene_.data->runs()))
        .arg(scene_.data->tokens())
        .arg(QLocale().toString(100 * scene_.progress, 'f', 0) + QLatin1Char('%'));
  if (!scene_.data->is_complete())
    return frame().in_file
               ? PatchingWords::tr("Not all cells are computed.")
               : PatchingWords::tr("Cancelled. Press C, or Compute above, to begin again.");
  const QString words = patch_words();
  if (!words.isEmpty()) return words;
  if (scene_.marked.is_somewhere())
    return PatchingWords::tr("Marked: %1. Go to a cell of the other run and press Enter.")
        .arg(place_of(scene_.marked.part, scene_.marked.row, scene_.marked.column));
  QString text =
      PatchingWords::tr("1 is the answer of the clean run, 0 that of the corrupted one.");
  if (!frame().in_file)
    text += QLatin1Char(' ') + PatchingWords::tr(
                                   "Click a cell, or drag a cell of one run to a cell "
                                   "of the other.");
  return text;
}

QString PatchingPicture::words(const Spot& spot) const {
  const QString place = place_of(other_run(spot.part), spot.row, spot.column);
  const QString run = is_into_clean(spot.part)
                          ? PatchingWords::tr("clean run, with %1 of the corrupted run").arg(place)
                          : PatchingWords::tr("corrupted run, with %1 of the clean run").arg(place);
  const auto share = value(spot);
  if (!share) return run + QLatin1Char('\n') + PatchingWords::tr("not computed yet");
  const PatchGrid& grid = *scene_.data->grids[static_cast<size_t>(spot.part)];
  const double difference =
      grid.difference[static_cast<size_t>(spot.row * grid.columns + spot.column)];
  return run + QLatin1Char('\n') +
         PatchingWords::tr("%1 of the clean answer\nlogit of %2 minus that of %3: %4")
             .arg(share_text(*share), quoted_token(scene_.data->right),
                  quoted_token(scene_.data->wrong), format_number(difference));
}

std::vector<ViewPoint::Number> PatchingPicture::numbers(const Spot& spot) const {
  const auto share = value(spot);
  if (!share) return {};
  return {{PatchingWords::tr("share of the clean answer"), exact_number(*share)}};
}

std::shared_ptr<const Explanation> PatchingPicture::explain(const Spot& spot) const {
  const auto share = value(spot);
  if (!share) return nullptr;
  const PatchingData& data = *scene_.data;
  const PatchGrid& grid = *data.grids[static_cast<size_t>(spot.part)];
  const double d = grid.difference[static_cast<size_t>(spot.row * grid.columns + spot.column)],
               clean = data.ends.clean.difference, corrupted = data.ends.corrupted.difference;
  const auto number = [](double of) { return format_number(of, 7); };
  const QString place = place_of(other_run(spot.part), spot.row, spot.column);
  auto of = std::make_shared<Explanation>();
  of->title = PatchingWords::tr("Patching: %1").arg(place);
  of->meaning =
      (is_into_clean(spot.part)
           ? PatchingWords::tr("How much of the clean answer is left in the clean run when it has "
                               "%1 of the corrupted run. 1: all of it; 0: the corrupted answer.")
           : PatchingWords::tr("How much of the clean answer comes back in the corrupted run when "
                               "it has %1 of the clean run. 1: all of it; 0: nothing."))
          .arg(place);
  of->numbers = {{PatchingWords::tr("share of the clean answer"), number(*share)},
                 {PatchingWords::tr("d of the patched run"), number(d)},
                 {PatchingWords::tr("d of the clean run"), number(clean)},
                 {PatchingWords::tr("d of the corrupted run"), number(corrupted)}};
  of->formulas = {PatchingWords::tr("share = (d − d_corrupted) ÷ (d_clean − d_corrupted)"),
                  QStringLiteral("= (%1 − %2) ÷ (%3 − %2) = %4")
                      .arg(number(d), number(corrupted), number(clean),
                           number((d - corrupted) / (clean - corrupted)))};
  of->origin = PatchingWords::tr(
                   "d is the logit of %1 minus that of %2 at the last position. The patched run is "
                   "a run of the whole model with this one change.")
                   .arg(quoted_token(data.right), quoted_token(data.wrong));
  return of;
}

QString PatchingPicture::sentence() const {
  QStringList said{headline() + QLatin1Char('.')};
  for (const QString& text : {pair_words(*scene_.data), pair_warning(*scene_.data), result_line()})
    if (!text.isEmpty()) said += text;
  return said.join(QLatin1Char(' '));
}

QString PatchingPicture::headline() const {
  const PatchingData& data = *scene_.data;
  if (!data.trouble.isEmpty()) return PatchingWords::tr("There is nothing to compare yet");
  if (data.right.empty()) return PatchingWords::tr("Two prompts of equal length");
  const PatchEnds& ends = data.ends;
  return PatchingWords::tr("The clean prompt is followed by %1 (%2), the corrupted one by %3 (%4)")
      .arg(quoted_token(data.best_clean), share_text(ends.clean.best_probability),
           quoted_token(data.best_corrupted), share_text(ends.corrupted.best_probability));
}

std::string PatchingPicture::csv() const {
  const PatchingData& data = *scene_.data;
  std::string out =
      "run,site,layer,position,token,other_token,head,logit_difference,clean_share,right,wrong\n";
  if (data.right.empty()) return out;
  const PatchEnds& ends = data.ends;
  const std::string pair = csv_cell(data.right) + ',' + csv_cell(data.wrong);
  out += fmt::format("clean,,,,,,,{},1,{}\ncorrupted,,,,,,,{},0,{}\n", ends.clean.difference, pair,
                     ends.corrupted.difference, pair);
  const auto text_at = [](const std::vector<std::string>& texts, int64_t at) {
    return csv_cell(texts[static_cast<size_t>(at)]);
  };
  for (int part = 0; part < kPatchingParts; ++part) {
    const auto& grid = data.grids[static_cast<size_t>(part)];
    if (!grid) continue;
    const bool clean = is_into_clean(part), heads = is_of_heads(part);
    for (int64_t layer = 0; layer < grid->layers; ++layer)
      for (int64_t column = 0; column < grid->columns; ++column) {
        out +=
            fmt::format("{},{},{},", clean ? "clean" : "corrupted", heads ? "head" : "post", layer);
        if (heads)
          out += fmt::format(",,,{}", column);
        else
          out += fmt::format("{},{},{},", column,
                             text_at(clean ? data.clean_texts : data.corrupted_texts, column),
                             text_at(clean ? data.corrupted_texts : data.clean_texts, column));
        out += fmt::format(",{},{},{}\n",
                           grid->difference[static_cast<size_t>(layer * grid->columns + column)],
                           grid->value(layer, column), pair);
      }
  }
  return out;
}

}  // namespace attn::gui
