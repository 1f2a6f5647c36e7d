// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/head_lines_scene.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/widgets/rule_words.h"
#include "gui/widgets/ticks.h"

namespace attn::gui {

namespace {

constexpr double kLongestToken = 104;                   // px of a label at 100%
constexpr double kNarrowLines = 90, kWideLines = 620;   // px between the columns
constexpr double kLargestPitch = 34, kFirstPitch = 20;  // px from token to token
constexpr int64_t kMostValues = 3;                      // heads whose numbers are written

QString tr(const char* text) {
  return QCoreApplication::translate("HeadLines", text);
}

void add_row(const HeadLinesScene& scene, int64_t head, int64_t query, int64_t only_key,
             LinesShown& shown) {
  const LineRow* row = scene.data.find(head, query);
  if (!row || only_key >= static_cast<int64_t>(row->weights.size())) {
    ++shown.missing;
    return;
  }
  if (std::isnan(row->kept.mass)) {
    ++shown.nan_rows;
    return;
  }
  ++shown.rows;
  const auto weight = [&](int64_t key) { return row->weights[static_cast<size_t>(key)]; };
  if (only_key >= 0) {
    shown.mass += static_cast<double>(weight(only_key));
    shown.hidden += static_cast<double>(weight(only_key));
  } else {
    shown.mass += row->kept.mass;
    shown.hidden += row->kept.hidden;
    if (!row->weights.empty()) shown.first += static_cast<double>(weight(0));
  }
  for (const int32_t key : row->kept.keys) {
    if (only_key >= 0 && key != only_key) continue;
    if (only_key >= 0) shown.hidden -= static_cast<double>(weight(key));
    shown.lines.push_back({head, query, key, weight(key)});
  }
}

}  // namespace

LineWindow window_of(const CanvasAxis& queries, const CanvasAxis& keys,
                     const HeadLinesScene& scene) {
  const auto first = [](const CanvasAxis& axis) {
    return std::max<int64_t>(0, static_cast<int64_t>(std::floor(axis.visible_begin() + 1e-9)));
  };
  const auto end = [](const CanvasAxis& axis, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::ceil(axis.visible_end() - 1e-9)), 0,
                               count);
  };
  return {first(queries), end(queries, scene.rows()), first(keys), end(keys, scene.keys())};
}

LinesShown lines_of(const HeadLinesScene& scene, const LineWindow& window) {
  LinesShown shown;
  const std::optional<LineToken> chosen = scene.chosen();
  const bool one_row = chosen && chosen->side == LineSide::kQuery;
  const int64_t only_key =
      chosen && chosen->side == LineSide::kKey && chosen->position < scene.keys() ? chosen->position
                                                                                  : -1;
  for (const int64_t head : scene.heads) {
    if (one_row) {
      if (chosen->position < scene.rows()) add_row(scene, head, chosen->position, -1, shown);
      continue;
    }
    for (int64_t query = window.q_begin; query < window.q_end; ++query)
      if (only_key < 0 || scene.base.rule().sees(head, query, only_key))
        add_row(scene, head, query, only_key, shown);
    const auto column = scene.data.column.find(head);
    if (only_key < 0 || scene.data.column_key != only_key || column == scene.data.column.end())
      continue;
    const double least = scene.filter.kind == LineFilter::Kind::kAtLeast
                             ? std::max(scene.filter.value, 1e-30)
                             : 1e-30;
    for (int64_t query = 0; query < static_cast<int64_t>(column->second->size()); ++query) {
      if (query >= window.q_begin && query < window.q_end) continue;
      if (!(static_cast<double>((*column->second)[static_cast<size_t>(query)]) >= least)) continue;
      ++(query < window.q_begin ? shown.readers_above : shown.readers_below);
    }
  }
  std::stable_sort(shown.lines.begin(), shown.lines.end(),
                   [](const HeadLine& a, const HeadLine& b) { return a.weight < b.weight; });
  shown.hidden = std::max(0.0, shown.hidden);
  return shown;
}

