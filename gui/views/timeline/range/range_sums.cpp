// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/range/range_sums.h"

#include <algorithm>
#include <array>

#include "engine/session/report/report.h"
#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_painter.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr std::array kGroups{LaneKind::kSteps, LaneKind::kKernels, LaneKind::kWorker,
                             LaneKind::kRequest};

const char* file_word(LaneKind kind) {
  switch (kind) {
    case LaneKind::kSteps:
      return "step";
    case LaneKind::kKernels:
      return "kernel";
    case LaneKind::kWorker:
      return "worker";
    case LaneKind::kMarks:  // in no group
    case LaneKind::kRequest:
      break;
  }
  return "request";
}

// [span class]: tokens computed by the steps that touch the range. Steps are in order of time and
// do not overlap.
std::array<uint64_t, kSpanClasses> tokens_of_steps(const LodIndex& steps,
                                                   const std::vector<TraceEvent>& events,
                                                   const TimeRange& range) {
  std::array<uint64_t, kSpanClasses> tokens{};
  uint64_t low = 0, high = steps.size();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (steps.span(middle).end_ns < range.begin_ns)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < steps.size() && steps.span(low).begin_ns < range.end_ns; ++low) {
    const LodSpan& step = steps.span(low);
    const bool ended_before = step.end_ns == range.begin_ns && step.begin_ns < range.begin_ns;
    if (ended_before || step.event >= events.size()) continue;
    const TraceEvent& event = events[step.event];
    tokens[step.span_class] += uint64_t{event.b} + event.c;
  }
  return tokens;
}

uint64_t tokens_sampled(const TimelineLane& lane, const TimeRange& range, uint64_t until_ns) {
  // A token sampled at the very end of the shown time counts too.
  const uint64_t end_ns = range.end_ns + (range.end_ns == until_ns ? 1 : 0);
  const auto before = [](const TimelineLane::Token& token, uint64_t ns) {
    return token.time_ns < ns;
  };
  const auto first =
      std::lower_bound(lane.tokens.begin(), lane.tokens.end(), range.begin_ns, before);
  return static_cast<uint64_t>(std::lower_bound(first, lane.tokens.end(), end_ns, before) - first);
}

QString percent(double share) {
  return tr("%1 %").arg(format_number(100 * share, 3));
}

}  // namespace

RangeSums range_sums(const TimelineModel& model, const std::vector<TraceEvent>& events,
                     const TimeRange& range) {
  RangeSums sums;
  sums.range = range;
  sums.modelled = model.modelled_time();
  for (const LaneKind kind : kGroups) {
    RangeGroup group;
    group.kind = kind;
    LodStatistics all;
    std::array<uint64_t, kSpanClasses> tokens{};
    for (size_t i = 0; i < model.lanes().size(); ++i) {
      const TimelineLane& lane = *model.lanes()[i];
      if (lane.kind != kind) continue;
      ++group.lanes;
      const LodStatistics one = model.statistics(static_cast<int>(i), range.begin_ns, range.end_ns);
      all.count += one.count;
      all.total_ns += one.total_ns;
      for (size_t c = 0; c < kSpanClasses; ++c) {
        all.class_ns[c] += one.class_ns[c];
        all.class_count[c] += one.class_count[c];
      }
      if (kind == LaneKind::kSteps) tokens = tokens_of_steps(lane.spans, events, range);
      if (kind == LaneKind::kRequest)
        group.tokens = group.tokens.value_or(0) + tokens_sampled(lane, range, model.until_ns());
    }
    if (all.count == 0) continue;
    group.events = all.count;
    group.total_ns = all.total_ns;
    for (size_t c = 0; c < kSpanClasses; ++c) {
      if (all.class_count[c] == 0) continue;
      RangeSum sum{static_cast<SpanClass>(c), all.class_count[c], all.class_ns[c], {}};
      if (kind == LaneKind::kSteps) {
        sum.tokens = tokens[c];
        group.tokens = group.tokens.value_or(0) + tokens[c];
      }
      group.classes.push_back(sum);
    }
    sums.groups.push_back(std::move(group));
  }
  return sums;
}

