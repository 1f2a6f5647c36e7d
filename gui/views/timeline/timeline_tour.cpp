// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineView::tour(): the stops of "What am I looking at?".
#include "gui/models/words/request_words.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour TimelineView::tour() const {
  Tour tour(*this);
  const TimelineModel& model = canvas_->model();
  if (model.empty() || !model.snapshot()) {
    tour.nothing(
        tr("Nothing has been computed yet, so there is no time to show. Press Space to "
           "run the scenario."));
    return tour;
  }
  const EngineSnapshot& snapshot = *model.snapshot();
  const TimelineLayout& layout = canvas_->layout_now();
  const auto time = [](uint64_t ns) { return format_duration_ns(static_cast<double>(ns)); };
  tour.stop(
      *canvas_, layout.lanes, tr("Who did what, and when"),
      tr("Time goes from left to right, from 0 to %1. Each of the %2 lanes belongs to a "
         "request, to the engine or to a worker. The bars of a request are its states, such as "
         "queued or decode; the other bars are work that was done. %3")
          .arg(time(model.end_ns()), format_count(static_cast<int64_t>(model.lanes().size())),
               model.modelled_time() ? tr("The times come from a cost model, not from a clock.")
                                     : tr("The times were measured.")));
  const auto lane_rect = [&](size_t lane) {
    return QRectF(0, layout.lane_top(static_cast<int>(lane)), canvas_->width(),
                  layout.lane_height) &
           QRectF(0, layout.lanes.top(), canvas_->width(), layout.lanes.height());
  };
  bool request_told = false, worker_told = false;
  for (size_t i = 0; i < model.lanes().size(); ++i) {
    const TimelineLane& lane = *model.lanes()[i];
    if (lane_rect(i).height() < layout.lane_height / 2) continue;
    if (const RequestView* request = lane.kind == LaneKind::kRequest && !request_told
                                         ? request_by_id(snapshot, lane.id)
                                         : nullptr) {
      request_told = true;
      const QString waited = request->metrics.ttft_ns
                                 ? tr("The first token came %1 after the request arrived.")
                                       .arg(time(*request->metrics.ttft_ns))
                                 : tr("It has no token yet.");
      tour.stop(*canvas_, lane_rect(i), tr("A request"),
                tr("“%1” arrived at %2. %3 The bars show whether it waited, read its prompt or "
                   "generated; it has %4 tokens now.")
                    .arg(request_name(snapshot, lane.id), time(request->times.queued_ns), waited,
                         format_count(
                             request->tokens ? static_cast<int64_t>(request->tokens->size()) : 0)));
    } else if (lane.kind == LaneKind::kSteps && snapshot.steps && !snapshot.steps->empty()) {
      const StepRecord& step = snapshot.steps->back();
      tour.stop(*canvas_, lane_rect(i), tr("The steps"),
                tr("A step computes one batch. Step %1 took %2 and computed %3 prefill tokens and "
                   "%4 decode tokens, for %5.")
                    .arg(format_count(step.step), time(step.end_ns - step.begin_ns),
                         format_count(step.prefill_tokens), format_count(step.decode_tokens),
                         counted(step.sequences, tr("1 sequence"), tr("%1 sequences"))));
    } else if (lane.kind == LaneKind::kWorker && !worker_told) {
      worker_told = true;
      const LodStatistics all = model.statistics(static_cast<int>(i), 0, model.end_ns());
      tour.stop(*canvas_, lane_rect(i), tr("A worker"),
                tr("Workers are threads that compute the kernels. %1 did %2 tiles, tasks and page "
                   "fetches, which took %3 together.")
                    .arg(lane_name(lane), format_count(static_cast<int64_t>(all.count)),
                         time(all.total_ns)));
    }
  }
  if (!layout.cache_strip.isEmpty() && snapshot.steps && !snapshot.steps->empty()) {
    const StepRecord& step = snapshot.steps->back();
    tour.stop(*canvas_, layout.cache_strip, tr("The cache over time"),
              tr("The height is the number of blocks in use. After step %1 there were %2 of %3.")
                  .arg(format_count(step.step), format_count(step.used_blocks),
                       format_count(usable_blocks(snapshot))));
  }
  tour.stop(*canvas_, layout.ruler, tr("Go back in time"),
            tr("A click on the ruler takes the views to the step of that moment. Now they show "
               "step %1. Ctrl+wheel zooms in at the pointer, down to a single tile.")
                .arg(format_count(snapshot.step)));
  return tour;
}

}  // namespace attn::gui
