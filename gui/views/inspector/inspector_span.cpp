// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_span.h"

#include <algorithm>

#include "engine/kernels/weight_recompute.h"
#include "gui/models/event_words.h"
#include "gui/models/run/fact_values.h"
#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/views/inspector/inspector_preemption.h"
#include "gui/views/inspector/inspector_step.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

void add_tile(InspectorContent& out, const EngineSnapshot& snapshot, const TraceEvent& event) {
  const TileEvent tile = unpack_tile(event);
  out.row(tr("kernel"), text_of(name_of(tile.kernel)));
  out.row(tr("request"), request_name(snapshot, tile.request));
  const int64_t end_head = int64_t{tile.head} + tile.heads;
  const QString heads =
      tile.heads > 1 ? range_words(tile.head, tile.heads) : QString::number(tile.head);
  out.row(tile.heads > 1 ? tr("heads") : tr("head"),
          tr("%1 (0..%2)").arg(heads).arg(snapshot.source.num_heads - 1));
  out.heading(tr("What it covers"));
  out.row(tr("queries"), range_words(tile.q_begin, tile.q_count));
  out.row(tr("keys"), range_words(tile.k_begin, tile.k_count));
  const WeightRule plain;
  const auto request = std::ranges::find(snapshot.requests, tile.request, &RequestView::id);
  const LayerRules* rules = request != snapshot.requests.end() && request->attention
                                ? &request->attention->shape().rules
                                : snapshot.rules.get();
  const WeightRule& rule = rules && event.layer != kNoLayer ? rules->of(event.layer) : plain;
  int64_t visible = 0;
  for (int64_t head = tile.head; head < end_head; ++head)
    for (int64_t q = tile.q_begin; q < int64_t{tile.q_begin} + tile.q_count; ++q)
      visible += count_seen_keys(rule, head, q, tile.k_begin, int64_t{tile.k_begin} + tile.k_count);
  out.row(tr("cells"), tr("%1, of them %2 not masked")
                           .arg(format_count(int64_t{tile.heads} * tile.q_count * tile.k_count),
                                format_count(visible)));
  if (snapshot.block_size > 0 && tile.k_count > 0)
    out.row(tr("logical blocks"),
            range_words(tile.k_begin / snapshot.block_size,
                        (int64_t{tile.k_begin} + tile.k_count - 1) / snapshot.block_size -
                            tile.k_begin / snapshot.block_size + 1));
}

void add_fields(InspectorContent& out, const EngineSnapshot& snapshot, const TraceEvent& event) {
  if (event.kind == EventKind::kTile) return add_tile(out, snapshot, event);
  for (const EventFact& fact : facts_of(event))
    if (const QString value = value_words(&snapshot, fact); !value.isEmpty())
      out.row(fact_words(fact), value);
}

enum class State { kQueued, kPrefill, kDecode, kPreempted, kSwapped, kEnded };

// nullopt: the event changes no state.
std::optional<State> state_after(std::span<const TraceEvent> events, size_t index) {
  const TraceEvent& event = events[index];
  switch (event.kind) {
    case EventKind::kRequestQueued:
      return State::kQueued;
    case EventKind::kRequestScheduled:
      return State::kPrefill;
    case EventKind::kTokenSampled:
      return State::kDecode;
    case EventKind::kRequestPreempted:
      return event.d == 1 ? State::kSwapped : State::kPreempted;
    case EventKind::kRequestForked:
      return State::kDecode;
    case EventKind::kRequestResumed: {
      const bool decoded = std::ranges::any_of(events.first(index), [&](const TraceEvent& earlier) {
        return earlier.a == event.a && (earlier.kind == EventKind::kTokenSampled ||
                                        earlier.kind == EventKind::kRequestForked);
      });
      return decoded ? State::kDecode : State::kPrefill;
    }
    case EventKind::kRequestFinished:
      return State::kEnded;
    default:
      return std::nullopt;
  }
}

QString words_of(State state) {
  switch (state) {
    case State::kQueued:
      return tr("queued");
    case State::kPrefill:
      return tr("prefill");
    case State::kDecode:
      return tr("decode");
    case State::kPreempted:
      return tr("preempted");
    case State::kSwapped:
      return tr("swapped out");
    case State::kEnded:
      break;
  }
  return tr("ended");
}

void add_bar(InspectorContent& out, const RequestBar& bar, const QString& unit) {
  const auto time = [&unit](uint64_t ns, int digits) {
    return format_duration_ns(static_cast<double>(ns), digits) + unit;
  };
  out.row(tr("state"), bar.state);
  out.row(tr("begin"), time(bar.begin_ns, 6));
  if (!bar.open) out.row(tr("end"), time(bar.end_ns, 6));
  out.row(bar.open ? tr("so far") : tr("duration"), time(bar.end_ns - bar.begin_ns, 4));
  if (bar.tokens > 0) out.row(tr("tokens sampled"), format_count(bar.tokens));
  if (bar.computed > 0) out.row(tr("tokens computed"), format_count(bar.computed));
  add_time_per_token(out, bar.end_ns - bar.begin_ns, bar.computed, unit);
}

