// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/tiles/tiles_panel.h"

#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "engine/kernels/weight_recompute.h"
#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr int kWrap = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

QString number(float value) {
  if (std::isinf(value)) return value < 0 ? QStringLiteral("−∞") : QStringLiteral("∞");
  return QLocale().toString(static_cast<double>(value), 'f', 4);
}

QString factor(const SoftmaxLine& line) {
  if (line.anew) return tr("begins");
  if (line.rescale != 0 && line.rescale < 1e-4f)
    return QStringLiteral("× ") + QLocale().toString(static_cast<double>(line.rescale), 'e', 1);
  return QStringLiteral("× ") + number(line.rescale);
}

// The text is empty without a row or for a plain rule.
QString scores_text(const TilesScene& scene) {
  const WeightRule& rule = scene.rule;
  if (scene.row < 0 || rule.is_plain()) return {};
  QString text = tr("score = %1").arg(score_formula(rule));
  if (rule.soft_cap > 0) text += tr(", cap = %1").arg(format_number(rule.soft_cap, 4));
  if (!rule.alibi_slopes.empty())
    text += tr(", slope = %1").arg(format_number(rule.slope(scene.head), 4));
  const KeySpan seen = rule.span(scene.row, scene.key_len());
  if (rule.has_holes())  // keys are left out
    return text + tr(". The row sees %1 of %2 keys.")
                      .arg(count_seen_keys(rule, scene.head, scene.row, 0, scene.key_len()))
                      .arg(scene.key_len());
  return text + tr(". The row sees %1 of %2 keys, %3 to %4.")
                    .arg(seen.end - seen.begin)
                    .arg(scene.key_len())
                    .arg(seen.begin)
                    .arg(seen.end - 1);
}

QString end_text(const TilesScene& scene) {
  const RowSoftmax& row = scene.softmax;
  if (!row.is_known()) return {};
  QString text;
  if (row.merged > 1)
    text = (row.partitions > 1 ? tr("%1 tiles of %2 partitions merged: m = %3, d = %4. ")
                                     .arg(row.merged)
                                     .arg(row.partitions)
                               : tr("%1 parts merged: m = %2, d = %3. ").arg(row.merged))
               .arg(number(row.max), number(row.sum));
  text += tr("m + ln d = %1")
              .arg(number(row.has_sink ? row.sink_max + std::log(row.sink_sum)
                                       : row.max + std::log(row.sum)));
  if (scene.lse_known) text += tr("; stored log-sum-exp %1.").arg(number(scene.lse));
  return text;
}

QString rule_of_tiles(const RowSoftmax& row) {
  if (row.merged > 1)
    return tr(
        "The keys of this row were cut into parts; “begins” marks the first tile of each. m is the "
        "part's largest score up to this tile, d its sum of exp(score − m). At the end the parts "
        "are merged: m becomes the largest of all, and d and output of each part are multiplied by "
        "exp(m of the part − m) and added up. The result is output ÷ d.");
  return tr(
      "At each tile m becomes the larger of m and the tile's largest score; d and the output are "
      "multiplied by rescale = exp(old m − new m); then each seen key adds exp(score − m) "
      "to d and exp(score − m) × value to the output. At the end the result is output ÷ d.");
}

QString rule_text(const RowSoftmax& row) {
  QString text = rule_of_tiles(row);
  if (row.has_sink)
    text +=
        QLatin1Char(' ') +
        tr("Before that the sink enters m and d as the score of one more key, whose value is 0.");
  return text;
}

std::vector<QString> worker_texts(const TilesScene& scene) {
  std::map<int, size_t> last;
  for (size_t i = 0; i < scene.shown; ++i) last[scene.tiles[i].worker()] = i;
  std::vector<QString> texts;
  for (const auto& [worker, tile] : last) {
    const TileMark& mark = scene.tiles[tile];
    texts.push_back(tr("Worker %1: last tile %2, queries %3–%4 × keys %5–%6, %7")
                        .arg(worker)
                        .arg(tile + 1)
                        .arg(mark.tile.q_begin)
                        .arg(mark.tile.q_begin + mark.tile.q_count - 1)
                        .arg(mark.tile.k_begin)
                        .arg(mark.tile.k_begin + mark.tile.k_count - 1)
                        .arg(format_duration_ns(static_cast<double>(mark.end_ns - mark.begin_ns))));
  }
  return texts;
}

