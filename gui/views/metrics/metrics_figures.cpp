// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/metrics_figures.h"

#include <QLocale>
#include <cmath>
#include <limits>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

const Distribution& distribution(ChartKind kind, const MetricsModel& model) {
  return kind == ChartKind::kTtft ? model.ttft() : model.tpot();
}

}  // namespace

QString value_text(StepValue value, double number) {
  if (std::isnan(number)) return QStringLiteral("–");
  switch (value) {
    case StepValue::kPrefillRate:
    case StepValue::kDecodeRate:
      return format_number(number, 3);
    case StepValue::kHitStep:
    case StepValue::kHitSoFar:
      return QLocale().toString(100 * number, 'f', 1) + QStringLiteral(" %");
    default:
      return format_count(static_cast<int64_t>(number));
  }
}

std::vector<StepValue> values_of(ChartKind kind, const MetricsModel& model) {
  switch (kind) {
    case ChartKind::kPrefillRate:
      return {StepValue::kPrefillRate};
    case ChartKind::kDecodeRate:
      return {StepValue::kDecodeRate};
    case ChartKind::kRequests:
      return {StepValue::kWaiting, StepValue::kRunning, StepValue::kSwapped};
    case ChartKind::kBlocks:
      if (model.has_swap_pool())
        return {StepValue::kUsed, StepValue::kCached, StepValue::kFree, StepValue::kSwapUsed};
      return {StepValue::kUsed, StepValue::kCached, StepValue::kFree};
    case ChartKind::kHitRate:
      return {StepValue::kHitSoFar, StepValue::kHitStep};
    default:
      return {};
  }
}

SeriesLook look_of(StepValue value) {
  const ThemeColors& colors = Theme::instance().colors();
  switch (value) {
    case StepValue::kPrefillRate:
      return {colors.prefill, Mark::kFill};
    case StepValue::kDecodeRate:
      return {colors.decode, Mark::kFill};
    case StepValue::kWaiting:
      return {colors.warning, Mark::kDashed};
    case StepValue::kSwapped:
      return {colors.bad, Mark::kDotted};
    case StepValue::kUsed:
      return {colors.accent, Mark::kFill};
    case StepValue::kCached:
      return {colors.good, Mark::kLightFill};
    case StepValue::kFree:
      return {colors.muted, Mark::kHollow};
    case StepValue::kSwapUsed:
      return {colors.text, Mark::kDotted};
    case StepValue::kHitStep:
      return {colors.text, Mark::kDot};
    case StepValue::kPreempted:
      return {colors.bad, Mark::kLine};
    default:
      return {colors.accent, Mark::kLine};
  }
}

QString name_of(StepValue value) {
  switch (value) {
    case StepValue::kPrefillRate:
      return tr("prefill");
    case StepValue::kDecodeRate:
      return tr("decode");
    case StepValue::kWaiting:
      return tr("waiting");
    case StepValue::kRunning:
      return tr("running");
    case StepValue::kSwapped:
      return tr("swapped");
    case StepValue::kUsed:
      return tr("used");
    case StepValue::kCached:
      return tr("cached");
    case StepValue::kFree:
      return tr("free");
    case StepValue::kSwapUsed:
      return tr("swap pool");
    case StepValue::kHitStep:
      return tr("this step");
    case StepValue::kHitSoFar:
      return tr("so far");
    case StepValue::kPreempted:
      return tr("preempted");
    case StepValue::kCopied:
      return tr("copied");
    case StepValue::kSwappedOut:
      return tr("swap out");
    case StepValue::kSwappedIn:
      return tr("swap in");
    default:
      return tr("evicted");
  }
}

QString title_of(ChartKind kind) {
  switch (kind) {
    case ChartKind::kPrefillRate:
      return tr("Prefill speed");
    case ChartKind::kDecodeRate:
      return tr("Decode speed");
    case ChartKind::kRequests:
      return tr("Requests");
    case ChartKind::kBlocks:
      return tr("KV cache");
    case ChartKind::kTtft:
      return tr("Time to first token");
    case ChartKind::kTpot:
      return tr("Time per output token");
    case ChartKind::kHitRate:
      return tr("Prefix hit rate");
    default:
      return tr("Preemptions and moves");
  }
}

QString y_title_of(ChartKind kind) {
  switch (kind) {
    case ChartKind::kPrefillRate:
    case ChartKind::kDecodeRate:
      return tr("tokens/s");
    case ChartKind::kBlocks:
      return tr("blocks");
    case ChartKind::kHitRate:
      return tr("% of tokens");
    case ChartKind::kMoves:
      return {};
    default:
      return tr("requests");
  }
}

QString note_of(ChartKind kind, const MetricsModel& model, size_t index) {
  if (index >= model.size()) return {};
  const uint32_t step = model.record(index).step;
  const QString modelled = model.modelled() ? tr("modelled · ") : QString();
  switch (kind) {
    case ChartKind::kPrefillRate:
    case ChartKind::kDecodeRate: {
      const TokenTimes& times = model.token_times();
      if (!times.are_comparable()) return model.modelled() ? tr("modelled") : QString();
      const QString ratio = format_number(times.decode_ns / times.prefill_ns, 2);
      return modelled + (kind == ChartKind::kPrefillRate ? tr("%1 × decode speed").arg(ratio)
                                                         : tr("prefill speed ÷ %1").arg(ratio));
    }
    case ChartKind::kRequests:
    case ChartKind::kBlocks:
      return tr("after step %1").arg(step);
    case ChartKind::kTtft:
    case ChartKind::kTpot: {
      const Distribution& all = distribution(kind, model);
      return modelled + tr("%1 of %2")
                            .arg(format_count(static_cast<int64_t>(all.entries.size())),
                                 counted(static_cast<int64_t>(all.requests), tr("1 request"),
                                         tr("%1 requests")));
    }
    case ChartKind::kHitRate:
      return model.snapshot() && model.snapshot()->scenario &&
                     !model.snapshot()->scenario->engine.enable_prefix_caching
                 ? tr("prefix caching is off")
                 : tr("after step %1").arg(step);
    default:
      return tr("in step %1").arg(step);
  }
}

