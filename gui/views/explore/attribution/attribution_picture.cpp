// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/attribution/attribution_picture.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "engine/session/report/report.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

struct AttributionWords {
  Q_DECLARE_TR_FUNCTIONS(Attribution)
};

QString signed_number(double value, int decimals = 3) {
  if (std::abs(value) < 0.5 * std::pow(10.0, -decimals)) value = 0;  // no "-0.00"
  const QString text = QLocale().toString(value, 'f', decimals);
  return value > 0 ? QLatin1Char('+') + text : text;
}

}  // namespace

struct AttributionPicture::Layout {
  int64_t first_layer = 0;
  double label = 0, cell = 0, cell_high = 0, row = 0, step_label = 0, number = 0;
  QRectF heading, grid, steps;
  std::vector<QString> said, axes;
  QRectF at(int64_t layer, int64_t column, int64_t heads) const {
    const double gap = column == heads ? cell * 0.3 : 0;
    return {grid.left() + label + cell * static_cast<double>(column) + gap,
            grid.top() + cell_high * static_cast<double>(layer - first_layer), cell, cell_high};
  }
  QRectF step(size_t index) const {
    return {steps.left(), steps.top() + row * static_cast<double>(index), steps.width(), row};
  }
};

AttributionPicture::AttributionPicture(PictureFrame frame, AttributionScene scene)
    : ExplorePicture(std::move(frame)), scene_(std::move(scene)) {
  const Attribution& shares = scene_.data->shares;
  double sum = 0;
  const auto add = [&](const QString& name, double share) {
    steps_.push_back({name, sum, share});
    sum += share;
    low_ = std::min(low_, sum);
    high_ = std::max(high_, sum);
  };
  add(AttributionWords::tr("embedding"), shares.embed);
  double biases = shares.norm_bias + shares.output_bias;
  for (int64_t layer = shares.first_layer; layer < shares.num_layers; ++layer) {
    double heads = 0;
    for (int64_t head = 0; head < shares.num_heads; ++head) heads += shares.head(layer, head);
    add(AttributionWords::tr("layer %1, heads").arg(layer), heads);
    if (has_mlp(layer))
      add(AttributionWords::tr("layer %1, MLP").arg(layer),
          shares.mlps[static_cast<size_t>(layer)]);
    biases += shares.attention_biases[static_cast<size_t>(layer)];
    for (int64_t column = 0; column <= shares.num_heads; ++column)
      most_ = std::max(most_, std::abs(share_at(layer, column)));
  }
  if (biases != 0) add(AttributionWords::tr("biases"), biases);
  most_ = std::max(most_, 1e-12);
}

bool AttributionPicture::has_mlp(int64_t layer) const {
  return scene_.data->shares.has_mlp[static_cast<size_t>(layer)];
}

int64_t AttributionPicture::columns_of(int64_t layer) const {
  return scene_.data->shares.num_heads + (has_mlp(layer) ? 1 : 0);
}

double AttributionPicture::share_at(int64_t layer, int64_t column) const {
  const Attribution& shares = scene_.data->shares;
  return column < shares.num_heads ? shares.head(layer, column)
                                   : shares.mlps[static_cast<size_t>(layer)];
}

