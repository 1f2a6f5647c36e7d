// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGridView::tour(): the stops of "What am I looking at?".
#include <cmath>

#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

int64_t best_head(const HeadGridScene& scene, HeadScore score) {
  int64_t best = -1;
  double most = 0;
  for (int64_t index = 0; index < scene.count(); ++index) {
    const HeadScores* scores = scene.scores(index);
    const auto value = scores ? value_of(*scores, score, scene.relative) : std::nullopt;
    if (value && !std::isnan(*value) && (best < 0 || *value > most)) best = index, most = *value;
  }
  return best;
}

}  // namespace

Tour HeadGridView::tour() const {
  Tour tour(*this);
  const HeadGridScene& scene = canvas_->scene();
  if (scene.heads.rows == 0 || scene.heads.count() == 0) {
    tour.nothing(
        tr("No row of this request has been computed at this step. Press Space to run, or "
           "move the slider in the status line to a later step."));
    return tour;
  }
  tour.stop(*canvas_, tr("All heads at once"),
            scene.across ? tr("The model has %1 layers with %2 heads each, %3 heads in all. A "
                              "point is a head; its place shows two of its scores.")
                               .arg(scene.num_layers)
                               .arg(scene.num_heads)
                               .arg(format_count(scene.count()))
                         : tr("The model has %1 layers with %2 heads each, %3 heads in all. A "
                              "small heatmap shows what a head reads in the request “%4”.")
                               .arg(scene.num_layers)
                               .arg(scene.num_heads)
                               .arg(format_count(scene.count()), scene.request_name));
  const auto place = [&](int64_t index) {
    return canvas_->rect_of(index) & canvas_->canvas_layout().view;
  };
  if (scene.shown >= 0)
    tour.stop(*canvas_, place(scene.shown), tr("The head that the other views show"),
              tr("This is head %1 of layer %2, the one that is chosen in Heatmap and Lines. Click "
                 "another head to choose that one.")
                  .arg(scene.head_of(scene.shown))
                  .arg(scene.layer_of(scene.shown)));
  const struct {
    HeadScore score;
    QString title;
  } told[] = {{HeadScore::kFirst, tr("The head that reads the first token most")},
              {HeadScore::kPrevious, tr("The head that reads the preceding token most")},
              {scene.score, tr("The largest value of the chosen score")}};
  for (const auto& [score, title] : told) {
    const int64_t best = best_head(scene, score);
    if (best < 0 || (score == scene.score && title != told[2].title)) continue;
    const HeadScores& scores = *scene.scores(best);
    tour.stop(
        *canvas_, place(best), title,
        tr("Layer %1, head %2 has the largest score “%3” of those computed: %4. The score is: %5.")
            .arg(scene.layer_of(best))
            .arg(scene.head_of(best))
            .arg(name_of(score),
                 score_text(value_of(scores, score, scene.relative), score, scene.relative),
                 definition_of(score, scene.relative)));
  }
  tour.stop(
      *header_, tr("Another order"),
      tr("The boxes can rank the heads by a score, or show them as points over two scores. ") +
          (scene.texts ? scene.texts_line() + QLatin1Char('.')
                       : tr("These scores are those of this request (%1 rows). If the model "
                            "allows it, the button Texts shows scores over many texts.")
                             .arg(format_count(scene.heads.rows))));
  return tour;
}

}  // namespace attn::gui
