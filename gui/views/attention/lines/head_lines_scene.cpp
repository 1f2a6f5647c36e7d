// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/head_lines_scene.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "gui/models/text.h"
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

namespace {

constexpr double kLongestLineToken = 104;  // greatest width of a token in a label, px at 100%
// Distance between the columns of tokens, px at 100%: the least if numbers stand beside them, and
// the largest.
constexpr double kNarrowLines = 90, kWideLines = 620;
// Distance from token to token in the longer column, px at 100%: the largest, the least at first.
constexpr double kLargestPitch = 34, kFirstPitch = 20;
constexpr int64_t kMostValues = 3;  // most heads whose numbers are written

// Lines of a row that the filter keeps: row->kept.keys[begin, end), strongest first.
struct KeptLines {
  const LineRow* row = nullptr;
  int64_t head = 0, query = 0;
  size_t begin = 0, end = 0;

  int64_t key(size_t i) const { return row->kept.keys[i]; }
  float weight(size_t i) const { return row->weights[static_cast<size_t>(key(i))]; }
  HeadLine line(size_t i) const { return {head, query, key(i), weight(i)}; }
};

// The index of `key` among the kept keys of the row; their number if `key` is not kept.
size_t place_of(const LineRow& row, int64_t key) {
  const auto weight = [&](int64_t k) { return row.weights[static_cast<size_t>(k)]; };
  const auto& keys = row.kept.keys;
  const auto found = std::lower_bound(keys.begin(), keys.end(), key, [&](int64_t a, int64_t b) {
    return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
  });
  return found != keys.end() && *found == key ? static_cast<size_t>(found - keys.begin())
                                              : keys.size();
}

void add_row(const LineRow* row, int64_t head, int64_t query, int64_t only_key, LinesShown& shown,
             std::vector<KeptLines>& kept, const HeadLinesScene& scene) {
  if (!row && query < scene.without_query) {
    ++shown.given;
    return;
  }
  if (!row || only_key >= static_cast<int64_t>(row->weights.size())) {
    ++shown.missing;
    return;
  }
  if (std::isnan(row->kept.mass)) {
    ++shown.nan_rows;
    return;
  }
  ++shown.rows;
  const bool has_sinks = !scene.base.rule().sinks.empty();
  if (!has_sinks && row->read > 0 && !(std::abs(row->read - 1) <= shown.off))
    shown.off = std::abs(row->read - 1);
  KeptLines lines{row, head, query, 0, row->kept.keys.size()};
  if (only_key >= 0) {
    const auto weight = static_cast<double>(row->weights[static_cast<size_t>(only_key)]);
    lines.begin = place_of(*row, only_key);
    lines.end = std::min(lines.end, lines.begin + 1);
    shown.mass += weight;
    if (lines.begin == lines.end) shown.hidden += weight;
  } else {
    shown.mass += row->kept.mass;
    shown.hidden += row->kept.hidden;
    if (!row->weights.empty()) shown.first += static_cast<double>(row->weights.front());
  }
  if (lines.begin < lines.end) kept.push_back(lines);
}

bool stronger(const HeadLine& a, const HeadLine& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return std::tie(a.head, a.query, a.key) < std::tie(b.head, b.query, b.key);
}

// Collects all kept lines or, if there are too many, the kMost strongest, from a heap of the rows'
// strongest remaining lines.
void draw_strongest(std::vector<KeptLines> kept, LinesShown& shown) {
  for (const KeptLines& row : kept) shown.kept += static_cast<int64_t>(row.end - row.begin);
  const bool all = shown.kept <= static_cast<int64_t>(LinesShown::kMost);
  shown.lines.reserve(std::min(static_cast<size_t>(shown.kept), LinesShown::kMost));
  if (all) {
    for (const KeptLines& row : kept)
      for (size_t i = row.begin; i < row.end; ++i) shown.lines.push_back(row.line(i));
    std::sort(shown.lines.begin(), shown.lines.end(),
              [](const HeadLine& a, const HeadLine& b) { return stronger(b, a); });
    return;
  }
  const auto weaker_front = [](const KeptLines& a, const KeptLines& b) {
    return stronger(b.line(b.begin), a.line(a.begin));
  };
  std::make_heap(kept.begin(), kept.end(), weaker_front);
  double drawn = 0;
  while (shown.lines.size() < LinesShown::kMost) {
    std::pop_heap(kept.begin(), kept.end(), weaker_front);
    shown.lines.push_back(kept.back().line(kept.back().begin));
    drawn += static_cast<double>(shown.lines.back().weight);
    if (++kept.back().begin < kept.back().end) {
      std::push_heap(kept.begin(), kept.end(), weaker_front);
    } else {
      kept.pop_back();
    }
  }
  std::reverse(shown.lines.begin(), shown.lines.end());
  shown.undrawn = std::max(0.0, shown.mass - shown.hidden - drawn);
}

void count_outside(const std::vector<KeptLines>& kept, const LineWindow& window,
                   const HeadLinesScene& scene, LinesShown& shown) {
  if (window.k_above <= 0 && window.k_below >= scene.keys()) return;
  for (const KeptLines& row : kept)
    for (size_t i = row.begin; i < row.end; ++i) {
      const int64_t key = row.key(i);
      if (key < window.k_above) {
        ++shown.lines_above;
        shown.mass_above += static_cast<double>(row.weight(i));
      } else if (key >= window.k_below) {
        ++shown.lines_below;
        shown.mass_below += static_cast<double>(row.weight(i));
      }
    }
}

void count_readers(const HeadLinesScene& scene, const LineWindow& window,
                   const std::vector<float>& column, LinesShown& shown) {
  const double least = scene.filter.kind == LineFilter::Kind::kAtLeast
                           ? std::max(scene.filter.value * scene.full(), 1e-30)
                           : 1e-30;
  for (int64_t query = 0; query < static_cast<int64_t>(column.size()); ++query) {
    if (query >= window.q_begin && query < window.q_end) continue;
    if (!(static_cast<double>(column[static_cast<size_t>(query)]) >= least)) continue;
    ++(query < window.q_begin ? shown.readers_above : shown.readers_below);
  }
}

QString token_of(const HeadLinesScene& scene, const LineToken& of) {
  const TokenView* token = scene.token_at(of.side, of.position);
  const QString number = QString::number(of.position);
  return token ? number + QLatin1Char(' ') + quoted_token(token->text) : number;
}

QString caption_text(const HeadLinesScene& scene) {
  QStringList heads;
  for (const int64_t head : scene.heads) heads << QString::number(head);
  QString text = (heads.size() == 1 ? tr("%1: layer %2, head %3") : tr("%1: layer %2, heads %3"))
                     .arg(scene.request_name)
                     .arg(layer_words(scene.base.layer, scene.base.is_encoder()))
                     .arg(heads.join(QStringLiteral(", ")));
  if (!scene.shows_weights()) text += QStringLiteral(", ") + short_name_of(scene.base.quantity);
  if (scene.past_step) text += tr(", at step %1").arg(*scene.past_step);
  if (const auto& positions = scene.figure.positions)
    text += tr(", positions %1 to %2").arg(positions->first).arg(positions->second);
  return scene.figure.title_or(text);
}

// Without the legend nothing else says which colour a head has. Returns the height that the names
// take, px.
double place_head_names(const HeadLinesScene& scene, const QPointF& at, double room,
                        HeadLinesLayout& layout) {
  const auto heads = static_cast<double>(scene.heads.size());
  const double widest = text_width(scene.look.small, head_name(scene.heads.back()));
  layout.head_column = widest + scene.look.px(32);
  const double columns = std::max(1.0, std::floor(room / layout.head_column));
  const double high = std::ceil(heads / columns) * QFontMetricsF(scene.look.small).height();
  layout.head_names = QRectF(at, QSizeF(columns * layout.head_column, high));
  return high + scene.look.px(4);
}

}  // namespace

