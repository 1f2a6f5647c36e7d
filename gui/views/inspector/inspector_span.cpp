// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_span.h"

#include <QCoreApplication>
#include <algorithm>

#include "gui/widgets/ticks.h"

namespace attn::gui {

namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Inspector", text);
}

QString text_of(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString request_name(const EngineSnapshot& snapshot, uint32_t id) {
  for (const RequestView& view : snapshot.requests)
    if (view.id == id) return QString::fromStdString(view.name);
  return tr("request %1").arg(id);
}

QString kind_words(EventKind kind) {
  switch (kind) {
    case EventKind::kStep:
      return tr("Engine step");
    case EventKind::kSchedule:
      return tr("Scheduling");
    case EventKind::kKernel:
      return tr("Kernel");
    case EventKind::kTile:
      return tr("Attention tile");
    case EventKind::kTask:
      return tr("Task of a kernel");
    case EventKind::kRequestQueued:
      return tr("Request queued");
    case EventKind::kRequestScheduled:
      return tr("Request scheduled");
    case EventKind::kTokenSampled:
      return tr("Token sampled");
    case EventKind::kRequestPreempted:
      return tr("Request preempted");
    case EventKind::kRequestResumed:
      return tr("Request swapped in");
    case EventKind::kRequestForked:
      return tr("Request forked");
    case EventKind::kPrefixHit:
      return tr("Prefix found in the cache");
    case EventKind::kRequestFinished:
      return tr("Request finished");
    case EventKind::kBlockAllocated:
      return tr("Block taken");
    case EventKind::kBlockFreed:
      return tr("Block freed");
    case EventKind::kBlockShared:
      return tr("Block shared");
    case EventKind::kBlockReleased:
      return tr("Shared block released");
    case EventKind::kBlockCached:
      return tr("Block kept for its prefix");
    case EventKind::kBlockEvicted:
      return tr("Block evicted");
    case EventKind::kBlockHashed:
      return tr("Block full and findable");
    case EventKind::kBlockCopied:
      return tr("Block copied before a write");
    case EventKind::kBlockLeftWindow:
      return tr("Block left the window");
    case EventKind::kBlockSwappedOut:
      return tr("Block swapped out");
    case EventKind::kBlockSwappedIn:
      return tr("Block swapped in");
    case EventKind::kWarning:
      return tr("Warning");
    case EventKind::kPageFetch:
      return tr("Page fetch");
    case EventKind::kCallSplit:
      return tr("Batch split into calls");
    case EventKind::kBiasBuilt:
      return tr("Mask or bias built");
    case EventKind::kPlanCaptured:
      return tr("Plan captured");
    case EventKind::kPlanReplayed:
      return tr("Plan replayed");
    case EventKind::kPadding:
      return tr("Padding");
    case EventKind::kCount:
      break;
  }
  return text_of(name_of(kind));
}

QString kernel_name(uint32_t id) {
  return id < static_cast<uint32_t>(KernelId::kCount) ? text_of(name_of(static_cast<KernelId>(id)))
                                                      : QString::number(id);
}

QString range(int64_t begin, int64_t count) {
  return count <= 0 ? tr("none") : tr("%1..%2 (%3)").arg(begin).arg(begin + count - 1).arg(count);
}

void add_tile(InspectorContent& out, const EngineSnapshot& snapshot, const TraceEvent& event) {
  const TileEvent tile = unpack_tile(event);
  out.row(tr("kernel"), text_of(name_of(tile.kernel)));
  out.row(tr("request"), request_name(snapshot, tile.request));
  out.row(tr("head"), tr("%1 (0..%2)").arg(tile.head).arg(snapshot.source.num_heads - 1));
  out.heading(tr("What it covers"));
  out.row(tr("queries"), range(tile.q_begin, tile.q_count));
  out.row(tr("keys"), range(tile.k_begin, tile.k_count));
  int64_t visible = 0;
  for (int64_t q = tile.q_begin; q < int64_t{tile.q_begin} + tile.q_count; ++q)
    visible += std::clamp<int64_t>(q + 1 - tile.k_begin, 0, tile.k_count);
  out.row(tr("cells"),
          tr("%1, of them %2 not masked")
              .arg(format_count(int64_t{tile.q_count} * tile.k_count), format_count(visible)));
  if (snapshot.block_size > 0 && tile.k_count > 0)
    out.row(tr("logical blocks"),
            range(tile.k_begin / snapshot.block_size,
                  (int64_t{tile.k_begin} + tile.k_count - 1) / snapshot.block_size -
                      tile.k_begin / snapshot.block_size + 1));
}

void add_block(InspectorContent& out, const EngineSnapshot& snapshot, const TraceEvent& e) {
  out.row(tr("block"), QString::number(e.a));
  if (e.b != kNoNumber) out.row(tr("request"), request_name(snapshot, e.b));
  if (e.c != kNoNumber) out.row(tr("logical block"), format_count(e.c));
  switch (e.kind) {
    case EventKind::kBlockCopied:
      out.row(tr("copied from block"), QString::number(e.d));
      break;
    case EventKind::kBlockSwappedOut:
    case EventKind::kBlockSwappedIn:
      out.row(tr("block of the swap pool"), QString::number(e.d));
      break;
    case EventKind::kBlockShared:
    case EventKind::kBlockReleased:
    case EventKind::kBlockHashed:
    case EventKind::kBlockLeftWindow:
      out.row(tr("tables that hold it"), format_count(e.d));
      break;
    default:
      out.row(tr("free after"), format_count(e.d));
  }
}

void add_fields(InspectorContent& out, const EngineSnapshot& snapshot, const TraceEvent& e) {
  const auto count = [](uint32_t value) { return format_count(value); };
  switch (e.kind) {
    case EventKind::kStep:
      out.row(tr("step"), count(e.a));
      out.row(tr("prefill tokens"), count(e.b));
      out.row(tr("decode tokens"), count(e.c));
      out.row(tr("sequences"), count(e.d));
      break;
    case EventKind::kSchedule:
      out.row(tr("step"), count(e.a));
      out.row(tr("waiting"), count(e.b));
      out.row(tr("running"), count(e.c));
      out.row(tr("free blocks"), count(e.d));
      break;
    case EventKind::kKernel:
      out.row(tr("kernel"), kernel_name(e.a));
      out.row(tr("step"), count(e.b));
      out.row(tr("tasks"), count(e.c));
      out.row(tr("tokens"), count(e.d));
      break;
    case EventKind::kTile:
      add_tile(out, snapshot, e);
      break;
    case EventKind::kTask:
      out.row(tr("kernel"), kernel_name(e.a));
      out.row(tr("step"), count(e.b));
      out.row(tr("task"), count(e.c));
      out.row(tr("rows"), count(e.d));
      break;
    case EventKind::kRequestQueued:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("prompt tokens"), count(e.b));
      break;
    case EventKind::kRequestScheduled:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("step"), count(e.b));
      break;
    case EventKind::kTokenSampled:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("position"), count(e.b));
      out.row(tr("token id"), QString::number(e.c));
      out.row(tr("step"), count(e.d));
      break;
    case EventKind::kRequestPreempted:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("step"), count(e.b));
      out.row(e.d == 1 ? tr("computed tokens swapped out") : tr("computed tokens lost"),
              count(e.c));
      break;
    case EventKind::kRequestResumed:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("step"), count(e.b));
      break;
    case EventKind::kRequestForked:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("goes on from"), request_name(snapshot, e.b));
      out.row(tr("step"), count(e.c));
      break;
    case EventKind::kPrefixHit:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("cached tokens"), count(e.b));
      out.row(tr("prompt tokens"), count(e.c));
      out.row(tr("step"), count(e.d));
      break;
    case EventKind::kRequestFinished:
      out.row(tr("request"), request_name(snapshot, e.a));
      out.row(tr("tokens"), count(e.c));
      break;
    case EventKind::kBlockAllocated:
    case EventKind::kBlockFreed:
    case EventKind::kBlockCached:
    case EventKind::kBlockEvicted:
    case EventKind::kBlockShared:
    case EventKind::kBlockReleased:
    case EventKind::kBlockHashed:
    case EventKind::kBlockCopied:
    case EventKind::kBlockLeftWindow:
    case EventKind::kBlockSwappedOut:
    case EventKind::kBlockSwappedIn:
      add_block(out, snapshot, e);
      break;
    case EventKind::kWarning:
      out.row(tr("step"), count(e.b));
      break;
    case EventKind::kPageFetch:
      out.row(tr("kernel"), kernel_name(e.a >> 24));
      out.row(tr("request"), request_name(snapshot, e.a & 0xffffff));
      out.row(tr("pages"), range(e.b, e.c));
      out.row(tr("KV head"), QString::number(e.d));
      break;
    case EventKind::kCallSplit:
      out.row(tr("kernel"), kernel_name(e.a));
      out.row(tr("call"), tr("%1 of %2").arg(e.b + 1).arg(e.c));
      out.row(tr("sequences"), count(e.d));
      break;
    case EventKind::kBiasBuilt:
      out.row(tr("step"), count(e.a));
      out.row(tr("query rows"), count(e.b));
      out.row(tr("keys"), count(e.c));
      out.row(tr("bytes"), count(e.d));
      break;
    case EventKind::kPlanCaptured:
      out.row(tr("batch size"), count(e.a));
      out.row(tr("bytes kept"), count(e.b));
      break;
    case EventKind::kPlanReplayed:
      out.row(tr("batch size"), count(e.a));
      out.row(tr("padding rows"), count(e.b));
      break;
    case EventKind::kPadding:
      out.row(tr("kernel"), kernel_name(e.a));
      out.row(tr("rows"), count(e.b));
      out.row(tr("padding rows"), count(e.c));
      out.row(tr("sequences"), count(e.d));
      break;
    case EventKind::kCount:
      break;
  }
}

