// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_text.h"

#include <cmath>

#include "gui/models/event_words.h"
#include "gui/models/run/fact_values.h"
#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

QString kernel_name(KernelId kernel) {
  const std::string_view name = name_of(kernel);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString positions(int64_t begin, int64_t count) {
  if (count <= 1) return format_count(begin);
  return tr("%1 to %2 (%3)")
      .arg(format_count(begin), format_count(begin + count - 1), format_count(count));
}

class Rows {
 public:
  void title(const QString& text) {
    html_ += QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped());
  }
  void note(const QString& text) { html_ += QStringLiteral("<br>%1").arg(text.toHtmlEscaped()); }
  void add(const QString& name, const QString& value) {
    rows_ += QStringLiteral("<tr><td style='padding-right:12px'>%1</td><td>%2</td></tr>")
                 .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
  }
  QString html() const {
    return QStringLiteral("<qt>%1<table cellspacing='0' cellpadding='1'>%2</table></qt>")
        .arg(html_, rows_);
  }

 private:
  QString html_, rows_;
};

QString layer_of(const TraceEvent& event, const EngineSnapshot* snapshot) {
  return layer_words(event.layer, snapshot && snapshot->source.is_encoder(event.layer));
}

void add_facts(Rows& rows, const SpanFacts& facts) {
  for (const EventFact& fact : facts_of(*facts.event))
    rows.add(fact_words(fact), value_words(facts.snapshot, fact));
}

void add_event_fields(Rows& rows, const SpanFacts& facts) {
  const TraceEvent& event = *facts.event;
  switch (event.kind) {
    case EventKind::kStep:
      rows.add(tr("Step"), format_count(event.a));
      rows.add(tr("Prefill tokens"), format_count(event.b));
      rows.add(tr("Decode tokens"), format_count(event.c));
      rows.add(tr("Sequences"), format_count(event.d));
      break;
    case EventKind::kSchedule:
      rows.add(tr("Step"), format_count(event.a));
      rows.add(tr("Waiting"), format_count(event.b));
      rows.add(tr("Running"), format_count(event.c));
      rows.add(tr("Free blocks"), format_count(event.d));
      break;
    case EventKind::kKernel:
      rows.add(tr("Step"), format_count(event.b));
      rows.add(tr("Tasks"), format_count(event.c));
      rows.add(tr("Tokens"), format_count(event.d));
      break;
    case EventKind::kTask:
      rows.add(tr("Step"), format_count(event.b));
      rows.add(tr("Task"), format_count(event.c));
      rows.add(tr("Rows"), format_count(event.d));
      break;
    case EventKind::kTile: {
      const TileEvent tile = unpack_tile(event);
      rows.add(tr("Request"), facts.snapshot ? request_name(*facts.snapshot, tile.request)
                                             : tr("request %1").arg(tile.request));
      rows.add(tile.heads > 1 ? tr("Heads") : tr("Head"), positions(tile.head, tile.heads));
      rows.add(tr("Queries"), positions(tile.q_begin, tile.q_count));
      rows.add(tr("Keys"), positions(tile.k_begin, tile.k_count));
      break;
    }
    default:
      add_facts(rows, facts);
      break;
  }
  if (event.layer != kNoLayer && (event.kind == EventKind::kKernel ||
                                  event.kind == EventKind::kTask || event.kind == EventKind::kTile))
    rows.add(tr("Layer"), layer_of(event, facts.snapshot));
}

QString title_of(const SpanFacts& facts) {
  const TraceEvent& event = *facts.event;
  if (facts.lane->kind == LaneKind::kRequest)
    return tr("%1: %2").arg(lane_name(*facts.lane), text_of(facts.span_class));
  switch (event.kind) {
    case EventKind::kStep:
      return tr("Engine step %1").arg(event.a);
    case EventKind::kSchedule:
      return tr("Scheduler and block manager");
    case EventKind::kKernel:
      return tr("Kernel %1").arg(kernel_name(static_cast<KernelId>(event.a)));
    case EventKind::kTask:
      if (event.a == static_cast<uint32_t>(KernelId::kPlan))
        return tr(
            "Plan: the integers of the batch (lengths, slots, block tables), computed for this "
            "step");
      if (event.a == static_cast<uint32_t>(KernelId::kPlanReplay))
        return tr(
            "Plan replayed: the integers of the batch (lengths, slots, block tables), written into "
            "a captured plan");
      return tr("Task of %1").arg(kernel_name(static_cast<KernelId>(event.a)));
    case EventKind::kTile:
      return tr("Tile of %1").arg(kernel_name(unpack_tile(event).kernel));
    default:
      return kind_words(event.kind);
  }
}