double HeadLinesScene::row_sum(int64_t query) const {
  double sum = 0;
  for (const int64_t head : heads) {
    const LineRow* row = data ? data->find(head, query) : nullptr;
    sum += row ? row->kept.mass : std::numeric_limits<double>::quiet_NaN();
  }
  return sum;
}

LineWindow window_of(const CanvasAxis& queries, const CanvasAxis& keys,
                     const HeadLinesScene& scene) {
  const auto first = [](const CanvasAxis& axis, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor(axis.visible_begin() + 1e-9)), 0,
                               count);
  };
  const auto end = [](const CanvasAxis& axis, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::ceil(axis.visible_end() - 1e-9)), 0,
                               count);
  };
  LineWindow window{first(queries, scene.rows()), end(queries, scene.rows()),
                    first(keys, scene.keys()), end(keys, scene.keys())};
  // One pixel of tolerance, as for the ends of the lines.
  const auto middle = [&](int64_t key) { return keys.to_pixel(static_cast<double>(key) + 0.5); };
  window.k_above = window.k_begin;
  while (window.k_above < window.k_end && middle(window.k_above) < -1) ++window.k_above;
  window.k_below = window.k_end;
  while (window.k_below > window.k_above && middle(window.k_below - 1) > keys.pixels + 1)
    --window.k_below;
  return window;
}

