// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/circuits/circuits_painter.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "gui/theme/theme.h"
#include "gui/widgets/color_map.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {
namespace {

constexpr double kPairLine = 17;  // px at 100%
// px at 100%. Facts and composition are drawn only if they leave the planes a height of
// kLeastPlane.
constexpr double kLeastPlane = 96;
constexpr double kLeastPairs = 150;

double reach_of(const Circuit& circuit) {
  return circuit.eigenvalues.empty() ? 1 : std::max(1e-12, std::abs(circuit.eigenvalues.front()));
}

std::optional<double> value_of(const EarlierHead& head, size_t grid) {
  return grid == 0 ? head.query : grid == 1 ? head.key : std::optional(head.value);
}

class CircuitsPicture {
  Q_DECLARE_TR_FUNCTIONS(Circuits)
 public:
  CircuitsPicture(QPainter& painter, const CircuitsScene& scene, const CircuitsParts& parts)
      : p_(painter), scene_(scene), look_(scene.look), colors_(scene.look.colors), parts_(parts) {}

  void all();

 private:
  void words(const QRectF& area, const QString& text, const QFont& font, const QColor& color,
             int align = Qt::AlignLeft | Qt::AlignVCenter);
  void wrapped(const QRectF& area, const QString& text);
  void half(const CircuitsParts::Half& at, const QString& heading, const QString& pairs_heading,
            const CircuitPart& part);
  void plane(const QRectF& area, const Circuit& circuit);
  void pairs(const QRectF& area, const QString& heading, const CircuitPart& part);
  void composition();
  void grid(size_t grid, double most, const QString& name);

