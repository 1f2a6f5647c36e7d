// SPDX-License-Identifier: GPL-3.0-or-later
// KnockOutView::add_stops(): the stops of "What am I looking at?".
#include "gui/models/explore/inside.h"
#include "gui/views/explore/knock_out/knock_out_picture.h"
#include "gui/views/explore/knock_out/knock_out_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

void KnockOutView::add_stops(Tour& tour, int64_t rows) const {
  const EngineSnapshot* snapshot = shown().get();
  if (!snapshot) return;
  const int64_t layers = snapshot->source.num_layers, heads = snapshot->source.num_heads;
  const int64_t layer = selection().shown_layer(), head = selection().shown_head();
  const auto changes = static_cast<int64_t>(list().list().size());
  const auto spot = [&](int part, int64_t row, int64_t column) {
    return canvas().box_on_screen({part, row, column});
  };
  const auto percent = [](double part) { return format_number(100 * part, 3); };
  tour.stop(canvas(), tr("How the answer changes without a head"),
            tr("Switch a head off, and the request is computed again with another output in place "
               "of the head's. There are %1 switches: %2 layers with %3 heads.")
                .arg(format_count(layers * heads))
                .arg(layers)
                .arg(heads));
  tour.stop(canvas(), spot(KnockOutPicture::kHeads, layer, head), tr("A switch"),
            tr("This is head %1 of layer %2. A click switches the head off, or on again. Now %3.")
                .arg(head)
                .arg(layer)
                .arg(counted(changes, tr("1 thing is changed"), tr("%1 things are changed"))));
  const bool in_place = inside_now() && is_encoder(*inside_now());
  tour.stop(
      canvas(), spot(KnockOutPicture::kText, rows - 1, 0), tr("The text"),
      (in_place
           ? tr("These are the tokens of the request; %1 of them are computed. After a change "
                "the colours say how much the distribution in their places changes; click a "
                "token to see its bars.")
           : tr("These are the tokens of the request; %1 of them are computed. After a change "
                "the colours say how much the distribution after them changes; click a token to "
                "see its bars."))
          .arg(format_count(rows)));
  if (bars_ && !bars_->bars.empty()) {
    const KnockOutBar& bar = bars_->bars.front();
    tour.stop(
        canvas(), spot(KnockOutPicture::kBars, 0, 0), tr("Before and after"),
        (in_place ? tr("In the place of token %1 the likeliest token was %2 with %3%. With the "
                       "change it has %4%.")
                  : tr("For token %1 the likeliest was %2 with %3%. With the change it has %4%."))
            .arg(in_place ? bars_->row : bars_->row + 1)
            .arg(bar.text, percent(bar.before), percent(bar.after)));
  }
  tour.stop(*with_, tr("In place of a head"),
            tr("What stands in place of the output of a head: zero, its mean over the prompt, or "
               "what it is in another request. Now it is: %1.")
                .arg(with_->currentText()));
  tour.stop(*join_, tr("Into the run"),
            tr("This button adds the changed request to the run, so that the other views can show "
               "it, too."));
}

}  // namespace attn::gui