namespace {

QString about_both_speeds() {
  return tr(
      "The charts of prefill and decode have scales of their own. A factor beside their titles "
      "compares the mean speed of the steps with prefill only with that of the steps with decode "
      "only.");
}

}  // namespace

QString explanation_of(ChartKind kind) {
  switch (kind) {
    case ChartKind::kPrefillRate:
      return tr("Prefill: the tokens of prompts, and of sequences that are computed "
                "again.\nPrefill tokens of a step, divided by the duration of the step.\n%1")
          .arg(about_both_speeds());
    case ChartKind::kDecodeRate:
      return tr("Decode: one token per sequence and step.\nDecode tokens of a step, divided by the "
                "duration of the step.\n%1")
          .arg(about_both_speeds());
    case ChartKind::kRequests:
      return tr(
          "Waiting: the request is in the queue.\nRunning: steps can compute tokens of the "
          "request.\nSwapped: the content of the request's blocks is in the swap pool.");
    case ChartKind::kBlocks:
      return tr(
          "Used: a block table names the block.\nCached: no table names the block, but a prompt "
          "can use its content again.\nFree: the block holds nothing that is needed.\nSwap pool: "
          "blocks of preempted requests in host memory.");
    case ChartKind::kTtft:
      return tr(
          "TTFT: time from the arrival of a request to its first token.\nA tick below the axis is "
          "a request. p90: at least nine of ten of them waited no longer.\nThe samples or beams of "
          "one prompt count as one request.");
    case ChartKind::kTpot:
      return tr(
          "TPOT: (time of the last token − time of the first token) ÷ (tokens − 1), for requests "
          "with two or more generated tokens. For requests that have not ended: so far.\nA tick "
          "below the axis is a request. Of the samples or beams of one prompt only the first "
          "counts.");
    case ChartKind::kHitRate:
      return tr("Share of the tokens of admitted requests that were found in the prefix cache.");
    default:
      return tr(
          "Preempted: requests that had to give their blocks back.\nEvicted: cached blocks that "
          "were taken for other tokens.\nCopied: shared blocks that were copied before a write "
          "(copy-on-write).\nSwap out, in: blocks whose content was moved to the swap pool, or "
          "back.\nEach lane has its own scale.");
  }
}

std::vector<LegendEntry> legend_of(ChartKind kind, const MetricsModel& model, size_t index) {
  std::vector<LegendEntry> entries;
  if (!is_over_run(kind)) {
    const QColor text = Theme::instance().colors().text;
    const Distribution& all = distribution(kind, model);
    for (const PercentileMark& mark : kPercentiles) {
      const double ns = all.percentile(mark.share);
      entries.push_back({QLatin1String(mark.name),
                         std::isnan(ns) ? QStringLiteral("–") : format_duration_ns(ns),
                         {text, mark.mark}});
    }
    return entries;
  }
  for (const StepValue value : values_of(kind, model)) {
    const double number =
        index < model.size() ? model.value(value, index) : std::numeric_limits<double>::quiet_NaN();
    QString text = value_text(value, number);
    if (shows_time(kind) && number > 0)
      text = tr("%1 (%2 a token)").arg(text, format_duration_ns(1e9 / number));
    // The title names the speed, so its number says of which step it is.
    const bool is_speed = value == StepValue::kPrefillRate || value == StepValue::kDecodeRate;
    entries.push_back({is_speed && index < model.size()
                           ? tr("step %1:").arg(model.record(index).step)
                           : name_of(value),
                       text, look_of(value)});
  }
  return entries;
}

QString lane_text(StepValue value, const MetricsModel& model, size_t index, size_t first,
                  size_t last) {
  const double now = index < model.size() ? model.value(value, index) : 0;
  return tr("%1 (most %2)")
      .arg(value_text(value, now), value_text(value, model.largest(value, first, last)));
}

QString spoken_step(const MetricsModel& model, size_t index) {
  if (index >= model.size()) return {};
  QString text = tr("Step %1").arg(model.record(index).step);
  for (int i = 0; i < kCharts; ++i) {
    const auto kind = static_cast<ChartKind>(i);
    text += QStringLiteral(". %1").arg(title_of(kind));
    for (const LegendEntry& entry : legend_of(kind, model, index))
      text += QStringLiteral(", %1 %2").arg(entry.name, entry.value);
    if (kind == ChartKind::kMoves)
      for (const StepValue value : kMoveLanes)
        text += QStringLiteral(", %1 %2").arg(name_of(value),
                                              value_text(value, model.value(value, index)));
  }
  return text;
}

QString time_words(const MetricsModel& model) {
  QString text;
  if (model.modelled()) text = tr("Times are modelled: the clock is virtual.");
  if (model.slowed() && model.modelled())
    text += QLatin1Char(' ') + tr("In steps that were slowed or stepped, kernels can cut prompts "
                                  "into smaller tiles and so take longer.");
  else if (model.slowed())
    text = tr("The run was slowed or paused; its times leave the waiting out.");
  return text;
}

TimeUnit time_unit(double longest_ns) {
  if (longest_ns >= 1e9) return {1e9, QStringLiteral("s")};
  if (longest_ns >= 1e6) return {1e6, QStringLiteral("ms")};
  if (longest_ns >= 1e3) return {1e3, QStringLiteral("µs")};
  return {1, QStringLiteral("ns")};
}

}  // namespace attn::gui
