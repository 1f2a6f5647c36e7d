// SPDX-License-Identifier: GPL-3.0-or-later
// NextTokenView::add_stops(): the stops of "What am I looking at?".
#include <algorithm>

#include "gui/models/explore/inside.h"
#include "gui/views/explore/next_token/next_token_picture.h"
#include "gui/views/explore/next_token/next_token_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

void NextTokenView::add_stops(Tour& tour, int64_t rows) const {
  const NextToken& next = data_->next;
  if (next.choices.empty()) return;
  const auto percent = [](double part) { return format_number(100 * part, 3); };
  const auto spot = [&](int part, int64_t row) { return canvas().box_on_screen({part, row, 0}); };
  tour.stop(canvas(), tr("How the next token is chosen"),
            tr("The model gives the %1 tokens of its vocabulary probabilities for position %2. The "
               "bars show %3 of them, the likeliest first.")
                .arg(format_count(next.vocabulary), format_count(data_->position),
                     format_count(static_cast<int64_t>(next.choices.size()))));
  if (is_encoder(*of_)) {
    tour.stop(canvas(), spot(NextTokenPicture::kBars, 0), tr("The likeliest token"),
              tr("The likeliest token is %1: the model gives it %2% in this place. An encoder "
                 "reads later tokens, too, and draws nothing.")
                  .arg(data_->texts.front(), percent(next.choices.front().plain)));
    tour.stop(canvas(), spot(NextTokenPicture::kText, data_->position), tr("The place"),
              tr("Click another token to see what the model would put there. Double-click a bar "
                 "for a new request with that token in the place; a recorded run takes none."));
    return;
  }
  tour.stop(canvas(), spot(NextTokenPicture::kBars, 0), tr("The likeliest token"),
            tr("The likeliest token is %1: the model gives it %2%. Number of tokens that can be "
               "drawn: %3. A draw would take the likeliest token with a probability of %4%.")
                .arg(data_->texts.front(), percent(next.choices.front().plain),
                     format_count(next.candidates), percent(next.choices.front().probability)));
  const auto drawn = std::ranges::find(next.choices, next.token, &TokenChoice::token);
  // A token of the prompt, or of a beam search, was not drawn.
  if (drawn != next.choices.end() && data_->position >= of_->request.prompt_len &&
      of_->request.beam_width <= 1) {
    QString taken =
        next.candidates == 1
            ? tr("The token that is taken is %1. No other can be taken here, so chance has no "
                 "part.")
                  .arg(data_->drawn_text)
            : tr("The tokens share the strip from 0 to 1 by their probabilities. The random "
                 "number %1 falls into the part of %2, from %3 to %4.")
                  .arg(format_number(next.random), data_->drawn_text, format_number(drawn->begin),
                       format_number(drawn->end));
    if (of_->request.sampling.temperature == 0)
      taken += QLatin1Char(' ') +
               tr("Temperature 0 takes the likeliest token of those that may be taken.");
    tour.stop(canvas(), spot(NextTokenPicture::kBars, drawn - next.choices.begin()),
              tr("The token that is taken"), taken);
  }
  const auto surprise = [&](const PastToken& past) { return past.position < rows; };
  const PastToken* least = nullptr;
  for (const PastToken& past : data_->past)
    if (surprise(past) && (!least || past.log_probability < least->log_probability)) least = &past;
  if (least)
    tour.stop(canvas(), spot(NextTokenPicture::kText, least->position), tr("A surprise"),
              tr("The colours say how likely the tokens of the text were. Token %1 surprised the "
                 "model most: its log-probability is %2, and %3 tokens were likelier.")
                  .arg(least->position)
                  .arg(format_number(least->log_probability), format_count(least->rank)));
  tour.stop(*rank_, tr("Other colours, other texts"),
            tr("This switch colours the text by rank, or by log-probability when it is off. "
               "Double-click a bar for a new request that goes on with that token; a recorded run "
               "takes none."));
}

}  // namespace attn::gui
