// SPDX-License-Identifier: GPL-3.0-or-later
// WordsView::tour(): the stops of "What am I looking at?".
#include <algorithm>
#include <cmath>

#include "gui/views/words/words_view.h"
#include "gui/widgets/text/rule_words.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour WordsView::tour() const {
  Tour tour(*this);
  const WordsScene& scene = canvas_->scene();
  if (scene.is_empty()) {
    tour.nothing(
        tr("There is no text of the shown request at this step. Press Space to run, or move the "
           "slider in the status line to a later step."));
    return tour;
  }
  const auto words = [&](const WordPlace& place) {
    const TokenView* token = scene.token(place);
    return QStringLiteral("%1 %2")
        .arg(place.token)
        .arg(token ? quoted_token(token->text) : QString());
  };
  const bool own = scene.count(false) > 0;
  const int64_t count = scene.count(!own);
  tour.stop(
      *canvas_, tr("The text, as the model has it"),
      tr("This is “%1”: %2. A model reads text as tokens: pieces of text that its vocabulary has.")
          .arg(scene.request_name, words_sentence(scene)));
  const WordPlace first{!own, 0}, last{!own, count - 1};
  if (const TokenView* token = scene.token(first))
    tour.stop(*canvas_, canvas_->rect_of(first), tr("A token"),
              tr("Token %1 has the number %2 in the vocabulary. The number before its text is its "
                 "position, counted from 0.")
                  .arg(words(first), QString::number(token->id)));
  if (scene.generated() > 0)
    tour.stop(
        *canvas_, canvas_->rect_of({false, scene.prompt_len}), tr("Where the model goes on"),
        scene.encoder_tokens
            ? tr("Token %1 is the first that the decoder wrote itself; %2 are written so far.")
                  .arg(words({false, scene.prompt_len}), format_count(scene.generated()))
            : tr("The prompt has %1 tokens. Token %2 is the first that the model wrote itself; %3 "
                 "are written so far.")
                  .arg(format_count(scene.prompt_len), words({false, scene.prompt_len}),
                       format_count(scene.generated())));
  QString newest = tr("Token %1 stands at the end now.").arg(words(last));
  const auto& snapshot = bridge().snapshot();
  if (own && snapshot && snapshot->scenario &&
      snapshot->scenario->attention.type != AttentionType::kEncoderOnly)
    newest += QLatin1Char(' ') +
              tr("If the text goes on, the model reads this token to write the next one.");
  tour.stop(*canvas_, canvas_->rect_of(last), tr("The newest token"), newest);
  if (scene.weights && !scene.weights->of.empty()) {
    const std::vector<float>& of = scene.weights->of;
    // If a weight is NaN, no weight is the largest: the stop is at the first NaN.
    const bool has_nan = scene.weights->has_nan();
    const auto most = has_nan ? std::ranges::find_if(of, [](float w) { return std::isnan(w); })
                              : std::ranges::max_element(of);
    const WordPlace key{scene.weights->of_encoder, most - of.begin()};
    const QString title = tr("What the selected token reads");
    if (has_nan)
      tour.stop(*canvas_, canvas_->rect_of(key), title,
                tr("The weights with which token %1 reads the others in layer %2, head %3 are NaN, "
                   "not numbers, because a score is NaN or infinite.")
                    .arg(words(scene.query), layer_words(scene.weights->layer, scene.in_encoder),
                         QString::number(scene.weights->head)));
    else
      tour.stop(
          *canvas_, canvas_->rect_of(key), title,
          tr("Colours show how much token %1 reads of the others in layer %2, head %3. It reads "
             "token %4 most, with the weight %5.")
              .arg(words(scene.query), layer_words(scene.weights->layer, scene.in_encoder),
                   QString::number(scene.weights->head), words(key),
                   format_number(static_cast<double>(*most), 3)));
  } else {
    tour.stop(*weights_, tr("What a token reads"),
              tr("If this switch is on, click a token: if its row in the shown head is computed, "
                 "colours show how much it reads of the others."));
  }
  tour.stop(*tokens_, tr("Where a token ends"),
            tr("This switch shows where one token ends and the next one begins."));
  return tour;
}

}  // namespace attn::gui