enum class State { kQueued, kPrefill, kDecode, kPreempted, kSwapped, kEnded };

// The state that a request enters with an event; nullopt: not an event of a request.
std::optional<State> state_after(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kRequestQueued:
      return State::kQueued;
    case EventKind::kRequestScheduled:
      return State::kPrefill;
    case EventKind::kTokenSampled:
      return State::kDecode;
    case EventKind::kRequestPreempted:
      return event.d == 1 ? State::kSwapped : State::kPreempted;
    case EventKind::kRequestResumed:
    case EventKind::kRequestForked:
      return State::kDecode;
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
}

}  // namespace

std::optional<RequestBar> request_bar(const EngineSnapshot& snapshot,
                                      const std::vector<TraceEvent>& events, size_t index) {
  const TraceEvent& first = events[index];
  const std::optional<State> state = state_after(first);
  if (!state || *state == State::kEnded) return std::nullopt;
  // A request's events come from one lane, in order. One that repeats its state begins nothing.
  for (size_t i = index; i-- > 0;) {
    const std::optional<State> before = state_after(events[i]);
    if (!before || events[i].a != first.a) continue;
    if (*before == *state) return std::nullopt;
    break;
  }
  RequestBar bar{words_of(*state), first.begin_ns, first.begin_ns, true, 0};
  for (size_t i = index; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    const std::optional<State> next = state_after(event);
    if (next && event.a == first.a) {
      if (*next != *state) {
        bar.end_ns = std::max(bar.begin_ns, event.begin_ns);
        bar.open = false;
        return bar;
      }
      if (event.kind == EventKind::kTokenSampled) ++bar.tokens;
    }
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

// What a step's record knows beside its span; only of finished steps.
void add_step_facts(InspectorContent& out, const EngineSnapshot& snapshot, uint32_t number,
                    const QString& unit) {
  const StepRecord* step = step_of(snapshot, number);
  if (!step) return;
  out.row(tr("planning"), format_duration_ns(static_cast<double>(step->plan_ns), 3) + unit);
  out.row(tr("plan"), step->captured_rows > 0
                          ? tr("captured, %1 rows replayed").arg(step->captured_rows)
                          : tr("made anew"));
  if (!snapshot.modelled_tpu || !snapshot.scenario) return;
  out.heading(tr("Modelled, not measured"));
  out.row(tr("TPU %1").arg(text_of(name_of(snapshot.scenario->engine.tpu))),
          format_duration_ns(step->modelled_tpu_ns, 4) + tr(" (modelled)"));
  out.note(
      tr("Attention of all layers of the step in bf16: max(compute, memory) per grid step, from "
         "published figures."));
}

}  // namespace

InspectorContent inspect_span(const EngineSnapshot& snapshot, const std::vector<TraceEvent>& events,
                              size_t index) {
  const TraceEvent& event = events[index];
  InspectorContent out;
  out.title = kind_words(event.kind);
  if (event.kind == EventKind::kKernel || event.kind == EventKind::kTask)
    out.title += QStringLiteral(": ") + kernel_name(event.a);
  const QString modelled = snapshot.modelled_time ? tr(" (modelled)") : QString();
  if (const auto bar = request_bar(snapshot, events, index)) {
    out.title = tr("%1: %2").arg(request_name(snapshot, event.a), bar->state);
    add_bar(out, *bar, modelled);
    out.heading(tr("Began with"));
    out.row(tr("event"), kind_words(event.kind));
    add_fields(out, snapshot, event);
    return out;
  }
  out.row(tr("begin"), format_duration_ns(static_cast<double>(event.begin_ns), 6) + modelled);
  if (event.duration_ns > 0)
    out.row(tr("duration"), format_duration_ns(event.duration_ns, 4) + modelled);
  out.row(tr("lane"),
          event.lane == kEngineLane ? tr("engine") : tr("worker %1").arg(event.lane - 1));
  if (event.layer != kNoLayer)
    out.row(tr("layer"), tr("%1 (0..%2)").arg(event.layer).arg(snapshot.source.num_layers - 1));
  add_fields(out, snapshot, event);
  const bool pallas = event.kind == EventKind::kKernel && snapshot.modelled_tpu &&
                      is_attention(static_cast<KernelId>(event.a));
  if (event.kind == EventKind::kStep) add_step_facts(out, snapshot, event.a, modelled);
  if (pallas) add_step_facts(out, snapshot, event.b, modelled);
  return out;
}

}  // namespace attn::gui
