// SPDX-License-Identifier: GPL-3.0-or-later
// PointsView::tour(): the stops of "What am I looking at?".
#include <algorithm>

#include "gui/views/points/points_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour PointsView::tour() const {
  Tour tour(*this);
  const PointsScene& scene = canvas_->scene();
  if (scene.is_empty()) {
    tour.nothing(planes_.is_behind()
                     ? tr("The plane of this head is being computed.")
                     : tr("No row of this head has been computed at this step. Press Space to run, "
                          "or move the slider in the status line to a later step."));
    return tour;
  }
  const PointsParts& parts = canvas_->parts();
  const auto token = [&](const PointPlace& place) {
    const TokenView* view = scene.token(place);
    return view ? QStringLiteral("%1 %2").arg(place.position).arg(quoted_token(view->text))
                : QString::number(place.position);
  };
  const auto around = [&](const PointPlace& place) {
    const double side = Theme::instance().px(14);
    const QPointF middle = canvas_->position_of(place);
    return QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side) & parts.plot;
  };
  const QueryKeyPlane& plane = scene.data->plane;
  tour.stop(
      *canvas_, parts.plot, tr("Queries and keys as points"),
      tr("Filled points are %4 queries of head %1 in layer %2, hollow ones are %5 keys, vectors of "
         "%3 numbers. They are seen in the plane in which they differ most; it has %6% of their "
         "variance.")
          .arg(scene.head)
          .arg(scene.layer)
          .arg(format_count(plane.size), format_count(scene.data->points.rows()),
               format_count(scene.num_keys()),
               format_number(100 * (plane.share(0) + (plane.size > 1 ? plane.share(1) : 0)), 3)));
  if (scene.row && scene.row->query >= 0 && !scene.row->weights.empty()) {
    const PointPlace query{false, scene.row->query};
    tour.stop(*canvas_, around(query), tr("One query"),
              tr("This is the query of token %1. Lines go from it to the keys that it reads with a "
                 "weight of 0.005 or more; a click on another query shows that one.")
                  .arg(token(query)));
    const auto most = std::ranges::max_element(scene.row->weights);
    const PointPlace key{true, most - scene.row->weights.begin()};
    tour.stop(*canvas_, around(key), tr("The key that it reads most"),
              tr("The key of token %1 has the weight %2. The product q·k is large for long keys in "
                 "the direction of the query, not for near ones.")
                  .arg(token(key), format_number(static_cast<double>(*most), 3)));
  }
  tour.stop(
      *canvas_, parts.facts, tr("How much of it is true"),
      tr("A plane can leave something out. All %1 axes together give the points back to within %2.")
          .arg(format_count(plane.size), format_number(scene.data->error, 2)));
  tour.stop(
      *slider_, tr("Move all keys"),
      !scene.refusal.isEmpty() ? scene.refusal
      : scene.row
          ? tr("The slider moves all keys together towards the queries. The weights change only "
               "by rounding, now those of the shown query by at most %1.")
                .arg(format_number(scene.row->check.weight_change, 2))
          : tr("The slider moves all keys together towards the queries. The weights change only "
               "by rounding."));
  return tour;
}

}  // namespace attn::gui
