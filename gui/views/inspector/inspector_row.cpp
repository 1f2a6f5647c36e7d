// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_row.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr qsizetype kMostBlocks = 16;  // most blocks that are listed

QString blocks_read(const EngineSnapshot& snapshot, const RequestView& request, TableKind kind,
                    KeySpan keys) {
  const int64_t size = snapshot.block_size;
  if (size <= 0) return {};
  const std::vector<int32_t>& blocks = request.table(kind).blocks;
  const auto held = static_cast<int64_t>(blocks.size());
  const int64_t first = keys.begin / size, end = std::min((keys.end + size - 1) / size, held);
  QStringList names;
  int64_t count = 0;
  for (int64_t logical = first; logical < end; ++logical) {
    const int32_t block = blocks[static_cast<size_t>(logical)];
    if (block < 0) continue;
    ++count;
    if (names.size() < kMostBlocks) names += QString::number(block);
  }
  if (count == 0)
    return is_finished(request.state) ? tr("freed when the request ended") : tr("none now");
  if (count > names.size()) names += QStringLiteral("…");
  return tr("%1: %2").arg(format_count(count), names.join(QStringLiteral(", ")));
}

}  // namespace

void add_row(InspectorContent& out, const EngineSnapshot& snapshot, const RequestView& request,
             const SelectionState& row, KeySpan keys, std::span<const float> weights,
             const QString& cache_dtype) {
  if (weights.empty()) return;
  const AttentionRecord& record = *request.attention;
  const WeightRule& rule = record.shape().rules.of(row.layer);
  const auto strongest = std::ranges::max_element(weights) - weights.begin();
  const WeightOperands best =
      record.operands(row.layer, row.head, row.query, keys.begin + static_cast<int64_t>(strongest));
  if (!best.computed || !std::isfinite(best.lse)) return;
  out.heading(tr("How its row is computed"));
  QString score = tr("scale × q·K");
  if (rule.soft_cap > 0) score = tr("cap × tanh(%1 ÷ cap)").arg(score);
  if (!rule.alibi_slopes.empty() || !rule.relative_bias.empty()) score += tr(" + bias");
  out.formula(
      tr("weights = softmax(%1), keys %2..%3").arg(score).arg(keys.begin).arg(keys.end - 1));
  out.formula(tr("m = largest score = %1, key %2")
                  .arg(number(best.score))
                  .arg(keys.begin + static_cast<int64_t>(strongest)));
  const double sum = std::exp(static_cast<double>(best.lse) - best.score);
  const QString terms =
      rule.sinks.empty() ? tr("Σ exp(score − m)") : tr("Σ exp(score − m) + exp(sink − m)");
  out.formula(tr("d = %1 = %2").arg(terms, number(sum)));
  out.formula(tr("lse = m + log d = %1").arg(number(best.lse)));
  double entropy = 0;
  for (const float weight : weights)
    if (weight > 0) entropy -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
  const double most = std::log(static_cast<double>(weights.size()));
  out.row(tr("entropy"), most > 0
                             ? tr("%1 nats, %2% of log %3")
                                   .arg(number(entropy), format_number(100 * entropy / most, 3),
                                        format_count(static_cast<int64_t>(weights.size())))
                             : tr("%1 nats").arg(number(entropy)));
  out.row(tr("backend"), QString::fromStdString(snapshot.backend_name));
  if (!cache_dtype.isEmpty()) out.row(tr("cache dtype"), cache_dtype);
  if (!record.shape().keeps_keys)
    if (const QString blocks =
            blocks_read(snapshot, request, rule.cross ? TableKind::kCross : TableKind::kOwn, keys);
        !blocks.isEmpty())
      out.row(tr("blocks read"), blocks);
  out.note(tr("m and d are those of the whole row; the view Tiles can show them tile by tile."));
}

}  // namespace attn::gui