// How many tokens were computed before the swap from which the request resumes at events[index]; 0
// if the event is no kRequestResumed.
int64_t tokens_before(std::span<const TraceEvent> events, size_t index) {
  if (events[index].kind != EventKind::kRequestResumed) return 0;
  for (size_t i = index; i-- > 0;)
    if (events[i].kind == EventKind::kRequestPreempted && events[i].a == events[index].a)
      return events[i].c;
  return 0;
}

}  // namespace

std::optional<RequestBar> request_bar(const EngineSnapshot& snapshot,
                                      std::span<const TraceEvent> events, size_t index) {
  const TraceEvent& first = events[index];
  const std::optional<State> state = state_after(events, index);
  if (!state || *state == State::kEnded) return std::nullopt;
  for (size_t i = index; i-- > 0;) {
    if (events[i].a != first.a) continue;
    const std::optional<State> before = state_after(events, i);
    if (!before) continue;
    if (*before == *state) return std::nullopt;
    break;
  }
  RequestBar bar{words_of(*state), first.begin_ns, first.begin_ns, true, 0, 0};
  int64_t known = *state == State::kPrefill ? tokens_before(events, index) : 0;
  for (size_t i = index; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    const std::optional<State> next =
        event.a == first.a ? state_after(events, i) : std::optional<State>();
    if (next) {
      if (*next != *state) {
        if (*state == State::kPrefill && event.kind == EventKind::kTokenSampled)
          bar.computed = std::max<int64_t>(0, int64_t{event.b} - known);
        bar.end_ns = std::max(bar.begin_ns, event.begin_ns);
        bar.open = false;
        return bar;
      }
      if (event.kind == EventKind::kTokenSampled) ++bar.tokens;
      // The token that begins the state was computed before it.
      if (event.kind == EventKind::kTokenSampled && i > index) ++bar.computed;
    }
    if (event.kind == EventKind::kPrefixHit && event.a == first.a) known = event.b;
    bar.end_ns = std::max(bar.end_ns, event.begin_ns + event.duration_ns);
  }
  if (snapshot.steps && !snapshot.steps->empty())
    bar.end_ns = std::max(bar.end_ns, snapshot.steps->back().end_ns);
  return bar;
}

namespace {

const StepRecord* step_of(const EngineSnapshot& snapshot, uint32_t number) {
  if (snapshot.steps)
    for (const StepRecord& step : *snapshot.steps)
      if (step.step == number) return &step;
  return nullptr;
}

void add_step_facts(InspectorContent& out, const EngineSnapshot& snapshot, uint32_t number,
                    const QString& unit) {
  const StepRecord* step = step_of(snapshot, number);
  if (!step) return;
  out.row(tr("planning"), format_duration_ns(static_cast<double>(step->plan_ns), 3) + unit);
  out.row(tr("plan"), step->captured_rows > 0
                          ? tr("captured plan of %1 rows, used again").arg(step->captured_rows)
                          : tr("computed for this step"));
  if (snapshot.modelled_device.empty()) return;
  out.heading(tr("Modelled, not measured"));
  out.row(text_of(snapshot.modelled_device),
          format_duration_ns(step->modelled_device_ns, 4) + tr(" (modelled)"));
  out.note(
      tr("Modelled time of the attention of all layers in this step, in bf16. It follows from "
         "published figures of the device."));
}

}  // namespace

InspectorContent inspect_span(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                              size_t index) {
  const TraceEvent& event = events[index];
  InspectorContent out;
  out.title = kind_words(event.kind);
  if (event.kind == EventKind::kKernel || event.kind == EventKind::kTask)
    out.title += QStringLiteral(": ") + kernel_words(event.a);
  const QString modelled = snapshot.modelled_time ? tr(" (modelled)") : QString();
  if (const auto bar = request_bar(snapshot, events, index)) {
    out.title = tr("%1: %2").arg(request_name(snapshot, event.a), bar->state);
    add_bar(out, *bar, modelled);
    out.heading(tr("Began with"));
    out.row(tr("event"), kind_words(event.kind));
    add_fields(out, snapshot, event);
    if (event.kind == EventKind::kRequestPreempted) add_preemption(out, snapshot, events, index);
    return out;
  }
  out.row(tr("begin"), format_duration_ns(static_cast<double>(event.begin_ns), 6) + modelled);
  if (event.duration_ns > 0)
    out.row(tr("duration"), format_duration_ns(event.duration_ns, 4) + modelled);
  out.row(tr("lane"), lane_words(event.lane));
  if (event.layer != kNoLayer)
    out.row(snapshot.source.is_encoder(event.layer) ? tr("encoder layer") : tr("layer"),
            tr("%1 (0..%2)").arg(event.layer).arg(snapshot.source.num_layers - 1));
  add_fields(out, snapshot, event);
  const bool modelled_kernel = event.kind == EventKind::kKernel &&
                               !snapshot.modelled_device.empty() &&
                               kernel_facts(static_cast<KernelId>(event.a)).attention;
  if (event.kind == EventKind::kRequestPreempted) add_preemption(out, snapshot, events, index);
  if (event.kind == EventKind::kKernel)
    add_time_per_token(out, event.duration_ns, event.d, modelled);
  if (event.kind == EventKind::kStep) {
    add_step_facts(out, snapshot, event.a, modelled);
    add_step_cost(out, snapshot, events, index, modelled);
  }
  if (modelled_kernel) add_step_facts(out, snapshot, event.b, modelled);
  return out;
}

}  // namespace attn::gui
