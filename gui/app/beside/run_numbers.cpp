// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/app/beside/run_numbers.h"

#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

QString count_text(double value) {
  return format_count(static_cast<int64_t>(std::llround(value)));
}

QString rate_text(double value) {
  return tr("%1/s").arg(QString::number(value, 'f', value < 100 ? 1 : 0));
}

QString percent_text(double value) {
  return tr("%1 %").arg(format_number(value, 3));
}

struct StepSums {
  int64_t steps = 0, prefill = 0, decode = 0, most_blocks = 0, preemptions = 0, copied = 0,
          swapped = 0, evicted = 0, hits = 0, used_blocks = 0, wasted_slots = 0;
  uint64_t begin_ns = 0, end_ns = 0, idle_ns = 0, attention_ns = 0, schedule_ns = 0;
};

StepSums sums_of(const EngineSnapshot& snapshot) {
  StepSums sums;
  if (!snapshot.steps) return sums;
  for (const StepRecord& step : *snapshot.steps) {
    if (step.step > snapshot.step) break;
    if (sums.steps++ == 0) sums.begin_ns = step.begin_ns;
    sums.end_ns = std::max(sums.end_ns, step.end_ns);
    sums.prefill += step.prefill_tokens;
    sums.decode += step.decode_tokens;
    sums.most_blocks = std::max(sums.most_blocks, step.used_blocks);
    sums.used_blocks += step.used_blocks;
    sums.wasted_slots += step.wasted_slots;
    sums.preemptions += step.preemptions;
    sums.copied += step.copied_blocks;
    sums.swapped += step.swapped_out_blocks;
    sums.evicted += step.evicted_blocks;
    sums.hits += step.hit_tokens;
    sums.attention_ns += step.attention_ns;
    sums.schedule_ns += step.schedule_ns;
  }
  sums.idle_ns = idle_ns(std::span(*snapshot.steps).first(static_cast<size_t>(sums.steps)));
  return sums;
}

template <class Get>
std::optional<double> mean_of(const EngineSnapshot& snapshot, Get&& get) {
  double sum = 0;
  int64_t count = 0;
  for (const RequestView& request : snapshot.requests)
    if (const auto value = get(request.metrics)) sum += static_cast<double>(*value), ++count;
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

}  // namespace

std::vector<RunNumber> run_numbers(const EngineSnapshot& snapshot) {
  const StepSums sums = sums_of(snapshot);
  const QString clock = snapshot.modelled_time ? tr(" The time is modelled.") : QString();
  std::vector<RunNumber> numbers;
  const auto add = [&](const QString& name, const QString& meaning, std::optional<double> value,
                       std::function<QString(double)> text = count_text,
                       std::optional<bool> is_modelled = std::nullopt) {
    numbers.push_back({name, meaning, value, std::move(text), is_modelled});
  };
  const auto whole = [](int64_t value) { return std::optional(static_cast<double>(value)); };
  const auto time = [&](const QString& name, const QString& meaning, std::optional<double> ns) {
    add(
        name, meaning + clock, ns, [](double value) { return format_duration_ns(value); },
        snapshot.modelled_time);
  };
  const double run_ns = static_cast<double>(sums.end_ns - sums.begin_ns);
  const auto ended = std::ranges::count_if(
      snapshot.requests, [](const RequestView& request) { return is_finished(request.state); });
  add(tr("Steps"), tr("Engine steps that have ended."), whole(sums.steps));
  add(tr("Requests"),
      tr("Requests of the run. Each sample and each beam counts as one, also a dropped beam."),
      whole(static_cast<int64_t>(snapshot.requests.size())));
  add(tr("Requests that ended"), tr("Requests that have finished, were refused or were stopped."),
      whole(ended));
  add(tr("Prefill tokens computed"),
      tr("Tokens that prefills computed, also those computed again after a preemption."),
      whole(sums.prefill));
  add(tr("Decode tokens computed"), tr("Tokens that decodes computed, one per sequence and step."),
      whole(sums.decode));
  add(tr("Generated tokens"), tr("Tokens that were sampled."), whole(snapshot.generated_tokens));
  time(tr("Time"),
       tr("Time from the beginning of the first step to the end of the last step that is shown."),
       sums.steps > 0 ? std::optional(run_ns) : std::nullopt);
  time(tr("Time in attention"), tr("Time of the attention calls, added up over the steps."),
       whole(static_cast<int64_t>(sums.attention_ns)));
  time(tr("Time in the scheduler"), tr("Time in the scheduler, added up over the steps."),
       whole(static_cast<int64_t>(sums.schedule_ns)));
  const double busy_ns = run_ns - static_cast<double>(sums.idle_ns);
  add(tr("Generated per second"),
      tr("Generated tokens divided by the time of the run in which there was a request.") + clock,
      busy_ns > 0 ? std::optional(static_cast<double>(snapshot.generated_tokens) * 1e9 / busy_ns)
                  : std::nullopt,
      rate_text, snapshot.modelled_time);
  time(tr("Mean time to first token"),
       tr("Time from the arrival of a request to its first token (TTFT), as the mean over the "
          "requests that have one."),
       mean_of(snapshot, [](const RequestMetrics& metrics) { return metrics.ttft_ns; }));
  time(tr("Mean time per output token"),
       tr("Mean time from one generated token to the next (TPOT), as the mean over the requests "
          "with two tokens or more."),
       mean_of(snapshot, [](const RequestMetrics& metrics) { return metrics.tpot_ns; }));
  add(tr("Block size"), tr("Tokens for which a block of the KV cache has slots."),
      whole(snapshot.block_size));
  const double all_slots = static_cast<double>(sums.used_blocks * snapshot.block_size);
  add(tr("Waste"),
      tr("Empty slots as a share of all slots of the blocks in use, both added up over the steps."),
      all_slots > 0 ? std::optional(100 * static_cast<double>(sums.wasted_slots) / all_slots)
                    : std::nullopt,
      percent_text);
  add(tr("Most blocks used"), tr("The most blocks of the KV cache that were in use after a step."),
      whole(sums.most_blocks));
  add(tr("Tokens found in the cache"),
      tr("Tokens that admitted requests found in the prefix cache."), whole(sums.hits));
  add(tr("Preemptions"), tr("How often a running request had to give up its blocks."),
      whole(sums.preemptions));
  add(tr("Blocks copied"),
      tr("Blocks that were copied before a sequence wrote into a block that it shares with "
         "others."),
      whole(sums.copied));
  add(tr("Blocks swapped out"), tr("Blocks moved to the swap pool."), whole(sums.swapped));
  add(tr("Blocks evicted"), tr("Cached blocks that were taken for other tokens."),
      whole(sums.evicted));
  add(tr("KV cache"), tr("Memory of the KV cache, without the swap pool."),
      whole(snapshot.cache_bytes), [](double value) { return format_bytes(value); });
  return numbers;
}

QString difference_text(const RunNumber& number, const RunNumber& other) {
  if (!number.value || !other.value || number.is_modelled != other.is_modelled)
    return QStringLiteral("–");
  const double by = *number.value - *other.value;
  if (by == 0) return tr("same");
  QString text = (by > 0 ? QStringLiteral("+") : QStringLiteral("−")) + number.text(std::abs(by));
  if (*number.value > 0 && *other.value > 0)
    text += tr(" (×%1)").arg(QString::number(*number.value / *other.value, 'f', 2));
  return text;
}

}  // namespace attn::gui
