// SPDX-License-Identifier: GPL-3.0-or-later
// RotaryView::tour(): the stops of "What am I looking at?".
#include <algorithm>
#include <cmath>

#include "gui/views/rotary/rotary_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour RotaryView::tour() const {
  Tour tour(*this);
  const RotaryScene& scene = canvas_->scene();
  if (scene.is_empty()) {
    tour.nothing(!scene.refusal.isEmpty()
                     ? tr("This view needs rotary positions. %1 Choose a layer or a scenario that "
                          "has them, such as “First look”.")
                           .arg(scene.refusal)
                     : tr("No row of this head has been computed at this step. Press Space to run, "
                          "or move the slider in the status line to a later step."));
    return tour;
  }
  const RotaryCell& cell = *scene.cell;
  const RotaryScore& score = cell.score;
  const RotaryParts& parts = canvas_->parts();
  const auto token = [&](int64_t position) {
    const TokenView* view = scene.token(position);
    return view ? QStringLiteral("%1 %2").arg(position).arg(quoted_token(view->text))
                : QString::number(position);
  };
  QString sum =
      tr("In head %1 of layer %2 token %3 reads token %4 with the score %5, before a soft cap. "
         "The score has %6 parts, one for each pair of numbers that the position turns.")
          .arg(scene.head)
          .arg(scene.layer)
          .arg(token(cell.query), token(cell.key), format_number(cell.run_score),
               format_count(static_cast<int64_t>(score.pairs.size())));
  if (score.rest != 0)
    sum += QLatin1Char(' ') +
           tr("The numbers that it does not turn add %1.").arg(format_number(score.rest));
  tour.stop(*canvas_, tr("One score, taken apart"), sum);
  if (!score.pairs.empty()) {
    const auto less = [](const RotaryScore::Pair& a, const RotaryScore::Pair& b) {
      return std::abs(a.part) < std::abs(b.part);
    };
    const auto most = std::ranges::max_element(score.pairs, less);
    const auto pair = most - score.pairs.begin();
    const QRectF column(parts.bars.left() + static_cast<double>(pair) * parts.column,
                        parts.bars.top(), parts.column, parts.bars.height());
    tour.stop(*canvas_, column, tr("The largest part"),
              tr("Pair %1 adds %2 to the score. It turns by %3 radians from one token to the next; "
                 "fast pairs stand at the left, slow ones at the right.")
                  .arg(pair)
                  .arg(format_number(most->part), format_number(most->frequency)));
    tour.stop(*canvas_, parts.dials, tr("The dials"),
              tr("Each dial shows the angle between query and key in its pair. Where both point "
                 "the same way, the part is above 0; where they are opposite, it is below 0."));
  }
  tour.stop(*canvas_, parts.curve, tr("At other distances"),
            tr("The two tokens stand %1 apart. The curve is the score that the same two would have "
               "at other distances: at distance 0 it would be %2.")
                .arg(counted(static_cast<int64_t>(score.distance), tr("1 token"), tr("%1 tokens")),
                     format_number(score.at_distance(0))));
  tour.stop(*canvas_, parts.facts, tr("The sum is exact"),
            tr("The sum is %1: the score of the run, before a soft cap, to within %2.")
                .arg(format_number(score.score()), format_number(cell.residue(), 2)));
  return tour;
}

}  // namespace attn::gui