QString lines_sentence(const HeadLinesScene& scene, const LinesShown& shown) {
  const auto share = [&](double part) {
    return QLocale().toString(shown.mass > 0 ? part / shown.mass : 0.0, 'f', 3);
  };
  QString text = shown.lines.size() == 1
                     ? tr("1 line")
                     : tr("%1 lines").arg(format_count(static_cast<int64_t>(shown.lines.size())));
  const QString rows = shown.rows == 1 ? tr("1 row") : tr("%1 rows").arg(format_count(shown.rows));
  const QString rule =
      scene.filter.kind == LineFilter::Kind::kAtLeast
          ? tr("weights below %1").arg(format_number(scene.filter.value, 3))
          : tr("beyond the top %1% of each row").arg(format_number(100 * scene.filter.value, 3));
  text += tr("; hidden: %1 of the mass of %2 (%3").arg(share(shown.hidden), rows, rule);
  if (scene.filter.without_first) text += tr(", and the first token");
  text += QLatin1Char(')');
  if (shown.missing > 0) text += tr("; %1 rows are to come").arg(format_count(shown.missing));
  if (shown.nan_rows > 0) text += tr("; %1 rows are NaN").arg(format_count(shown.nan_rows));
  if (const QString sinks = sink_words(scene.base.rule()); !sinks.isEmpty())
    text += QStringLiteral(". ") + sinks;
  return text;
}

double edge_distance(const PictureLook& look) {
  return QFontMetricsF(look.mono).height() + look.px(1);
}

HeadLinesLayout layout_lines(const HeadLinesScene& scene, const QRectF& bounds) {
  const PictureLook& look = scene.look;
  const QFontMetricsF small(look.small), mono(look.mono);
  const double pad = look.px(12), gap = look.px(8), line = small.height();
  HeadLinesLayout layout;
  double top = bounds.top() + pad / 2;
  if (scene.caption) {
    layout.caption = QRectF(bounds.left() + pad, top, bounds.width() - 2 * pad, look.px(24));
    top += look.px(30);
  }
  layout.footer =
      QRectF(bounds.left() + pad, bounds.bottom() - pad / 2 - line, bounds.width() - 2 * pad, line);
  const double digits =
      static_cast<double>(
          QString::number(std::max<int64_t>({0, scene.rows() - 1, scene.keys() - 1})).size()) *
      mono.horizontalAdvance(QLatin1Char('0'));
  const double legend = bounds.width() >= look.px(600) ? look.px(132) : 0;
  double token = std::min(scene.widest_label + 1, static_cast<double>(look.px(kLongestToken)));
  token = std::min(token, bounds.width() * 0.16);
  const double label = token + digits + look.px(14);
  layout.value_width = mono.horizontalAdvance(QStringLiteral("0.000")) + look.px(8);
  double room = bounds.width() - 2 * pad - 2 * label - (legend > 0 ? legend + 2 * gap : 0);
  const auto wanted = std::min<int64_t>(kMostValues, static_cast<int64_t>(scene.heads.size()));
  layout.value_heads = std::clamp<int64_t>(
      static_cast<int64_t>((room - look.px(kNarrowLines)) / (2 * layout.value_width)), 0,
      std::max<int64_t>(1, wanted));
  const double values = static_cast<double>(layout.value_heads) * layout.value_width;
  room -= 2 * values;
  const double between = std::clamp<double>(room, 24, look.px(kWideLines));
  const double edge = edge_distance(look) + line / 2;
  const double head = line + edge;  // names of the columns; what lies above the window
  const double y = top + head, height = std::max(24.0, layout.footer.top() - look.px(2) - edge - y);
  double x = bounds.left() + pad + std::max(0.0, room - between) / 2;
  const auto column = [&](double width) {
    const QRectF rect(x, y, width, height);
    x += width;
    return rect;
  };
  layout.left_values = column(values);
  layout.left_labels = column(label);
  layout.lines = column(between);
  layout.right_labels = column(label);
  layout.right_values = column(values);
  layout.axis_names = QRectF(layout.left_values.left(), top,
                             layout.right_values.right() - layout.left_values.left(), line);
  layout.legend =
      QRectF(bounds.right() - pad - legend, top, legend, layout.footer.top() - gap - top);
  return layout;
}

CanvasAxis lines_axis(int64_t tokens, double pixels, const PictureLook& look) {
  CanvasAxis axis;
  axis.begin = 0;
  axis.end = static_cast<double>(std::max<int64_t>(1, tokens));
  axis.pixels = std::max(1.0, pixels);
  axis.max_scale = look.px(kLargestPitch);
  axis.scale = std::min(axis.max_scale, std::max<double>(axis.fit_scale(), look.px(kFirstPitch)));
  axis.offset = 0;
  axis.clamp();
  return axis;
}

CanvasAxis key_axis(const CanvasAxis& queries, const HeadLinesScene& scene) {
  if (scene.keys_are_tokens()) return queries;
  CanvasAxis axis = queries;
  axis.end = static_cast<double>(std::max<int64_t>(1, scene.keys()));
  axis.clamp();
  return axis;
}

}  // namespace attn::gui