QString words_of(LaneKind kind) {
  switch (kind) {
    case LaneKind::kSteps:
      return tr("engine steps");
    case LaneKind::kKernels:
      return tr("kernels");
    case LaneKind::kWorker:
      return tr("workers");
    case LaneKind::kMarks:  // in no group
    case LaneKind::kRequest:
      break;
  }
  return tr("requests");
}

QByteArray range_csv(const RangeSums& sums) {
  QByteArray out = "group,class,events,sum_ns,share_of_range,tokens,range_begin_ns,range_end_ns\n";
  const auto row = [&](LaneKind kind, const char* name, uint64_t events, uint64_t total_ns,
                       const std::optional<uint64_t>& tokens) {
    out += QByteArray(file_word(kind)) + ',' + QByteArray(name).replace(", ", " and ") + ',' +
           QByteArray::number(static_cast<qulonglong>(events)) + ',' +
           QByteArray::number(static_cast<qulonglong>(total_ns)) + ',' +
           QByteArray::fromStdString(format_double(sums.share(total_ns))) + ',' +
           (tokens ? QByteArray::number(static_cast<qulonglong>(*tokens)) : QByteArray()) + ',' +
           QByteArray::number(static_cast<qulonglong>(sums.range.begin_ns)) + ',' +
           QByteArray::number(static_cast<qulonglong>(sums.range.end_ns)) + '\n';
  };
  for (const RangeGroup& group : sums.groups) {
    row(group.kind, "all", group.events, group.total_ns, group.tokens);
    for (const RangeSum& sum : group.classes)
      row(group.kind, name_of(sum.span_class), sum.events, sum.total_ns, sum.tokens);
  }
  return out;
}

QString sums_html(const RangeSums& sums) {
  const auto cell = [](const QString& text) {
    return QStringLiteral("<td align='right' style='padding-left:8px'>%1</td>")
        .arg(text.toHtmlEscaped());
  };
  const auto numbers = [&](uint64_t events, uint64_t total_ns,
                           const std::optional<uint64_t>& tokens) {
    return cell(format_count(static_cast<int64_t>(events))) +
           cell(format_duration_ns(static_cast<double>(total_ns), 4)) +
           cell(percent(sums.share(total_ns))) +
           cell(tokens ? format_count(static_cast<int64_t>(*tokens)) : QString());
  };
  QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'><tr><td></td>") +
                 cell(tr("events")) + cell(sums.modelled ? tr("modelled sum") : tr("sum")) +
                 cell(tr("of the range")) + cell(tr("tokens")) + QStringLiteral("</tr>");
  for (const RangeGroup& group : sums.groups) {
    QString name = words_of(group.kind);
    if (group.lanes > 1) name += QStringLiteral(" (%1)").arg(format_count(group.lanes));
    html += QStringLiteral("<tr><td><b>%1</b></td>").arg(name.toHtmlEscaped()) +
            numbers(group.events, group.total_ns, group.tokens) + QStringLiteral("</tr>");
    for (const RangeSum& sum : group.classes)
      html += QStringLiteral("<tr><td><font color='%1'>■</font> %2</td>")
                  .arg(span_color(sum.span_class, LaneKind::kKernels).name(),
                       text_of(sum.span_class).toHtmlEscaped()) +
              numbers(sum.events, sum.total_ns, sum.tokens) + QStringLiteral("</tr>");
  }
  return html + QStringLiteral("</table>");
}

QString sums_line(const RangeSums& sums) {
  QStringList parts;
  for (const RangeGroup& group : sums.groups) {
    QStringList classes;
    for (const RangeSum& sum : group.classes)
      classes += tr("%1 %2").arg(text_of(sum.span_class), percent(sums.share(sum.total_ns)));
    parts += tr("%1: %2").arg(words_of(group.kind), classes.join(QStringLiteral(", ")));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace attn::gui