AttributionPicture::Layout AttributionPicture::lay_out(double width) const {
  const PictureLook& l = look();
  const Attribution& shares = scene_.data->shares;
  Layout at;
  at.first_layer = shares.first_layer;
  at.said = lines_of(l.title_bold, sentence(), width);
  at.heading = QRectF(0, 0, width, l.px(24) * static_cast<double>(at.said.size()));
  at.label = l.px(34);
  at.row = l.px(22);
  // In a file nobody can point at a cell, so the grid has a line with its axes.
  if (frame().in_file)
    at.axes = lines_of(l.small, AttributionWords::tr("Heads (layer down, head across)"), width);
  const double named = l.px(18) * static_cast<double>(at.axes.size());
  const bool beside = width >= l.px(760);
  const double room = (beside ? width / 2 - l.px(16) : width) - at.label;
  const auto columns = static_cast<double>(shares.num_heads) + 1.3;
  at.cell = std::clamp(room / columns, 4.0, static_cast<double>(l.px(56)));
  at.cell_high = std::clamp(at.cell, static_cast<double>(l.px(14)), static_cast<double>(l.px(30)));
  at.grid = QRectF(0, at.heading.bottom() + l.px(30) + named, at.label + at.cell * columns,
                   at.cell_high * static_cast<double>(shares.num_layers - shares.first_layer));
  at.step_label = l.px(112);
  at.number = l.px(72);
  const auto high = at.row * static_cast<double>(steps_.size() + 1);
  at.steps = beside ? QRectF(width / 2 + l.px(16), at.heading.bottom() + l.px(30),
                             width / 2 - l.px(16), high)
                    : QRectF(0, at.grid.bottom() + l.px(60), width, high);
  return at;
}

double AttributionPicture::content_height(double width) const {
  const Layout at = lay_out(width);
  return std::max(at.grid.bottom() + look().px(44), at.steps.bottom() + look().px(8));
}

void AttributionPicture::paint_grid(QPainter& p, const Layout& at, const Spot& cursor) const {
  const PictureLook& l = look();
  const Attribution& shares = scene_.data->shares;
  const QRgb ground = scene_.is_dark ? qRgb(24, 26, 30) : qRgb(255, 255, 255);
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  if (!at.axes.empty())
    paint_lines(p,
                QRectF(0, at.heading.bottom() + l.px(6), at.heading.width(),
                       l.px(18) * static_cast<double>(at.axes.size())),
                at.axes);
  for (int64_t column = 0; column <= shares.num_heads; ++column) {
    const QRectF top = at.at(at.first_layer, column, shares.num_heads);
    const QString name =
        column < shares.num_heads ? QString::number(column) : AttributionWords::tr("MLP");
    if (column < shares.num_heads && at.cell < l.px(16) && column % 4 != 0) continue;
    draw_line(p,
              QRectF(top.left() - l.px(10), top.top() - l.px(20), top.width() + l.px(20), l.px(18)),
              Qt::AlignCenter, name);
  }
  for (int64_t layer = at.first_layer; layer < shares.num_layers; ++layer) {
    p.setFont(l.small);
    p.setPen(l.colors.muted);
    draw_line(p,
              QRectF(0, at.at(layer, 0, shares.num_heads).top(), at.label - l.px(6), at.cell_high),
              Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
    for (int64_t column = 0; column < columns_of(layer); ++column) {
      const QRectF box = at.at(layer, column, shares.num_heads).adjusted(0, 0, -1, -1);
      const double share = share_at(layer, column);
      const QColor fill = QColor::fromRgb(diverging_color(share / most_, ground));
      p.fillRect(box, fill);
      const QString text = signed_number(share, 2);
      p.setFont(l.small);
      if (text_width(l.small, text) + 4 <= box.width()) {
        p.setPen(l.text_on(fill));
        draw_line(p, box, Qt::AlignCenter, text);
      }
      if (!(cursor == Spot{kGrid, layer, column})) continue;
      p.setBrush(Qt::NoBrush);
      p.setPen(QPen(l.colors.accent, l.line(2)));
      p.drawRect(box.adjusted(1, 1, -1, -1));
    }
  }
  // The scale, below the grid.
  const QRectF bar(at.grid.left() + at.label, at.grid.bottom() + l.px(10), l.px(96), l.px(10));
  for (int i = 0; i < 64; ++i)
    p.fillRect(
        QRectF(bar.left() + bar.width() * i / 64, bar.top(), bar.width() / 64 + 0.5, bar.height()),
        QColor::fromRgb(diverging_color(-1 + 2 * i / 63.0, ground)));
  p.setFont(l.small);
  p.setPen(l.colors.muted);
  const QString scale = AttributionWords::tr("share of the logit difference: −%1 to +%1 logits")
                            .arg(format_number(most_, 3));
  QRectF words(bar.right() + l.px(8), bar.top() - l.px(4), l.px(300), l.px(18));
  if (words.left() + text_width(l.small, scale) > at.heading.right())
    words.moveTopLeft(QPointF(bar.left(), bar.bottom() + l.px(2)));
  draw_line(p, words, Qt::AlignLeft | Qt::AlignVCenter, scale);
}

void AttributionPicture::paint_steps(QPainter& p, const Layout& at, const Spot& cursor) const {
  const PictureLook& l = look();
  const Attribution& shares = scene_.data->shares;
  const double left = at.steps.left() + at.step_label + l.px(8);
  const double room = at.steps.width() - at.step_label - at.number - l.px(16);
  const double span = std::max(1e-12, high_ - low_);
  const auto x_of = [&](double value) { return left + room * (value - low_) / span; };
  p.setPen(QPen(l.colors.line, 1));
  p.drawLine(QPointF(x_of(0), at.steps.top()), QPointF(x_of(0), at.steps.bottom()));
  const QColor up = QColor::fromRgb(diverging_color(0.8, l.colors.surface.rgb())),
               down = QColor::fromRgb(diverging_color(-0.8, l.colors.surface.rgb()));
  const auto line = [&](size_t index, const QString& name, double begin, double share,
                        const QColor& hue, bool strong) {
    const QRectF box = at.step(index);
    p.setFont(strong ? l.small_bold : l.small);
    p.setPen(strong ? l.colors.text : l.colors.muted);
    draw_line(p, QRectF(box.left(), box.top(), at.step_label, box.height()),
              Qt::AlignRight | Qt::AlignVCenter, name);
    const double a = x_of(begin), b = x_of(begin + share);
    p.fillRect(QRectF(std::min(a, b), box.top() + l.px(4), std::max(1.0, std::abs(b - a)),
                      box.height() - l.px(8)),
               hue);
    p.setFont(l.mono);
    p.setPen(l.colors.text);
    draw_line(p, QRectF(box.right() - at.number, box.top(), at.number, box.height()),
              Qt::AlignRight | Qt::AlignVCenter, signed_number(share));
    if (!(cursor == Spot{kSteps, static_cast<int64_t>(index), 0})) return;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(l.colors.accent, l.line(1)));
    p.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  };
  for (size_t i = 0; i < steps_.size(); ++i)
    line(i, steps_[i].name, steps_[i].begin, steps_[i].share, steps_[i].share >= 0 ? up : down,
         false);
  // The colour is muted, because the other colours stand for the tokens.
  line(steps_.size(), AttributionWords::tr("difference"), 0, shares.difference, l.colors.muted,
       true);
}