QString title_of(const TilesScene& scene) {
  if (scene.row < 0) return tr("Running softmax of a row");
  const auto index = static_cast<size_t>(scene.row);
  return index < scene.tokens.size()
             ? tr("Row %1, \"%2\"")
                   .arg(scene.row)
                   .arg(QString::fromStdString(scene.tokens[index]).simplified())
             : tr("Row %1").arg(scene.row);
}

}  // namespace

void paint_softmax_panel(QPainter& painter, const TilesScene& scene, const QRectF& bounds,
                         const PictureLook& look) {
  const QFontMetricsF small(look.small);
  const double line = small.height() + look.px(4);
  painter.save();
  painter.setClipRect(bounds);
  painter.setPen(QPen(look.colors.line, 1));
  painter.drawLine(bounds.topLeft(), bounds.bottomLeft());
  const QRectF area = bounds.adjusted(look.px(12), 0, 0, 0);
  double y = area.top();
  painter.setFont(look.title_bold);
  painter.setPen(look.colors.text);
  const double head = QFontMetricsF(look.title_bold).height();
  draw_line(painter, QRectF(area.left(), y, area.width(), head), Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look.title_bold, title_of(scene), area.width()));
  y += head + look.px(4);
  painter.setFont(look.small);
  painter.setPen(look.colors.muted);
  const auto words = [&](const QString& text) {
    const QRectF box = small.boundingRect(QRectF(area.left(), y, area.width(), 1e4), kWrap, text);
    painter.drawText(QRectF(area.left(), y, area.width(), box.height()), kWrap, text);
    y += box.height() + look.px(6);
  };
  words(scene.row < 0 ? tr("Click a row, or use Up and Down, to see the softmax of that row.")
                      : softmax_origin(scene));
  if (const QString scores = scores_text(scene); !scores.isEmpty()) words(scores);
  const RowSoftmax& row = scene.softmax;
  if (!row.is_known()) {
    painter.restore();
    return;
  }
  // Columns: keys | m | d | rescale. The number of seen keys follows the keys unless the causal
  // mask is the only mask.
  const bool with_seen = !scene.rule.masks_later_keys_only();
  const std::array<double, 5> edge{0, with_seen ? 0.4 : 0.28, with_seen ? 0.6 : 0.52,
                                   with_seen ? 0.8 : 0.76, 1};
  const auto cell = [&](int column, const QString& text, const QFont& font, const QColor& color) {
    painter.setFont(font);
    painter.setPen(color);
    const auto i = static_cast<size_t>(column);
    draw_line(painter,
              QRectF(area.left() + edge[i] * area.width(), y,
                     (edge[i + 1] - edge[i]) * area.width() - look.px(4), line),
              (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
              elided_text(font, text, (edge[i + 1] - edge[i]) * area.width() - look.px(4)));
  };
  cell(0, with_seen ? tr("keys (seen)") : tr("keys"), look.small_bold, look.colors.text);
  cell(1, tr("max m"), look.small_bold, look.colors.text);
  cell(2, tr("sum d"), look.small_bold, look.colors.text);
  cell(3, tr("rescale"), look.small_bold, look.colors.text);
  y += line;
  painter.setPen(QPen(look.colors.line, 1));
  painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  const double end_height =
      small.boundingRect(QRectF(0, 0, area.width(), 1e4), kWrap, end_text(scene)).height() +
      look.px(8);
  const double sink_height = row.has_sink ? line : 0;
  const auto room = static_cast<size_t>(
      std::max(1.0, std::floor((area.bottom() - y - end_height - sink_height) / line)));
  const size_t count = row.lines.size();
  size_t first = count > room ? count - room + (room > 1 ? 1 : 0) : 0;
  if (first > 0 && room > 1) {
    cell(0, tr("%1 more above").arg(first), look.small, look.colors.muted);
    y += line;
  }
  for (size_t i = std::min(first, count - 1); i < count; ++i) {
    const SoftmaxLine& state = row.lines[i];
    if (state.tile + 1 == scene.shown) {
      QColor ground = look.colors.accent;
      ground.setAlpha(48);
      painter.fillRect(QRectF(area.left(), y, area.width(), line), ground);
    }
    cell(0,
         QStringLiteral("%1–%2").arg(state.k_begin).arg(state.k_begin + state.k_count - 1) +
             (with_seen ? QStringLiteral(" (%1)").arg(state.seen) : QString()),
         look.mono, look.colors.text);
    cell(1, number(state.max), look.mono, look.colors.text);
    cell(2, number(state.sum), look.mono, look.colors.text);
    cell(3, factor(state), look.mono, state.anew ? look.colors.muted : look.colors.text);
    y += line;
  }
  if (row.has_sink) {
    cell(0, tr("sink %1").arg(number(row.sink)), look.mono, look.colors.text);
    cell(1, number(row.sink_max), look.mono, look.colors.text);
    cell(2, number(row.sink_sum), look.mono, look.colors.text);
    cell(3, QStringLiteral("× ") + number(row.sink_rescale), look.mono, look.colors.text);
    y += line;
  }
  y += look.px(4);
  painter.setFont(look.small);
  painter.setPen(look.colors.text);
  words(end_text(scene));
  painter.setPen(look.colors.muted);
  const auto words_if_room = [&](const QString& text) {
    const double needed = small.boundingRect(QRectF(0, 0, area.width(), 1e4), kWrap, text).height();
    if (y + needed <= area.bottom()) words(text);
  };
  if (scene.one_tile_rows) words_if_room(one_tile_text());
  words_if_room(rule_text(row));
  for (const QString& text : worker_texts(scene)) words_if_room(text);
  painter.restore();
}

