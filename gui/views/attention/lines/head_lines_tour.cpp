// SPDX-License-Identifier: GPL-3.0-or-later
// HeadLinesView::tour(): the stops of "What am I looking at?".
#include "gui/views/attention/heatmap/heatmap_words.h"
#include "gui/views/attention/lines/head_lines_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour HeadLinesView::tour() const {
  Tour tour(*this);
  const HeadLinesScene& scene = canvas_->scene();
  const LinesShown& shown = canvas_->shown();
  if (scene.rows() == 0 || !scene.base.record || (shown.lines.empty() && shown.missing > 0)) {
    tour.nothing(
        tr("No row of this request has been computed at this step. Press Space to run, or "
           "move the slider in the status line to a later step."));
    return tour;
  }
  const auto token = [&](LineSide side, int64_t position) {
    const TokenView* view = scene.token_at(side, position);
    return view ? QStringLiteral("%1 %2").arg(position).arg(quoted_token(view->text))
                : QString::number(position);
  };
  tour.stop(*canvas_, tr("Attention as lines"),
            tr("On the left are the %1 tokens of “%2” that read, on the right the %3 tokens that "
               "are read. A stronger line has a larger number (%5). This is layer %4.")
                .arg(format_count(scene.rows()), scene.request_name, format_count(scene.keys()),
                     QString::number(scene.base.layer), short_name_of(scene.base.quantity)));
  tour.stop(
      *canvas_, canvas_->canvas_layout().lines, tr("Not every line is drawn"),
      tr("%1 lines are drawn now. What the filter hides makes up %2% of the sum of the numbers.")
          .arg(format_count(static_cast<int64_t>(shown.lines.size())),
               format_number(shown.mass > 0 ? 100 * shown.hidden / shown.mass : 0, 3)));
  if (!shown.lines.empty()) {
    const HeadLine& line = shown.lines.back();  // lines are sorted, so this is the strongest one
    const QString reader = token(LineSide::kQuery, line.query),
                  read = token(LineSide::kKey, line.key);
    tour.stop(*canvas_, canvas_->rect_of({LineSide::kQuery, line.query}), tr("A token that reads"),
              tr("The strongest line in sight begins here, at token %1. Point at a token to see "
                 "only its lines.")
                  .arg(reader));
    tour.stop(*canvas_, canvas_->rect_of({LineSide::kKey, line.key}), tr("A token that is read"),
              tr("The strongest line in sight ends here: in head %1 token %3 reads token %2. The "
                 "number of the line, %5, is %4.")
                  .arg(line.head)
                  .arg(read, reader, format_number(static_cast<double>(line.weight), 3),
                       short_name_of(scene.base.quantity)));
  }
  tour.stop(*chips_, tr("Which heads"),
            tr("A line has the colour of its head. Lines of %1 of the %2 heads of this layer are "
               "drawn; click a number to add or remove a head.")
                .arg(format_count(static_cast<int64_t>(scene.heads.size())),
                     format_count(scene.num_heads)));
  QString leave_out =
      tr("The boxes choose request, layer and head, and which lines are drawn. The lines to the "
         "first token can be hidden.");
  const std::optional<LineToken> chosen = scene.chosen();
  if (shown.mass > 0 && !(chosen && chosen->side == LineSide::kKey))
    leave_out +=
        QLatin1Char(' ') +
        (chosen ? tr("The numbers of the first token make up %1% of the sum of this query.")
                : tr("The numbers of the first token make up %1% of the sum of the rows "
                     "shown."))
            .arg(format_number(100 * shown.first / shown.mass, 3));
  tour.stop(*header_, tr("What to leave out"), leave_out);
  return tour;
}

}  // namespace attn::gui