  QPainter& p_;
  const CircuitsScene& scene_;
  const PictureLook& look_;
  const ThemeColors& colors_;
  const CircuitsParts& parts_;
};

void CircuitsPicture::words(const QRectF& area, const QString& text, const QFont& font,
                            const QColor& color, int align) {
  p_.setFont(font);
  p_.setPen(color);
  draw_line(p_, area, align, elided_text(font, text, area.width()));
}

void CircuitsPicture::wrapped(const QRectF& area, const QString& text) {
  p_.setFont(look_.small);
  p_.setPen(colors_.muted);
  p_.drawText(area, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
}

void CircuitsPicture::half(const CircuitsParts::Half& at, const QString& heading,
                           const QString& pairs_heading, const CircuitPart& part) {
  words(at.heading, heading, look_.small_bold, colors_.text);
  if (!part.refusal.isEmpty())
    return wrapped(at.plane.united(at.pairs).adjusted(0, look_.px(8), 0, 0), part.refusal);
  plane(at.plane, part.circuit);
  if (!at.pairs.isEmpty()) pairs(at.pairs, pairs_heading, part);
}

void CircuitsPicture::plane(const QRectF& area, const Circuit& circuit) {
  p_.save();
  p_.setClipRect(area, Qt::IntersectClip);
  p_.setBrush(Qt::NoBrush);
  const auto place = [&](const std::complex<double>& value) {
    return eigenvalue_place(scene_, circuit, area, value);
  };
  const QPointF zero = place(0.0);
  p_.setPen(QPen(colors_.line, 1));
  p_.drawLine(QPointF(area.left(), zero.y()), QPointF(area.right(), zero.y()));
  p_.drawLine(QPointF(zero.x(), area.top()), QPointF(zero.x(), area.bottom()));
  const double seen = reach_of(circuit) / scene_.zoom, high = look_.px(15);
  const QRectF real(area.left(), area.bottom() - high, area.width() - look_.px(2), high),
      imaginary(area.left() + look_.px(2), area.top(), area.width(), high);
  words(real, tr("real part →"), look_.small, colors_.muted, Qt::AlignRight | Qt::AlignVCenter);
  words(imaginary, tr("↑ imaginary part"), look_.small, colors_.muted);
  const std::vector<double> ticks = nice_ticks(0, seen, 4);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : seen;
  double free = zero.y();  // y; the next number must not begin above it
  std::vector<std::pair<QRectF, QString>> numbers;
  for (const double tick : ticks) {
    if (tick <= 0) continue;
    const double radius = place(tick).x() - zero.x(), aside = radius * std::numbers::sqrt2 / 2;
    p_.setPen(QPen(colors_.line, 1, Qt::DotLine));
    p_.setBrush(Qt::NoBrush);
    p_.drawEllipse(zero, radius, radius);
    const QRectF number(zero.x() + aside, zero.y() + aside, look_.px(60), high);
    if (number.top() < free || number.bottom() > real.top()) continue;
    numbers.emplace_back(number, format_tick(tick, step));
    free = number.bottom();
  }
  for (const std::complex<double>& value : circuit.eigenvalues) {
    p_.setPen(QPen(colors_.surface, 1));
    p_.setBrush(value.real() < 0 ? colors_.bad : colors_.good);
    p_.drawEllipse(place(value), look_.px(4), look_.px(4));
  }
  // Numbers are drawn over the points, which could cover their digits.
  for (const auto& [at, number] : numbers) {
    p_.fillRect(QRectF(at.topLeft(), QSizeF(text_width(look_.mono, number), at.height())),
                colors_.surface);
    words(at, number, look_.mono, colors_.muted);
  }
  p_.setPen(QPen(colors_.line, 1));
  p_.setBrush(Qt::NoBrush);
  p_.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
  p_.restore();
}

void CircuitsPicture::pairs(const QRectF& area, const QString& heading, const CircuitPart& part) {
  const double high = look_.px(kPairLine), number = look_.px(58), arrow = look_.px(20);
  words(QRectF(area.left(), area.top(), area.width(), high), heading, look_.small, colors_.muted);
  const double wide = std::max(1.0, (area.width() - number - arrow) / 2);
  double top = area.top() + high;
  for (const CircuitPart::Pair& pair : part.pairs) {
    if (top + high > area.bottom() + 1) break;
    const QColor& color = pair.same ? colors_.accent : colors_.text;
    const TokenLabelStyle left{.font = look_.mono,
                               .color = color,
                               .faint = colors_.muted,
                               .align = Qt::AlignRight,
                               .turned = false};
    TokenLabelStyle right = left;
    right.align = Qt::AlignLeft;
    paint_token(p_, QRectF(area.left(), top, wide, high), token_text(pair.from), left);
    words(QRectF(area.left() + wide, top, arrow, high), QStringLiteral("→"), look_.small,
          colors_.muted, Qt::AlignCenter);
    paint_token(p_, QRectF(area.left() + wide + arrow, top, wide, high), token_text(pair.to),
                right);
    words(QRectF(area.right() - number, top, number, high), format_number(pair.value, 3),
          look_.mono, colors_.muted, Qt::AlignRight | Qt::AlignVCenter);
    top += high;
  }
}

void CircuitsPicture::grid(size_t grid, double most, const QString& name) {
  const QRectF& area = parts_.grids[grid];
  words(QRectF(area.left(), area.top() - look_.px(32), area.width(), look_.px(16)), name,
        look_.small, colors_.muted);
  const std::vector<EarlierHead>& heads = scene_.earlier();
  const bool numbers = parts_.cell_width >= look_.px(34) && parts_.cell_height >= look_.px(13);
  const int64_t every = label_every(parts_.cell_width, look_.px(16)),
                every_layer = label_every(parts_.cell_height, look_.px(13));
  for (int64_t head = 0; head < parts_.num_heads; head += every)
    words(QRectF(parts_.cell(grid, head).left() - look_.px(12), area.top() - look_.px(16),
                 parts_.cell_width + look_.px(24), look_.px(15)),
          QString::number(head), look_.small, colors_.muted, Qt::AlignCenter);
  for (size_t i = 0; i < heads.size(); ++i) {
    const QRectF box = parts_.cell(grid, static_cast<int64_t>(i));
    const EarlierHead& head = heads[i];
    if (head.name.head == 0 && head.name.layer % every_layer == 0)
      words(QRectF(area.left() - look_.px(26), box.center().y() - look_.px(8), look_.px(22),
                   look_.px(16)),
            QString::number(head.name.layer), look_.small, colors_.muted,
            Qt::AlignRight | Qt::AlignVCenter);
    const auto value = value_of(head, grid);
    if (!value) continue;
    const QColor fill = QColor::fromRgb(diverging_color(*value / most, colors_.surface.rgb()));
    const double gap = parts_.cell_width > 4 && parts_.cell_height > 4 ? 1 : 0;
    p_.fillRect(box.adjusted(0, 0, -gap, -gap), fill);
    if (numbers)
      words(box, QLocale().toString(std::abs(*value) < 0.005 ? 0 : *value, 'f', 2), look_.small,
            look_.text_on(fill), Qt::AlignCenter);
  }
  if (scene_.cursor < 0 || scene_.cursor >= std::ssize(heads)) return;
  p_.setPen(QPen(colors_.accent, look_.line(2)));
  p_.setBrush(Qt::NoBrush);
  p_.drawRect(parts_.cell(grid, scene_.cursor).adjusted(0, 0, -1, -1));
}

void CircuitsPicture::composition() {
  if (parts_.composition.isEmpty()) return;
  const double high = look_.px(18);
  const QRectF heading(parts_.composition.left(), parts_.composition.top(),
                       parts_.composition.width(), high);
  if (!scene_.ov->no_composition.isEmpty())
    return wrapped(parts_.composition, scene_.ov->no_composition);
  if (scene_.earlier().empty()) {
    words(heading, tr("Composition: there are no earlier heads that this one could read."),
          look_.small_bold, colors_.text);
    return;
  }
  double most = 1e-9;
  for (const EarlierHead& head : scene_.earlier())
    for (const size_t grid : {0, 1, 2})
      most = std::max(most, std::abs(value_of(head, grid).value_or(0)));
  words(
      heading,
      tr("Composition: what earlier heads (rows: layers) write and this one reads, beyond chance; "
         "blue −%1, orange +%1")
          .arg(format_number(most, 2)),
      look_.small_bold, colors_.text);
  const QString names[] = {tr("through queries"), tr("through keys"), tr("through values")};
  for (size_t at = 0; at < 3; ++at) {
    if (at == 2 || scene_.earlier().front().query)
      grid(at, most, names[at]);
    else
      wrapped(parts_.grids[at], tr("%1: not defined, because QK is not defined").arg(names[at]));
  }
}

void CircuitsPicture::all() {
  if (!parts_.title.isEmpty()) {
    p_.setFont(look_.title_bold);
    p_.setPen(colors_.text);
    paint_lines(p_, parts_.title,
                title_lines(look_.title_bold, circuits_title(scene_), parts_.title.width(),
                            scene_.exported));
  }
  half(parts_.ov, tr("OV: what the head does with a token that it reads"),
       tr("read → made likelier"), scene_.ov->part);
  half(parts_.qk,
       scene_.distance ? tr("QK: what the head reads, query %1 after the key")
                             .arg(counted(*scene_.distance, tr("1 token"), tr("%1 tokens")))
                       : tr("QK: what the head reads"),
       tr("key → query that looks at it"), scene_.qk->part);
  composition();
  if (parts_.facts.isEmpty()) return;
  p_.setFont(look_.small);
  p_.setPen(colors_.text);
  paint_lines(p_, parts_.facts, parts_.lines);
}

CircuitsParts::Half half_in(const PictureLook& look, const QRectF& area) {
  CircuitsParts::Half half;
  const double head = look.px(20), gap = look.px(12);
  half.heading = QRectF(area.left(), area.top(), area.width(), head);
  const QRectF body = area.adjusted(0, head, 0, 0);
  const double side = std::max(8.0, std::min(body.height(), body.width() * 0.52));
  half.plane = QRectF(body.left(), body.top(), side, std::max(8.0, body.height()));
  if (body.width() - side - gap >= look.px(kLeastPairs))
    half.pairs = body.adjusted(side + gap, 0, 0, 0);
  else
    half.plane.setWidth(body.width());
  return half;
}

}  // namespace

QRectF CircuitsParts::cell(size_t grid, int64_t index) const {
  return {grids[grid].left() + cell_width * static_cast<double>(index % num_heads),
          grids[grid].top() + cell_height * static_cast<double>(index / num_heads), cell_width,
          cell_height};
}

std::optional<CircuitsParts::Place> CircuitsParts::cell_at(const QPointF& position,
                                                           size_t count) const {
  for (size_t grid = 0; grid < grids.size(); ++grid) {
    const QPointF in = position - grids[grid].topLeft();
    if (cell_width <= 0 || in.x() < 0 || in.y() < 0) continue;
    const auto column = static_cast<int64_t>(in.x() / cell_width),
               row = static_cast<int64_t>(in.y() / cell_height);
    const auto index = static_cast<size_t>(row * num_heads + column);
    if (column < num_heads && index < count) return Place{grid, index};
  }
  return std::nullopt;
}

CircuitsParts circuits_parts(const CircuitsScene& scene, const QRectF& bounds) {
  const PictureLook& look = scene.look;
  const double edge = look.px(8), row = look.px(24), gap = look.px(20);
  CircuitsParts parts;
  parts.num_heads = scene.num_heads;
  QRectF body = bounds.adjusted(edge, edge / 2, -edge, -edge / 2);
  const double title = scene.title
                           ? static_cast<double>(title_lines(look.title_bold, circuits_title(scene),
                                                             body.width(), scene.exported)
                                                     .size())
                           : 0;
  parts.title = QRectF(body.left(), body.top(), body.width(), row * title);
  body.setTop(parts.title.bottom());
  for (const QString& fact : circuits_facts(scene))
    for (const QString& line : wrapped_lines(look.small, fact, body.width()))
      parts.lines.push_back(line);
  // The composition gets its room before the facts do.
  const double words = look.px(17) * static_cast<double>(parts.lines.size()) + edge,
               least = look.px(kLeastPlane) + look.px(20);
  const auto layers = static_cast<double>(scene.earlier().size()) /
                      static_cast<double>(std::max<int64_t>(1, scene.num_heads));
  const double above = look.px(52);
  const double grid_height = layers > 0 ? std::min(layers * look.px(18), look.px(110) * 1.0) : 0;
  const double composition = layers > 0 ? above + grid_height + edge : row + edge;
  const bool has_composition = body.height() - composition >= least;
  const bool has_words = body.height() - (has_composition ? composition : 0) - words >= least;
  if (has_words) {
    parts.facts = QRectF(body.left(), body.bottom() - words + edge, body.width(), words - edge);
    body.setBottom(parts.facts.top() - edge);
  }
  if (has_composition) {
    parts.composition =
        QRectF(body.left(), body.bottom() - composition + edge, body.width(), composition - edge);
    body.setBottom(parts.composition.top() - edge);
  }
  if (has_composition && layers > 0) {
    const double label = look.px(28), third = (body.width() - 2 * gap) / 3;
    parts.cell_width =
        std::min<double>((third - label) / static_cast<double>(scene.num_heads), look.px(56));
    parts.cell_height = grid_height / layers;
    for (size_t grid = 0; grid < 3; ++grid)
      parts.grids[grid] = QRectF(body.left() + label + static_cast<double>(grid) * (third + gap),
                                 parts.composition.top() + above, third - label, grid_height);
  }
  const double wide = (body.width() - gap) / 2;
  parts.ov = half_in(look, QRectF(body.left(), body.top(), wide, body.height()));
  parts.qk = half_in(look, QRectF(body.left() + wide + gap, body.top(), wide, body.height()));
  return parts;
}

QPointF eigenvalue_place(const CircuitsScene& scene, const Circuit& circuit, const QRectF& plane,
                         const std::complex<double>& value) {
  const double scale =
      0.46 * std::min(plane.width(), plane.height()) / reach_of(circuit) * scene.zoom;
  return plane.center() + QPointF(value.real(), -value.imag()) * scale;
}

int64_t pair_at(const CircuitsScene& scene, const CircuitPart& part, const QRectF& pairs,
                const QPointF& position) {
  if (!pairs.contains(position)) return -1;
  const double high = scene.look.px(kPairLine);
  const auto line = static_cast<int64_t>(std::floor((position.y() - pairs.top()) / high)) - 1;
  const bool drawn = pairs.top() + high * static_cast<double>(line + 2) <= pairs.bottom() + 1;
  return line >= 0 && drawn && line < std::ssize(part.pairs) ? line : -1;
}

void paint_circuits(QPainter& painter, const CircuitsScene& scene, const CircuitsParts& parts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  CircuitsPicture(painter, scene, parts).all();
  painter.restore();
}

}  // namespace attn::gui