LinesShown lines_of(const HeadLinesScene& scene, const LineWindow& window) {
  static const LineData nothing;
  const LineData& data = scene.data ? *scene.data : nothing;
  LinesShown shown;
  std::vector<KeptLines> kept;
  const std::optional<LineToken> chosen = scene.chosen();
  const bool one_row = chosen && chosen->side == LineSide::kQuery;
  const int64_t only_key =
      chosen && chosen->side == LineSide::kKey && chosen->position < scene.keys() ? chosen->position
                                                                                  : -1;
  for (const int64_t head : scene.heads) {
    if (one_row) {
      if (chosen->position < scene.rows())
        add_row(data.find(head, chosen->position), head, chosen->position, -1, shown, kept, scene);
      continue;
    }
    // In the map, the rows of a head are adjacent and in order.
    auto next = data.row.lower_bound({head, window.q_begin});
    for (int64_t query = window.q_begin; query < window.q_end; ++query) {
      const bool read = next != data.row.end() && next->first == std::pair(head, query);
      const LineRow* row = read ? (next++)->second.get() : nullptr;
      if (only_key < 0 || scene.base.rule().sees(head, query, only_key))
        add_row(row, head, query, only_key, shown, kept, scene);
    }
    const auto column = data.column.find(head);
    if (only_key >= 0 && data.column_key == only_key && column != data.column.end())
      count_readers(scene, window, *column->second, shown);
  }
  shown.hidden = std::max(0.0, shown.hidden);
  count_outside(kept, window, scene, shown);
  draw_strongest(std::move(kept), shown);
  return shown;
}

QString lines_sentence(const HeadLinesScene& scene, const LinesShown& shown) {
  const auto share = [&](double part) {
    return QLocale().toString(shown.mass > 0 ? part / shown.mass : 0.0, 'f', 3);
  };
  QString text = counted(shown.kept, tr("1 line"), tr("%1 lines"));
  const auto drawn = static_cast<int64_t>(shown.lines.size());
  if (drawn < shown.kept)
    text = tr("the %1 strongest of %2 lines").arg(format_count(drawn), format_count(shown.kept));
  if (drawn < shown.kept) text += tr("; not drawn: %1 of the sum").arg(share(shown.undrawn));
  const QString rows = counted(shown.rows, tr("1 row"), tr("%1 rows"));
  const bool weights = scene.shows_weights();
  const QString least = format_number(scene.filter.value * scene.full(), 3),
                percent = format_number(100 * scene.filter.value, 3);
  const QString rule =
      scene.filter.kind == LineFilter::Kind::kAtLeast
          ? (weights ? tr("weights below %1").arg(least)
                     : tr("%1 below %2").arg(short_name_of(scene.base.quantity), least))
          : (weights ? tr("all but the largest weights that make %1% of each row")
                     : tr("all but the largest that make %1% of each row"))
                .arg(percent);
  const std::optional<LineToken> chosen = scene.chosen();
  const bool of_key = chosen && chosen->side == LineSide::kKey && chosen->position < scene.keys();
  text += (of_key ? tr("; hidden: %1 of the sum on this key in %2 (%3")
                  : tr("; hidden: %1 of the sum of %2 (%3"))
              .arg(share(shown.hidden), rows, rule);
  if (scene.filter.without_first) text += tr(", and the first token");
  text += QLatin1Char(')');
  if (shown.missing > 0)
    text += counted(shown.missing, tr("; 1 row is not computed or not read yet"),
                    tr("; %1 rows are not computed or not read yet"));
  if (shown.given > 0)
    text += counted(shown.given, tr("; 1 row has no query, so it is not computed"),
                    tr("; %1 rows have no query, so they are not computed"));
  if (shown.nan_rows > 0)
    text += counted(shown.nan_rows, tr("; 1 row is NaN"), tr("; %1 rows are NaN"));
  if (const QString check = sum_check(shown.off); !weights && !check.isEmpty())
    text += QStringLiteral("; ") + check;
  if (const QString sinks = sink_words(scene.base.rule()); !sinks.isEmpty())
    text += QStringLiteral(". ") + sinks;
  return text;
}