QString softmax_origin(const TilesScene& scene) {
  if (scene.row >= 0 && scene.row < scene.without_query)
    return tr("The token of this row is %1. The kernel gets zeros in place of the query, and what "
              "it computes from them is not used.")
        .arg(given_words());
  switch (scene.softmax.origin) {
    case RowSoftmax::Origin::kKernel:
      return tr("Reported by the kernel, tile by tile.");
    case RowSoftmax::Origin::kRecomputed:
      return tr(
          "Recomputed from the kept query and keys, because the kernel did not report this row.");
    case RowSoftmax::Origin::kTooLong:
      return tr(
          "The kernel did not report this row, and its last key is too far into the text to "
          "recompute it here.");
    case RowSoftmax::Origin::kNone:
      return scene.softmax.lines.empty()
                 ? tr("None of the tiles shown so far has this row.")
                 : tr("This row is not computed to its end, and the kernel did not report it: "
                      "while "
                      "it computes, a kernel reports only rows of the request, layer and head that "
                      "are shown then. m and d can appear when the row is done.");
  }
  return {};
}

QString one_tile_text() {
  return tr("Each row drawn so far has one key tile, so max and sum are never rescaled. What shows "
            "it: a longer prompt, such as that of the scenario “%1”, or a backend with smaller "
            "tiles, such as PALLAS in the scenario “%2”.")
      .arg(tr("Long prompt"), tr("Pallas pages"));
}

QString softmax_sentence(const TilesScene& scene) {
  if (scene.row < 0) return {};
  QString text = title_of(scene) + QStringLiteral(". ") + softmax_origin(scene);
  if (const QString scores = scores_text(scene); !scores.isEmpty())
    text += QLatin1Char(' ') + scores;
  if (scene.softmax.is_known())
    for (const SoftmaxLine& line : scene.softmax.lines)
      text += tr(" Keys %1 to %2: m %3, d %4, %5.")
                  .arg(line.k_begin)
                  .arg(line.k_begin + line.k_count - 1)
                  .arg(number(line.max), number(line.sum), factor(line));
  if (scene.softmax.has_sink)
    text += tr(" Sink %1: m %2, d %3.")
                .arg(number(scene.softmax.sink), number(scene.softmax.sink_max),
                     number(scene.softmax.sink_sum));
  text += QLatin1Char(' ') + end_text(scene);
  if (scene.softmax.is_known() && scene.one_tile_rows) text += QLatin1Char(' ') + one_tile_text();
  return text;
}

}  // namespace attn::gui
