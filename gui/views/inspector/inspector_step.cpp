// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/inspector/inspector_step.h"

#include <algorithm>

#include "gui/models/event_words.h"
#include "gui/models/run/token_times.h"
#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// A range of events with all those of the step. It may also hold events of neighbouring steps,
// because lanes are recorded one after another.
std::pair<size_t, size_t> around(std::span<const TraceEvent> events, size_t index) {
  size_t first = index, last = index + 1;
  for (int steps = 0; first > 0 && steps < 2; --first)
    if (events[first - 1].kind == EventKind::kStep) ++steps;
  while (last < events.size() && events[last].lane == kEngineLane) ++last;
  while (last < events.size() && events[last].lane != kEngineLane) ++last;
  return {first, last};
}

// Bytes that a number takes in the cache; 0: the cache has no room for numbers.
double bytes_of_number(const EngineSnapshot& snapshot) {
  const int64_t numbers = numbers_in_cache(snapshot);
  return numbers > 0 ? static_cast<double>(snapshot.cache_bytes) / static_cast<double>(numbers) : 0;
}

// Compares the time per token with that of the other kind, prefill or decode.
void add_comparison(InspectorContent& out, const EngineSnapshot& snapshot, const TraceEvent& step,
                    const QString& unit) {
  const int64_t prefill = step.b, decode = step.c;
  if (!snapshot.steps || (prefill > 0) == (decode > 0)) return;
  const TokenTimes times = token_times(*snapshot.steps);
  const double other = decode > 0 ? times.prefill_ns : times.decode_ns;
  const int64_t steps = decode > 0 ? times.prefill_steps : times.decode_steps;
  if (other <= 0) return;
  const double own =
      static_cast<double>(step.duration_ns) / static_cast<double>(std::max(prefill, decode));
  out.row(decode > 0 ? tr("a prefill token") : tr("a decode token"),
          format_duration_ns(other, 4) + unit);
  out.row(tr("ratio"), tr("%1 ×").arg(format_number(own / other, 2)));
  out.note(
      (decode > 0 ? tr("A prefill token: the time of %1, divided by their tokens.")
                  : tr("A decode token: the time of %1, divided by their tokens."))
          .arg(counted(steps, tr("1 step"), tr("%1 steps"))) +
      QLatin1Char(' ') +
      tr("Part of a step's time hardly grows with its tokens. In a prefill many tokens can share "
         "it; in a decode each sequence has one token."));
}

void add_keys(InspectorContent& out, const EngineSnapshot& snapshot, const StepCost& cost,
              double tokens) {
  if (cost.keys_read == 0) return;
  const double keys = static_cast<double>(cost.keys_read) / tokens;
  const double bytes =
      2 * static_cast<double>(snapshot.source.head_size) * bytes_of_number(snapshot) * keys;
  out.row(tr("keys per token"), format_number(keys, 4));
  if (bytes > 0) out.row(tr("their bytes"), format_bytes(bytes));
  const bool reads_rows =
      std::ranges::count(cost.kernels, KernelId::kReference, &StepCost::Kernel::id) > 0;
  out.note(
      reads_rows
          ? tr("Counted: all keys of the sequence, also masked ones, for each row of each query "
               "head, in all layers; the bytes are those of the keys and their values. REFERENCE "
               "computes one row of one head after the other, so it reads a key again for each row "
               "and each query head.")
          : tr("Counted: the keys that the attention tiles read, in all layers and KV heads; the "
               "bytes are those of the keys and their values. A tile reads a key once for all its "
               "queries. A prefill tile usually has queries of more tokens than a decode tile, so "
               "a decode usually reads more keys for a token."));
}

}  // namespace

StepCost step_cost(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                   size_t index) {
  const TraceEvent& step = events[index];
  const uint64_t end_ns = step.begin_ns + step.duration_ns;
  const int64_t group = std::max<int64_t>(
      1, snapshot.source.num_heads / std::max<int64_t>(1, snapshot.source.num_kv_heads));
  StepCost cost;
  const auto [first, last] = around(events, index);
  for (size_t i = first; i < last; ++i) {
    const TraceEvent& event = events[i];
    if (event.begin_ns < step.begin_ns || event.begin_ns + event.duration_ns > end_ns) continue;
    if (event.kind == EventKind::kKernel && event.b == step.a) {
      const auto id = static_cast<KernelId>(event.a);
      auto kernel = std::ranges::find(cost.kernels, id, &StepCost::Kernel::id);
      if (kernel == cost.kernels.end()) kernel = cost.kernels.insert(kernel, {id});
      kernel->ns += event.duration_ns;
    } else if (event.kind == EventKind::kTile) {
      const TileEvent tile = unpack_tile(event);
      if (kernel_facts(tile.kernel).tiles_again) continue;
      const int64_t kv_heads =
          (int64_t{tile.head} + tile.heads - 1) / group - int64_t{tile.head} / group + 1;
      cost.keys_read += tile.k_count * kv_heads;
    }
  }
  std::ranges::stable_sort(cost.kernels, std::ranges::greater(), &StepCost::Kernel::ns);
  return cost;
}

void add_time_per_token(InspectorContent& out, uint64_t ns, int64_t tokens, const QString& unit) {
  if (tokens > 0 && ns > 0)
    out.row(tr("time per token"),
            format_duration_ns(static_cast<double>(ns) / static_cast<double>(tokens), 4) + unit);
}

void add_step_cost(InspectorContent& out, const EngineSnapshot& snapshot,
                   std::span<const TraceEvent> events, size_t index, const QString& unit) {
  const TraceEvent& step = events[index];
  const int64_t tokens = int64_t{step.b} + step.c;
  if (tokens <= 0 || step.duration_ns == 0) return;
  const StepCost cost = step_cost(snapshot, events, index);
  const auto count = static_cast<double>(tokens);
  out.heading(tr("What a token costs"));
  add_time_per_token(out, step.duration_ns, tokens, unit);
  add_comparison(out, snapshot, step, unit);
  add_keys(out, snapshot, cost, count);
  if (cost.kernels.empty()) return;
  out.heading(tr("Where the time goes"));
  for (const StepCost::Kernel& kernel : cost.kernels) {
    const auto ns = static_cast<double>(kernel.ns);
    QString text = tr("%1, %2 %")
                       .arg(format_duration_ns(ns, 3) + unit,
                            format_number(100 * ns / static_cast<double>(step.duration_ns), 2));
    if (tokens > 1) text += tr(", per token %1").arg(format_duration_ns(ns / count, 3));
    out.row(kernel_words(static_cast<uint32_t>(kernel.id)), text);
  }
}

}  // namespace attn::gui
