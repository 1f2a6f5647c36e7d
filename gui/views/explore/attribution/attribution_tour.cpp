// SPDX-License-Identifier: GPL-3.0-or-later
// AttributionView::add_stops(): the stops of "What am I looking at?".
#include <algorithm>
#include <cmath>

#include "gui/views/explore/attribution/attribution_picture.h"
#include "gui/views/explore/attribution/attribution_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

void AttributionView::add_stops(Tour& tour, int64_t) const {
  const Attribution& shares = data_->shares;
  const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto spot = [&](int part, int64_t row, int64_t column) {
    return canvas().box_on_screen({part, row, column});
  };
  tour.stop(canvas(), tr("Who said it"),
            tr("After %1 the logits of %2 and %3, before a soft cap if there is one, differ by "
               "%4. The shares of heads, MLPs, embedding and biases add up to this difference, "
               "except for rounding.")
                .arg(data_->after, data_->text_a, data_->text_b, format_number(shares.difference)));
  if (!shares.heads.empty()) {
    const int64_t most = std::ranges::max_element(shares.heads, less) - shares.heads.begin();
    const int64_t layer = most / shares.num_heads, head = most % shares.num_heads;
    tour.stop(
        canvas(), spot(AttributionPicture::kGrid, layer, head), tr("The head that says most"),
        tr("Head %1 of layer %2 gives %3. A number above 0 speaks for %4, one below 0 for %5.")
            .arg(head)
            .arg(layer)
            .arg(format_number(shares.head(layer, head)), data_->text_a, data_->text_b));
  }
  if (!shares.mlps.empty()) {
    const int64_t most = std::ranges::max_element(shares.mlps, less) - shares.mlps.begin();
    tour.stop(
        canvas(), spot(AttributionPicture::kGrid, most, shares.num_heads),
        tr("The MLP that says most"),
        tr("The last column has the MLPs, which work on each token alone. The one of layer %1 "
           "gives %2.")
            .arg(most)
            .arg(format_number(shares.mlps[static_cast<size_t>(most)])));
  }
  tour.stop(
      canvas(), spot(AttributionPicture::kSteps, 0, 0), tr("The sum, bar by bar"),
      tr("The waterfall begins with the embedding, which gives %1, and adds one part after the "
         "other. The sum of the parts is %2; the model's own difference is %3.")
          .arg(format_number(shares.embed), format_number(shares.sum()),
               format_number(shares.difference)));
  tour.stop(*against_, tr("Another question"),
            tr("Type another token here to ask why the model did not say that one."));
}

}  // namespace attn::gui