void AttributionPicture::paint_content(QPainter& painter, double width, const Spot& cursor) const {
  const Layout at = lay_out(width);
  const PictureLook& l = look();
  painter.setFont(l.title_bold);
  painter.setPen(l.colors.text);
  paint_lines(painter, at.heading, at.said);
  painter.setFont(l.small);
  painter.setPen(l.colors.muted);
  paint_grid(painter, at, cursor);
  paint_steps(painter, at, cursor);
}

std::optional<Spot> AttributionPicture::content_at(const QPointF& point, double width) const {
  const Layout at = lay_out(width);
  const Attribution& shares = scene_.data->shares;
  for (int64_t layer = at.first_layer; at.grid.contains(point) && layer < shares.num_layers;
       ++layer)
    for (int64_t column = 0; column < columns_of(layer); ++column)
      if (at.at(layer, column, shares.num_heads).contains(point)) return Spot{kGrid, layer, column};
  const auto step = static_cast<int64_t>(std::floor((point.y() - at.steps.top()) / at.row));
  if (at.steps.contains(point) && step >= 0 && step <= std::ssize(steps_))
    return Spot{kSteps, step, 0};
  return std::nullopt;
}

QRectF AttributionPicture::content_box(const Spot& spot, double width) const {
  const Layout at = lay_out(width);
  const Attribution& shares = scene_.data->shares;
  if (spot.part == kSteps)
    return spot.row <= std::ssize(steps_) ? at.step(static_cast<size_t>(spot.row)) : QRectF();
  return spot.row >= at.first_layer && spot.row < shares.num_layers &&
                 spot.column < columns_of(spot.row)
             ? at.at(spot.row, spot.column, shares.num_heads)
             : QRectF();
}