// Whether this is the prefill of a request whose prompt has only tokens without a query.
bool prefills_given(const TimelineLane& lane, SpanClass span_class,
                    const EngineSnapshot* snapshot) {
  if (lane.kind != LaneKind::kRequest || span_class != SpanClass::kPrefill || !snapshot)
    return false;
  const RequestView* request = request_by_id(*snapshot, lane.id);
  return request && request->prompt_len > 0 &&
         request->prompt_len <= tokens_without_query(*snapshot, *request);
}

}  // namespace

QString text_of(SpanClass span_class) {
  return tr(name_of(span_class));
}

QString explanation_of(SpanClass span_class) {
  switch (span_class) {
    case SpanClass::kPrefill:
      return tr(
          "Prefill: tokens of a prompt are computed, in one step or in chunks; after a preemption "
          "also tokens that were generated before it.");
    case SpanClass::kDecode:
      return tr("Decode: one new token per sequence is computed in a step.");
    case SpanClass::kLinear:
      return tr("Linear: a matrix product with weights of the model.");
    case SpanClass::kOther:
      return tr("Other work, such as norm, rotary positions, logits or sampling.");
    case SpanClass::kCacheWrite:
      return tr("Cache write: the keys and values of new tokens are written to their slots.");
    case SpanClass::kCopy:
      return tr(
          "Copy: blocks are copied (copy-on-write), their content is moved to the swap pool or "
          "back, or "
          "pages of the cache are fetched for a kernel.");
    case SpanClass::kSchedule:
      return tr(
          "The scheduler plans the step, and the block manager allocates the blocks it needs. The "
          "plan of the batch (lengths, slots, block tables) has this colour, too.");
    case SpanClass::kQueued:
      return tr("Queued: the request waits to be scheduled.");
    case SpanClass::kPreempted:
      return tr("Preempted: the request gave its blocks back and waits to be computed again.");
    case SpanClass::kSwapped:
      return tr("Swapped: the request waits, and the content of its blocks is in the swap pool.");
    case SpanClass::kMixed:
      return tr(
          "Both in one step (chunked prefill): the heights of the two colours are the shares "
          "of prefill and decode tokens.");
  }
  return {};
}

QString lane_name(const TimelineLane& lane) {
  switch (lane.kind) {
    case LaneKind::kSteps:
      return tr("engine steps");
    case LaneKind::kKernels:
      return tr("kernels");
    case LaneKind::kMarks:
      return tr("marks");
    case LaneKind::kWorker:
      return tr("worker %1").arg(lane.id);
    case LaneKind::kRequest:
      break;
  }
  return QString::fromStdString(lane.name);
}

QString lane_explanation(const TimelineLane& lane) {
  switch (lane.kind) {
    case LaneKind::kSteps:
      return tr("The steps of the engine, one after another.");
    case LaneKind::kKernels:
      return tr(
          "The engine thread: the scheduler and the kernels of the steps, one after another.");
    case LaneKind::kMarks:
      return tr(
          "What the backend did beside its kernels, such as building a mask or bias, splitting a "
          "batch into calls or replaying a plan.");
    case LaneKind::kWorker:
      return tr(
          "The attention tiles and kernel tasks that this worker thread computed, and the pages "
          "that it fetched.");
    case LaneKind::kRequest:
      return tr("Request %1: when it was queued, in prefill, in decode, preempted or swapped out. "
                "The marks are generated tokens.")
          .arg(lane.id);
  }
  return {};
}

QStringList span_labels(const TimelineLane& lane, const TraceEvent& event, SpanClass span_class,
                        const EngineSnapshot* snapshot) {
  if (prefills_given(lane, span_class, snapshot))
    return {tr("prefill of tokens without a query").toUpper(), tr("no query").toUpper()};
  if (lane.kind == LaneKind::kRequest) return {text_of(span_class).toUpper()};
  switch (event.kind) {
    case EventKind::kStep: {
      const uint32_t tokens = event.b + event.c;
      const QString work = span_class == SpanClass::kMixed
                               ? tr("%1 prefill, %2 decode").arg(event.b).arg(event.c)
                               : counted(tokens, tr("1 token"), tr("%1 tokens"));
      return {tr("step %1: %2").arg(event.a).arg(work), tr("step %1").arg(event.a),
              QString::number(event.a)};
    }
    case EventKind::kSchedule:
      return {tr("scheduler")};
    case EventKind::kKernel:
    case EventKind::kTask: {
      const QString name = kernel_name(static_cast<KernelId>(event.a));
      if (event.layer == kNoLayer) return {name};
      return {tr("%1, layer %2").arg(name, layer_of(event, snapshot)), name};
    }
    case EventKind::kTile: {
      const TileEvent tile = unpack_tile(event);
      const QString queries =
          tile.q_count > 1
              ? QStringLiteral("%1–%2").arg(tile.q_begin).arg(tile.q_begin + tile.q_count - 1)
              : QString::number(tile.q_begin);
      const QString keys =
          tile.k_count > 1
              ? QStringLiteral("%1–%2").arg(tile.k_begin).arg(tile.k_begin + tile.k_count - 1)
              : QString::number(tile.k_begin);
      const QString head = head_words(tile.head, tile.heads);
      return {tr("layer %1, %2: q %3 × k %4").arg(layer_of(event, snapshot), head, queries, keys),
              tr("q %1 × k %2").arg(queries, keys), head};
    }
    case EventKind::kPageFetch:
      return {event.c == 1
                  ? tr("page %1 fetched").arg(event.b)
                  : tr("pages %1–%2 fetched").arg(event.b).arg(int64_t{event.b} + event.c - 1),
              tr("fetch")};
    default:
      return {kind_words(event.kind)};
  }
}