QString footer_text(const HeadLinesScene& scene, const LinesShown& shown) {
  const QString text = lines_sentence(scene, shown);
  const auto chosen = scene.chosen();
  if (!chosen) return text;
  return (chosen->side == LineSide::kQuery ? tr("query %1: ") : tr("key %1: "))
             .arg(token_of(scene, *chosen)) +
         text;
}

QString head_name(int64_t head) {
  return tr("head %1").arg(head);
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
  const double wide = bounds.width() - 2 * pad;
  const double legend = bounds.width() >= look.px(600) ? look.px(132) : 0;
  if (scene.caption) {
    layout.caption = QRectF(bounds.left() + pad, top, wide, 0);
    if (const QString text = caption_text(scene); !text.isEmpty()) {
      layout.caption_lines = figure_title_lines(look.title_bold, text, text, wide);
      const double more = look.px(20) * static_cast<double>(layout.caption_lines.size() - 1);
      layout.caption.setHeight(look.px(24) + more);
      top += look.px(30) + more;
    }
    if (legend == 0 && scene.heads.size() > 1)
      top += place_head_names(scene, {bounds.left() + pad, top}, wide, layout);
  }
  const double foot = line * static_cast<double>(scene.footer_lines);
  layout.footer = QRectF(bounds.left() + pad, bounds.bottom() - pad / 2 - foot, wide, foot);
  const double digits =
      static_cast<double>(
          QString::number(std::max<int64_t>({0, scene.rows() - 1, scene.keys() - 1})).size()) *
      mono.horizontalAdvance(QLatin1Char('0'));
  double token = std::min(scene.widest_label + 1, static_cast<double>(look.px(kLongestLineToken)));
  token = std::min(token, bounds.width() * 0.16);
  const double label = token + digits + look.px(14);
  layout.value_width = mono.horizontalAdvance(QStringLiteral("0.000")) + look.px(8);
  double room = wide - 2 * label - (legend > 0 ? legend + 2 * gap : 0);
  const auto wanted = std::min<int64_t>(kMostValues, static_cast<int64_t>(scene.heads.size()));
  layout.value_heads = std::clamp<int64_t>(
      static_cast<int64_t>((room - look.px(kNarrowLines)) / (2 * layout.value_width)), 0,
      std::max<int64_t>(1, wanted));
  const double values = static_cast<double>(layout.value_heads) * layout.value_width;
  room -= 2 * values;
  const double between = std::clamp<double>(room, 24, look.px(kWideLines));
  const double edge = edge_distance(look) + line / 2;
  const double head = line + edge;
  const double y = top + head;
  // A picture of little height has no sentence below the lines, so that they get the whole height.
  if (layout.footer.top() - look.px(2) - edge - y < look.px(36))
    layout.footer = QRectF(layout.footer.left(), bounds.bottom() - pad / 2, 0, 0);
  const double height = std::max(24.0, layout.footer.top() - look.px(2) - edge - y);
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

CanvasAxis queries_beside(const CanvasAxis& keys, const HeadLinesScene& scene) {
  constexpr int64_t kFew = 4;
  constexpr double kLeastPitch = 16;  // least height of a query in its own axis, px at 100%
  const double scale = keys.pixels / static_cast<double>(std::max<int64_t>(1, scene.rows()));
  if (kFew * scene.rows() > scene.keys() || scale < scene.look.px(kLeastPitch)) return keys;
  CanvasAxis axis = keys;
  axis.end = static_cast<double>(scene.rows());
  axis.max_scale = std::max(axis.max_scale, scale);
  axis.fit();
  return axis;
}

}  // namespace attn::gui