Spot AttributionPicture::moved(const Spot& from, int columns, int rows) const {
  const Attribution& shares = scene_.data->shares;
  if (!from.is_somewhere()) return {kGrid, shares.first_layer, 0};
  if (from.part == kSteps) {
    if (columns < 0) return {kGrid, shares.first_layer, columns_of(shares.first_layer) - 1};
    return {kSteps, std::clamp<int64_t>(from.row + rows, 0, std::ssize(steps_)), 0};
  }
  if (columns > 0 && from.column + 1 == columns_of(from.row)) return {kSteps, 0, 0};
  const int64_t layer =
      std::clamp<int64_t>(from.row + rows, shares.first_layer, shares.num_layers - 1);
  return {kGrid, layer, std::clamp<int64_t>(from.column + columns, 0, columns_of(layer) - 1)};
}

QString AttributionPicture::words(const Spot& spot) const {
  const Attribution& shares = scene_.data->shares;
  if (spot.part == kSteps) {
    const auto index = static_cast<size_t>(spot.row);
    if (index == steps_.size())
      return AttributionWords::tr("difference of the logits of %1 and %2: %3")
          .arg(scene_.data->text_a, scene_.data->text_b, signed_number(shares.difference, 5));
    return AttributionWords::tr("%1: %2\nsum so far %3")
        .arg(steps_[index].name, signed_number(steps_[index].share, 5),
             signed_number(steps_[index].begin + steps_[index].share, 5));
  }
  const QString who = spot.column < shares.num_heads
                          ? AttributionWords::tr("head %1.%2").arg(spot.row).arg(spot.column)
                          : AttributionWords::tr("MLP of layer %1").arg(spot.row);
  const double share = share_at(spot.row, spot.column);
  return AttributionWords::tr("%1: %2\nspeaks for %3")
      .arg(who, signed_number(share, 5), share >= 0 ? scene_.data->text_a : scene_.data->text_b);
}

std::vector<ViewPoint::Number> AttributionPicture::numbers(const Spot& spot) const {
  if (spot.part == kGrid)
    return {{AttributionWords::tr("share"), exact_number(share_at(spot.row, spot.column))}};
  const auto index = static_cast<size_t>(spot.row);
  return {
      {AttributionWords::tr("share"),
       exact_number(index < steps_.size() ? steps_[index].share : scene_.data->shares.difference)}};
}