QString span_tooltip(const SpanFacts& facts) {
  if (!facts.lane || !facts.event) return {};
  Rows rows;
  rows.title(title_of(facts));
  if (facts.lane->kind == LaneKind::kRequest) rows.note(explanation_of(facts.span_class));
  if (prefills_given(*facts.lane, facts.span_class, facts.snapshot))
    rows.note(tr("Each token of this prompt is %1, so its row has no weights.").arg(given_words()));
  add_event_fields(rows, facts);
  const QString unit = facts.modelled ? tr(" (modelled)") : QString();
  rows.add(tr("Begin"), format_duration_ns(static_cast<double>(facts.begin_ns), 6) + unit);
  const QString duration =
      format_duration_ns(static_cast<double>(facts.end_ns - facts.begin_ns), 4) + unit;
  rows.add(facts.open ? tr("So far") : tr("Duration"), duration);
  if (facts.lane->kind != LaneKind::kRequest) rows.add(tr("Lane"), lane_name(*facts.lane));
  return rows.html();
}

bool has_device_strip(const TimelineModel& model) {
  return model.snapshot() && !model.snapshot()->modelled_device.empty();
}

QString device_strip_name(const EngineSnapshot& snapshot) {
  return tr("%1, modelled").arg(text_of(snapshot.modelled_device));
}

QString step_tooltip(const StepRecord& step, const EngineSnapshot& snapshot) {
  Rows rows;
  rows.title(tr("After engine step %1").arg(step.step));
  const int64_t total = usable_blocks(snapshot);
  rows.add(tr("KV cache"),
           tr("%1 of %2 blocks used").arg(format_count(step.used_blocks), format_count(total)));
  const double seconds = static_cast<double>(step.end_ns - step.begin_ns) * 1e-9;
  const int64_t tokens = step.prefill_tokens + step.decode_tokens;
  if (seconds > 0)
    rows.add(tr("Tokens computed per second"),
             tr("%1 (%2 in %3)")
                 .arg(format_number(static_cast<double>(tokens) / seconds, 4),
                      counted(tokens, tr("1 token"), tr("%1 tokens")),
                      format_duration_ns(seconds * 1e9, 4)));
  rows.add(
      tr("Running, waiting, swapped out"),
      tr("%1, %2, %3")
          .arg(format_count(step.running), format_count(step.waiting), format_count(step.swapped)));
  rows.add(tr("Planning"),
           step.captured_rows > 0
               ? tr("%1, captured plan of %2")
                     .arg(format_duration_ns(static_cast<double>(step.plan_ns), 3),
                          counted(step.captured_rows, tr("1 row"), tr("%1 rows")))
               : tr("%1, computed for this step")
                     .arg(format_duration_ns(static_cast<double>(step.plan_ns), 3)));
  if (!snapshot.modelled_device.empty())
    rows.add(device_strip_name(snapshot), tr("%1, attention of all layers in bf16")
                                              .arg(format_duration_ns(step.modelled_device_ns, 4)));
  if (step.preemptions > 0) rows.add(tr("Preempted"), format_count(step.preemptions));
  return rows.html();
}

QString merged_tooltip(const TimelineLane& lane, uint32_t count, SpanClass span_class,
                       double coverage) {
  Rows rows;
  rows.title(tr("%1 spans, each narrower than 2 pixels").arg(format_count(count)));
  rows.add(tr("Most time"), text_of(span_class));
  rows.add(tr("Busy"), tr("about %1 %").arg(std::lround(coverage * 100)));
  rows.add(tr("Lane"), lane_name(lane));
  rows.note(tr("Zoom in to see them one by one."));
  return rows.html();
}

}  // namespace attn::gui
