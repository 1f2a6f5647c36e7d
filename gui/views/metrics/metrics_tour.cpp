// SPDX-License-Identifier: GPL-3.0-or-later
// MetricsView::tour(): the stops of "What am I looking at?".
#include "gui/views/metrics/metrics_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

void MetricsView::add_machine_stops(Tour& tour) const {
  const RooflineScene& scene = machine_->canvas().scene();
  const RooflineParts& parts = machine_->canvas().parts();
  RooflineCanvas& canvas = machine_->canvas();
  if (!scene.limits) {
    tour.stop(*measure_, tr("What this machine can do"),
              tr("The limits of this machine are not measured yet. Press Measure; a run waits "
                 "meanwhile."));
    return;
  }
  tour.stop(
      canvas, parts.plot, tr("A roof over the kernels"),
      tr("The flat part of this line is how many operations (multiplies and adds) the machine does "
         "at most, %1. The slope is how fast it reads memory, %2. Both parts meet at %3 operations "
         "per byte, the ridge.")
          .arg(rate_words(scene.arithmetic_roof()),
               bandwidth_words(scene.limits->memory().read_gbps), format_number(scene.ridge(), 3)));
  for (size_t i = 0; i < scene.kernels.size(); ++i) {
    const KernelSum& kernel = scene.kernels[i];
    const bool left = kernel.sum.intensity() < scene.ridge();
    tour.stop(canvas, parts.table_row(i), kernel_name(kernel.kernel),
              (left ? tr("This kernel has %1 operations per byte, left of the ridge: its roof is "
                         "the slope of memory. %2")
                    : tr("This kernel has %1 operations per byte, right of the ridge: its roof is "
                         "the flat one of arithmetic. %2"))
                  .arg(format_number(kernel.sum.intensity(), 3), share_words(scene, kernel.sum))
                  .trimmed());
  }
  tour.stop(canvas, parts.notes, tr("What is counted"), counted_words());
}

Tour MetricsView::tour() const {
  Tour tour(*this);
  if (shown_page() == Page::kMachine) {
    add_machine_stops(tour);
    return tour;
  }
  const MetricsModel& model = canvas_->model();
  if (model.empty()) {
    tour.nothing(
        tr("No step has been computed yet. Press Space to run the scenario; the charts grow "
           "with every step."));
    return tour;
  }
  const MetricsGrid places = canvas_->grid();
  const size_t index = canvas_->shown_index();
  const QString step = format_count(model.record(index).step);
  const auto text = [&](StepValue value) { return value_text(value, model.value(value, index)); };
  tour.stop(*scroll_, tr("The run in numbers"),
            tr("Two charts show times of requests, the others quantities over the %1 steps of the "
               "run. The numbers of the others are those of step %2; point at such a chart, and "
               "they follow the pointer. %3")
                .arg(format_count(static_cast<int64_t>(model.size())), step, time_words(model))
                .trimmed());
  tour.stop(*canvas_, places.cell(ChartKind::kPrefillRate), tr("Reading prompts"),
            tr("How many tokens are computed in prefill per second: those of prompts, and of "
               "sequences that are computed again. In step %1 there were %2: %3 tokens/s.")
                .arg(step, format_count(model.record(index).prefill_tokens),
                     text(StepValue::kPrefillRate)));
  tour.stop(*canvas_, places.cell(ChartKind::kDecodeRate), tr("Generating"),
            tr("Decode tokens, one per sequence and step: %1 in step %2, so %3 tokens/s.")
                .arg(format_count(model.record(index).decode_tokens), step,
                     text(StepValue::kDecodeRate)));
  tour.stop(*canvas_, places.cell(ChartKind::kRequests), tr("Who runs and who waits"),
            tr("After step %1, %2 requests were running and %3 waiting. Requests can wait because "
               "the batch or the cache is full.")
                .arg(step, text(StepValue::kRunning), text(StepValue::kWaiting)));
  tour.stop(*canvas_, places.cell(ChartKind::kBlocks), tr("The cache"),
            tr("%1 of %2 blocks were in use after step %3. When too few are free, requests wait or "
               "lose their blocks.")
                .arg(text(StepValue::kUsed), format_count(usable_blocks(*model.snapshot())), step));
  tour.stop(*canvas_, places.cell(ChartKind::kTtft), tr("How long users wait"),
            model.ttft().entries.empty()
                ? tr("The time from a request's arrival to its first token. None has one yet.")
                : tr("The time from a request's arrival to its first token. %1 of %2 requests have "
                     "it; their median is %3.")
                      .arg(format_count(static_cast<int64_t>(model.ttft().entries.size())),
                           format_count(static_cast<int64_t>(model.ttft().requests)),
                           format_duration_ns(model.ttft().percentile(0.5))));
  tour.stop(*axis_, tr("Steps or time"),
            tr("The charts over the run can be drawn over steps or over time. A click in such a "
               "chart takes the views to the step at the pointer."));
  return tour;
}

}  // namespace attn::gui
