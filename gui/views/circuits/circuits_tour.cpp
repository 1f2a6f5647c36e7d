// SPDX-License-Identifier: GPL-3.0-or-later
// CircuitsView::tour(): the stops of "What am I looking at?".
#include <algorithm>

#include "gui/views/circuits/circuits_view.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {

Tour CircuitsView::tour() const {
  Tour tour(*this);
  const CircuitsScene& scene = canvas_->scene();
  if (scene.is_empty()) {
    tour.nothing(!scene.refusal.isEmpty()
                     ? tr("%1 Open a scenario with a trained model, such as “First look”.")
                           .arg(scene.refusal)
                     : tr("The circuits are being computed. The tour begins when they are there."));
    return tour;
  }
  const CircuitsParts& parts = canvas_->parts();
  const CircuitPart &ov = scene.ov->part, &qk = scene.qk->part;
  tour.stop(
      *canvas_, tr("What a head does with any text"),
      tr("This picture shows head %1 in layer %2 of %3, computed from weights of the model alone. "
         "OV says what the head writes for what it reads, QK which tokens look at which.")
          .arg(scene.head)
          .arg(scene.layer)
          .arg(scene.model_name));
  if (ov.refusal.isEmpty())
    tour.stop(*canvas_, parts.ov.plane, tr("Does it copy?"),
              tr("The points are the %1 eigenvalues of OV. To the right of the middle a head "
                 "makes likelier what it reads, to the left less likely. The score of OV is %2; "
                 "a score lies between -1 and 1.")
                  .arg(format_count(static_cast<int64_t>(ov.circuit.eigenvalues.size())),
                       format_number(ov.circuit.score, 3)));
  if (!ov.pairs.empty())
    tour.stop(*canvas_, parts.ov.pairs, tr("What it writes"),
              tr("The strongest pair of OV: when the head reads %1, it makes %2 likelier. The "
                 "number %3 is what it adds to the logit, if no norm scales the stream.")
                  .arg(quoted_token(ov.pairs.front().from), quoted_token(ov.pairs.front().to),
                       format_number(ov.pairs.front().value)));
  if (!qk.pairs.empty())
    tour.stop(
        *canvas_, parts.qk.pairs, tr("What it looks for"),
        tr("The strongest pair of QK: a query of %1 looks most for a key of %2.%3")
            .arg(quoted_token(qk.pairs.front().to), quoted_token(qk.pairs.front().from),
                 scene.distance ? tr(" The query stands %1 after the key.")
                                      .arg(counted(*scene.distance, tr("1 token"), tr("%1 tokens")))
                                : QString()));
  if (!scene.earlier().empty()) {
    const auto most = std::ranges::max_element(scene.earlier(), {}, &EarlierHead::value);
    const auto index = most - scene.earlier().begin();
    tour.stop(*canvas_, parts.cell(2, index), tr("Which heads it reads"),
              tr("The grids have the %1 heads of earlier layers. Through its values this head "
                 "reads most from head %2 in layer %3: %4 more than by chance.")
                  .arg(format_count(static_cast<int64_t>(scene.earlier().size())))
                  .arg(most->name.head)
                  .arg(most->name.layer)
                  .arg(format_number(most->value, 3)));
  }
  if (ov.refusal.isEmpty())
    tour.stop(*canvas_, parts.facts, tr("Checked"),
              tr("The eigenvalues are checked by an identity: those of OV add up to %1, and the "
                 "trace of the matrix is %2.")
                  .arg(format_number(ov.circuit.sum()), format_number(ov.circuit.trace)));
  return tour;
}

}  // namespace attn::gui