std::shared_ptr<const Explanation> AttributionPicture::explain(const Spot& spot) const {
  const AttributionData& data = *scene_.data;
  const Attribution& shares = data.shares;
  const auto number = [](double value) { return signed_number(value, 6); };
  const bool is_step = spot.part == kSteps;
  const auto index = static_cast<size_t>(spot.row);
  const bool is_end = is_step && index == steps_.size();
  const double share = is_end    ? shares.difference
                       : is_step ? steps_[index].share
                                 : share_at(spot.row, spot.column);
  const QString who = is_end    ? AttributionWords::tr("all parts")
                      : is_step ? steps_[index].name
                      : spot.column < shares.num_heads
                          ? AttributionWords::tr("head %1.%2").arg(spot.row).arg(spot.column)
                          : AttributionWords::tr("MLP of layer %1").arg(spot.row);
  auto of = std::make_shared<Explanation>();
  of->title = AttributionWords::tr("Who said it: %1").arg(who);
  of->meaning = AttributionWords::tr(
                    "By how much this part raises the logit of %1 above that of %2 after %3. A "
                    "negative number speaks for %2.")
                    .arg(data.text_a, data.text_b, data.after);
  of->numbers = {{AttributionWords::tr("share"), number(share)},
                 {AttributionWords::tr("logit of %1").arg(data.text_a), number(data.logit_a)},
                 {AttributionWords::tr("logit of %1").arg(data.text_b), number(data.logit_b)}};
  if (shares.difference != 0)
    of->numbers.insert(of->numbers.begin() + 1,
                       {AttributionWords::tr("part of the difference"),
                        QStringLiteral("%1 ÷ %2 = %3%")
                            .arg(number(share), number(shares.difference),
                                 QLocale().toString(100 * share / shares.difference, 'f', 1))});
  double heads = 0, mlps = 0, biases = shares.norm_bias + shares.output_bias;
  for (const double head : shares.heads) heads += head;
  for (const double mlp : shares.mlps) mlps += mlp;
  for (const double bias : shares.attention_biases) biases += bias;
  of->formulas = {
      AttributionWords::tr("share of c = (centre(c) × factor × gain) · (U_a − U_b)"),
      AttributionWords::tr("embedding + heads + MLPs + biases = difference"),
      QStringLiteral("%1 + %2 + %3 + %4 = %5")
          .arg(number(shares.embed), number(heads), number(mlps), number(biases),
               number(shares.embed + heads + mlps + biases)),
      AttributionWords::tr("the model's logits: %1 − %2 = %3")
          .arg(number(data.logit_a), number(data.logit_b), number(data.logit_a - data.logit_b))};
  of->origin =
      AttributionWords::tr(
          "c is what the part adds to the residual stream of this position. Factor and gain are "
          "those of the model's last norm, with the statistics of the whole stream; U is the "
          "model's output embedding, a is %1 and b is %2. Where the model multiplies its logits by "
          "a factor, the share is multiplied by it, too.")
          .arg(data.text_a, data.text_b);
  if (shares.before_cap)
    of->origin += AttributionWords::tr(
        " The model caps its logits: the shares are of the difference before the cap.");
  return of;
}

QString AttributionPicture::sentence() const {
  const AttributionData& data = *scene_.data;
  QString text = AttributionWords::tr(
                     "After %1: logit of %2 is %3, of %4 it is %5; who made the "
                     "difference?")
                     .arg(data.after, data.text_a, format_number(data.logit_a), data.text_b,
                          format_number(data.logit_b));
  if (data.shares.before_cap) text += AttributionWords::tr(" (logits before the soft cap)");
  return text;
}

// Each row names the position and both tokens, for use beside the rows of other files.
std::string AttributionPicture::csv() const {
  const AttributionData& data = *scene_.data;
  const Attribution& shares = data.shares;
  const std::string of =
      fmt::format("{},{},{},{},{},{}", shares.position, csv_cell(data.plain_after), shares.token_a,
                  csv_cell(data.plain_a), shares.token_b, csv_cell(data.plain_b));
  std::string out = "part,layer,head,share,position,after_text,token_a,text_a,token_b,text_b\n";
  const auto line = [&](const std::string& place, double share) {
    out += fmt::format("{},{},{}\n", place, share, of);
  };
  line("embedding,,", shares.embed);
  for (int64_t layer = shares.first_layer; layer < shares.num_layers; ++layer) {
    for (int64_t head = 0; head < shares.num_heads; ++head)
      line(fmt::format("head,{},{}", layer, head), shares.head(layer, head));
    line(fmt::format("attention bias,{},", layer),
         shares.attention_biases[static_cast<size_t>(layer)]);
    if (has_mlp(layer))
      line(fmt::format("mlp,{},", layer), shares.mlps[static_cast<size_t>(layer)]);
  }
  line("norm bias,,", shares.norm_bias);
  line("output bias,,", shares.output_bias);
  line("sum,,", shares.sum());
  line("difference,,", shares.difference);
  return out;
}

}  // namespace attn::gui
