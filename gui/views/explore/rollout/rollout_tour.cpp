// SPDX-License-Identifier: GPL-3.0-or-later
// RolloutView::add_stops(): the stops of "What am I looking at?".
#include <algorithm>

#include "gui/views/explore/rollout/rollout_picture.h"
#include "gui/views/explore/rollout/rollout_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

void RolloutView::add_stops(Tour& tour, int64_t rows_shown) const {
  const Rollout& rollout = data_->rollout;
  const int64_t rows = std::min(rows_shown, rollout.rows), last = rows - 1;
  if (rows < 1 || rollout.layers.empty()) return;
  const int64_t layer = std::clamp<int64_t>(selection().shown_layer(), 0,
                                            static_cast<int64_t>(rollout.layers.size()) - 1);
  const auto share = [&](int64_t key) {
    return rollout
        .layers[static_cast<size_t>(layer)][static_cast<size_t>(last * rollout.rows + key)];
  };
  const auto percent = [](double part) { return format_number(100 * part, 3); };
  // The last row may be below the panel's edge.
  const auto map = [&](int64_t key) {
    const QRectF cell = canvas().box_on_screen({RolloutPicture::kMap, last, key});
    return cell.isEmpty() ? QRectF(canvas().rect()) : cell;
  };
  tour.stop(
      canvas(), tr("Attention through all layers"),
      tr("Here the mean weights of the heads in the layers 0 to %1 are multiplied, each "
         "mixed half and half with the token itself. A cell says how much the position of its "
         "row, one of %2, gets from the position of its column.")
          .arg(layer)
          .arg(format_count(rows)));
  if (!data_->without_first)
    tour.stop(canvas(), map(0), tr("The first token collects"),
              tr("Position %1 %2 gets %3% from position 0. In a causal model position 0 reads only "
                 "itself, so what has come to it stays there.")
                  .arg(last)
                  .arg(data_->tokens[static_cast<size_t>(last)], percent(share(0))));
  if (last > 0)
    tour.stop(canvas(), map(last), tr("And the token itself"),
              tr("%1% of position %2 comes from itself: each layer keeps at least half of what was "
                 "there.")
                  .arg(percent(share(last)))
                  .arg(last));
  tour.stop(canvas(), canvas().box_on_screen({RolloutPicture::kLayers, layer, 0}),
            tr("Layer after layer"),
            tr("The small pictures are the products up to each of the %1 layers. Click one to see "
               "it in large; now it is layer %2.")
                .arg(rollout.layers.size())
                .arg(layer));
  tour.stop(*without_, tr("Without the first token"),
            tr("This switch leaves out what is read of the first token."));
}

}  // namespace attn::gui
