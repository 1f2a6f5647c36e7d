// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/rollout/rollout_picture.h"

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

struct RolloutWords {
  Q_DECLARE_TR_FUNCTIONS(Rollout)
};

constexpr ColorMapId kColors = ColorMapId::kCividis;

}  // namespace

struct RolloutPicture::Layout {
  QRectF heading, warning, map, bar, layers;
  std::vector<QString> said, lines;
  double cell = 1, label = 0, side = 0, step = 0;  // step: from one small picture to the next
  double axis = 0;      // height of an axis's name; 0: axes have no names
  int64_t columns = 1;  // columns of the grid of small pictures
  QRectF cell_at(int64_t query, int64_t key) const {
    return {map.left() + cell * static_cast<double>(key),
            map.top() + cell * static_cast<double>(query), cell, cell};
  }
  QRectF layer_at(int64_t layer, double name) const {
    return {layers.left() + step * static_cast<double>(layer % columns),
            layers.top() + (side + name) * static_cast<double>(layer / columns) + name, side, side};
  }
};

RolloutPicture::RolloutPicture(PictureFrame frame, RolloutScene scene)
    : ExplorePicture(std::move(frame)), scene_(std::move(scene)) {
  // One logarithmic scale for all layers, because a row of many positions has small shares.
  scale_ = {ColorScale::Kind::kLog, 0.001, 1};
  for (size_t i = 0; i < scene_.data->tokens.size(); ++i)
    longest_ = std::max(
        longest_,
        text_width(look().mono, scene_.data->tokens[i] + QLatin1Char(' ') + QString::number(i)));
}

double RolloutPicture::share(int64_t layer, int64_t query, int64_t key) const {
  const Rollout& rollout = scene_.data->rollout;
  return rollout
      .layers[static_cast<size_t>(layer)][static_cast<size_t>(query * rollout.rows + key)];
}

RolloutPicture::Layout RolloutPicture::lay_out(double width) const {
  const PictureLook& l = look();
  const auto rows = static_cast<double>(std::max<int64_t>(1, scene_.rows));
  Layout at;
  at.said = lines_of(l.title_bold, sentence(), width);
  at.heading = QRectF(0, 0, width, l.px(22) * static_cast<double>(at.said.size()));
  QString warning = RolloutWords::tr(
      "Rollout multiplies the mean weights of the layers, each mixed half and half with the token "
      "itself. It leaves out values, MLPs and norms.");
  if (!scene_.data->without_first)
    warning += QLatin1Char(' ') +
               RolloutWords::tr(
                   "In a causal model much of it can end at the first token, which reads only "
                   "itself.");
  at.lines = wrapped_lines(l.small, warning, width);
  at.warning = QRectF(0, at.heading.bottom(), width,
                      l.px(17) * static_cast<double>(at.lines.size()) + l.px(8));
  const bool beside = width >= l.px(640);
  at.label = std::min(longest_ + 1, l.px(100) * 1.0) + l.px(6);
  at.axis = frame().in_file ? l.px(18) : 0;
  const double bar = l.px(96);
  const double room = (beside ? width * 0.6 : width) - at.axis - at.label - bar;
  const double most =
      std::min(room, beside ? std::min(l.px(400) * 1.0, width / 3) : l.px(400) * 1.0);
  at.cell = std::clamp(most / rows, 0.25, l.px(26) * 1.0);
  const double top = at.warning.bottom() + at.axis + at.label;
  at.map = QRectF(at.axis + at.label, top, at.cell * rows, at.cell * rows);
  at.bar = QRectF(at.map.right() + l.px(10), top, bar - l.px(12),
                  std::clamp(at.map.height(), l.px(120) * 1.0, l.px(260) * 1.0));
  const double left = beside ? at.bar.right() + l.px(16) : 0, gap = l.px(12), name = l.px(18);
  const double wide = std::max(l.px(80) * 1.0, width - left);
  const double high =
      beside ? std::max(at.map.bottom() - at.warning.bottom(), l.px(160) * 1.0) : l.px(200) * 1.0;
  const int64_t count = num_layers();
  for (int64_t columns = 1; columns <= count; ++columns) {
    const auto lines = static_cast<double>((count + columns - 1) / columns);
    const double side =
        std::min((wide + gap) / static_cast<double>(columns) - gap, high / lines - name - l.px(2));
    if (side <= at.side) continue;
    at.side = side;
    at.columns = columns;
  }
  at.side = std::clamp(at.side, l.px(16) * 1.0, l.px(220) * 1.0);
  at.step = at.side + gap;
  const auto lines = static_cast<double>((count + at.columns - 1) / at.columns);
  at.layers = QRectF(
      left, beside ? at.warning.bottom() : std::max(at.map.bottom(), at.bar.bottom()) + l.px(12),
      at.step * static_cast<double>(at.columns), (at.side + name) * lines);
  return at;
}

double RolloutPicture::content_height(double width) const {
  const Layout at = lay_out(width);
  return std::max({at.map.bottom(), at.bar.bottom(), at.layers.bottom()}) + look().px(6);
}

QImage RolloutPicture::image_of(int64_t layer) const {
  const auto size = static_cast<int>(scene_.rows);
  QImage image(size, size, QImage::Format_ARGB32_Premultiplied);
  const ColorTable& colors = color_table(kColors);
  for (int query = 0; query < size; ++query) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(query));
    for (int key = 0; key < size; ++key) {
      const double value = share(layer, query, key);
      line[key] = value > 0 ? colors[static_cast<size_t>(scale_.index(value))] : qRgba(0, 0, 0, 0);
    }
  }
  return image;
}

void RolloutPicture::paint_map(QPainter& p, const Layout& at, const Spot& cursor) const {
  const PictureLook& l = look();
  p.setRenderHint(QPainter::SmoothPixmapTransform, at.cell < 1);
  p.drawImage(at.map, image_of(scene_.layer));
  p.setPen(QPen(l.colors.line, 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(at.map.adjusted(-0.5, -0.5, 0.5, 0.5));
  const int64_t every = label_every(at.cell, l.px(11));
  p.setFont(l.mono);
  for (int64_t i = 0; i < scene_.rows; i += every) {
    const bool selected = i == scene_.selected_query;
    p.setPen(selected ? l.colors.accent : l.colors.muted);
    // The position is beside the matrix: where cells are small, not every token has its label.
    const QString position = QString::number(i);
    const QString token =
        elided_text(l.mono, scene_.data->tokens[static_cast<size_t>(i)],
                    at.label - l.px(6) - text_width(l.mono, QLatin1Char(' ') + position));
    const QRectF row = at.cell_at(i, 0), column = at.cell_at(0, i);
    draw_line(p, QRectF(at.axis, row.center().y() - l.px(8), at.label - l.px(6), l.px(16)),
              Qt::AlignRight | Qt::AlignVCenter, token + QLatin1Char(' ') + position);
    p.save();
    p.translate(column.center().x(), at.map.top() - l.px(4));
    p.rotate(-90);
    draw_line(p, QRectF(0, -l.px(8), at.label - l.px(6), l.px(16)),
              Qt::AlignLeft | Qt::AlignVCenter, position + QLatin1Char(' ') + token);
    p.restore();
  }
  if (at.axis > 0) {
    p.setFont(l.small);
    p.setPen(l.colors.muted);
    draw_line(p, QRectF(at.map.left(), at.map.top() - at.label - at.axis, l.px(200), at.axis),
              Qt::AlignLeft | Qt::AlignVCenter, RolloutWords::tr("key →"));
    p.save();
    p.translate(0, at.map.top());
    p.rotate(-90);
    draw_line(p, QRectF(-l.px(200), 0, l.px(200), at.axis), Qt::AlignRight | Qt::AlignVCenter,
              RolloutWords::tr("← query"));
    p.restore();
  }
  const auto frame_of = [&](const QRectF& box, const QColor& color) {
    p.setPen(QPen(color, l.line(2)));
    p.setBrush(Qt::NoBrush);
    p.drawRect(box.adjusted(-1, -1, 1, 1));
  };
  if (scene_.selected_query >= 0 && scene_.selected_query < scene_.rows)
    frame_of(at.cell_at(scene_.selected_query, 0)
                 .united(at.cell_at(scene_.selected_query, scene_.rows - 1)),
             l.colors.accent);
  if (cursor.is_somewhere() && cursor.part == kMap)
    frame_of(at.cell_at(cursor.row, cursor.column), l.colors.text);
  ColorBar bar;
  bar.map = kColors;
  bar.scale = scale_;
  bar.quantity = RolloutWords::tr("rollout");
  paint_color_bar(p, at.bar, bar, l);
}

void RolloutPicture::paint_layers(QPainter& p, const Layout& at, const Spot& cursor) const {
  const PictureLook& l = look();
  p.setRenderHint(QPainter::SmoothPixmapTransform, at.side < static_cast<double>(scene_.rows));
  for (int64_t layer = 0; layer < num_layers(); ++layer) {
    const QRectF box = at.layer_at(layer, l.px(18));
    const bool shown = layer == scene_.layer;
    p.setFont(shown ? l.small_bold : l.small);
    p.setPen(shown ? l.colors.text : l.colors.muted);
    draw_line(p, QRectF(box.left(), box.top() - l.px(18), at.step, l.px(16)),
              Qt::AlignLeft | Qt::AlignVCenter,
              elided_text(l.small_bold, RolloutWords::tr("up to layer %1").arg(layer), at.side));
    p.drawImage(box, image_of(layer));
    p.setBrush(Qt::NoBrush);
    p.setPen(shown ? QPen(l.colors.accent, l.line(2)) : QPen(l.colors.line, 1));
    p.drawRect(box);
    if (!(cursor == Spot{kLayers, layer, 0})) continue;
    p.setPen(QPen(l.colors.text, l.line(2)));
    p.drawRect(box.adjusted(-2, -2, 2, 2));
  }
}

void RolloutPicture::paint_content(QPainter& painter, double width, const Spot& cursor) const {
  const Layout at = lay_out(width);
  const PictureLook& l = look();
  painter.setFont(l.title_bold);
  painter.setPen(l.colors.text);
  paint_lines(painter, at.heading, at.said);
  painter.setFont(l.small);
  paint_lines(painter, at.warning.adjusted(0, 0, 0, -l.px(8)), at.lines);
  paint_map(painter, at, cursor);
  paint_layers(painter, at, cursor);
}

std::optional<Spot> RolloutPicture::content_at(const QPointF& point, double width) const {
  const Layout at = lay_out(width);
  if (at.map.contains(point)) {
    const auto of = [&](double pixels) {
      return std::clamp<int64_t>(static_cast<int64_t>(pixels / at.cell), 0, scene_.rows - 1);
    };
    return Spot{kMap, of(point.y() - at.map.top()), of(point.x() - at.map.left())};
  }
  for (int64_t layer = 0; layer < num_layers(); ++layer)
    if (at.layer_at(layer, look().px(18)).contains(point)) return Spot{kLayers, layer, 0};
  return std::nullopt;
}

QRectF RolloutPicture::content_box(const Spot& spot, double width) const {
  const Layout at = lay_out(width);
  if (spot.part == kLayers)
    return spot.row < num_layers() ? at.layer_at(spot.row, look().px(18)) : QRectF();
  return spot.row < scene_.rows && spot.column < scene_.rows ? at.cell_at(spot.row, spot.column)
                                                             : QRectF();
}

Spot RolloutPicture::moved(const Spot& from, int columns, int rows) const {
  if (!from.is_somewhere()) return {kMap, std::max<int64_t>(0, scene_.rows - 1), 0};
  if (from.part == kLayers) {
    if (columns < 0 && from.row == 0) return {kMap, 0, 0};
    return {kLayers, std::clamp<int64_t>(from.row + columns + rows, 0, num_layers() - 1), 0};
  }
  if (columns > 0 && from.column == scene_.rows - 1) return {kLayers, scene_.layer, 0};
  return {kMap, std::clamp<int64_t>(from.row + rows, 0, scene_.rows - 1),
          std::clamp<int64_t>(from.column + columns, 0, scene_.rows - 1)};
}

QString RolloutPicture::words(const Spot& spot) const {
  if (spot.part == kLayers)
    return RolloutWords::tr("Show the rollout up to layer %1").arg(spot.row);
  const auto name = [&](int64_t position) {
    return RolloutWords::tr("position %1 %2")
        .arg(position)
        .arg(scene_.data->tokens[static_cast<size_t>(position)]);
  };
  if (is_masked(spot.row, spot.column))
    return RolloutWords::tr("%1 after layer %2:\nmasked: %3 comes later")
        .arg(name(spot.row))
        .arg(scene_.layer)
        .arg(name(spot.column));
  return RolloutWords::tr("%1 after layer %2:\n%3 of its attention leads to %4")
      .arg(name(spot.row))
      .arg(scene_.layer)
      .arg(format_number(share(scene_.layer, spot.row, spot.column)), name(spot.column));
}

std::vector<ViewPoint::Number> RolloutPicture::numbers(const Spot& spot) const {
  if (spot.part == kLayers || is_masked(spot.row, spot.column)) return {};
  return {{RolloutWords::tr("rollout"), exact_number(share(scene_.layer, spot.row, spot.column))}};
}

std::vector<SelectionState> RolloutPicture::things(const Spot& spot) const {
  if (spot.part == kLayers) return {};
  return {{.kind = SelectionKind::kToken, .query = spot.row},
          {.kind = SelectionKind::kToken, .query = spot.column}};
}

std::shared_ptr<const Explanation> RolloutPicture::explain(const Spot& spot) const {
  if (spot.part == kLayers) return nullptr;
  const int64_t layer = scene_.layer, q = spot.row, k = spot.column;
  const double here = share(layer, q, k),
               before = layer > 0 ? share(layer - 1, q, k) : static_cast<double>(q == k);
  const auto number = [](double value) { return format_number(value, 7); };
  const auto token = [&](int64_t position) {
    return RolloutWords::tr("position %1 %2")
        .arg(position)
        .arg(scene_.data->tokens[static_cast<size_t>(position)]);
  };
  auto of = std::make_shared<Explanation>();
  of->title = RolloutWords::tr("Rollout: layers 0 to %1").arg(layer);
  if (is_masked(q, k)) {
    of->meaning = RolloutWords::tr(
                      "Masked: %1 comes after %2, and no layer lets a position read a later one.")
                      .arg(token(k), token(q));
    return of;
  }
  of->meaning =
      RolloutWords::tr(
          "How much of the attention of %1 leads to %2 through the layers up to this one.")
          .arg(token(q), token(k));
  of->numbers = {{RolloutWords::tr("rollout"), number(here)},
                 {RolloutWords::tr("one layer before"), number(before)}};
  of->formulas = {RolloutWords::tr("R = ½ A R' + ½ R', A: mean of the heads, R': one layer before"),
                  RolloutWords::tr("½ × %1 (through attention) + ½ × %2 (past it) = %3")
                      .arg(number(2 * here - before), number(before), number(here))};
  of->origin =
      RolloutWords::tr(
          "A is the mean of the weights of all heads of layer %1, each row brought to a sum of 1.")
          .arg(layer);
  if (scene_.data->without_first)
    of->origin += RolloutWords::tr(" The weights of the first token are left out before that.");
  return of;
}

QString RolloutPicture::sentence() const {
  QString text =
      RolloutWords::tr("Where the attention of each position leads through layers 0 to %1")
          .arg(scene_.layer);
  if (scene_.data->without_first) text += RolloutWords::tr(", without the first token");
  return text;
}

std::string RolloutPicture::csv() const {
  std::string out = "layer,query,query_token,key,key_token,rollout\n";
  std::vector<std::string> tokens;
  for (int64_t i = 0; i < scene_.rows; ++i)
    tokens.push_back(csv_cell(scene_.data->plain_tokens[static_cast<size_t>(i)]));
  for (int64_t layer = 0; layer < num_layers(); ++layer)
    for (int64_t query = 0; query < scene_.rows; ++query)
      for (int64_t key = 0; key < scene_.rows; ++key)
        if (const double value = share(layer, query, key); value > 0)
          out +=
              fmt::format("{},{},{},{},{},{}\n", layer, query, tokens[static_cast<size_t>(query)],
                          key, tokens[static_cast<size_t>(key)], value);
  return out;
}

}  // namespace attn::gui
