// SPDX-License-Identifier: GPL-3.0-or-later
// PatchingView::tour(): the stops of "What am I looking at?".
#include <algorithm>

#include "gui/views/explore/patching/patching_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour PatchingView::tour() const {
  Tour tour(*this);
  const PatchingData* data = this->data();
  if (const QString why = refusal(); !why.isEmpty()) {
    tour.nothing(why);
    return tour;
  }
  if (data && !data->trouble.isEmpty()) {
    tour.nothing(data->trouble);
    return tour;
  }
  if (!data || !data->is_complete()) {
    tour.nothing(is_computing()
                     ? tr("The runs are being computed. The tour begins when they are done.")
                     : tr("Nothing is computed yet. Press Compute above, or the key C."));
    return tour;
  }
  const auto percent = [](double share) { return format_number(100 * share, 3); };
  const auto cell = [&](int part, int64_t row, int64_t column) {
    return canvas_->box_on_screen({part, row, column});
  };
  const PatchEnds& ends = data->ends;
  tour.stop(*canvas_, tr("Which states carry the answer"),
            tr("After the clean prompt the model gives %1 a probability of %2%, after the "
               "corrupted one %3%. A cell below is a run of one prompt with one state, or the "
               "output of one head, from the run of the other.")
                .arg(quoted_token(data->right), percent(ends.clean.right_probability),
                     percent(ends.corrupted.right_probability)));
  int64_t first = 0, differing = 0;
  for (int64_t position = data->tokens() - 1; position >= 0; --position)
    if (data->differs(position)) {
      first = position;
      ++differing;
    }
  tour.stop(
      *prompts_, tr("Two prompts"),
      tr("Both have %1 tokens. Different ones: %2, the first at position %3. Type other prompts "
         "here: they must have equally many tokens.")
          .arg(data->tokens())
          .arg(differing)
          .arg(first));
  const PatchGrid& stream = *data->grids[kIntoCorrupted];
  tour.stop(*canvas_, cell(kIntoCorrupted, 0, first), tr("One cell, one run"),
            tr("Here the corrupted prompt was run with the state after layer 0 at position %1 of "
               "the clean run. The value is %2: 1 is the clean answer, 0 the corrupted one.")
                .arg(first)
                .arg(format_number(stream.value(0, first), 3)));
  const int64_t last = stream.columns - 1;
  int64_t layer = 0;
  while (layer < stream.layers - 1 && stream.value(layer, last) < 0.5) ++layer;
  if (last > first && stream.value(layer, last) >= 0.5)
    tour.stop(*canvas_, cell(kIntoCorrupted, layer, last), tr("Where it has moved to"),
              tr("At the last position the value reaches %1 after layer %2, the first with a half "
                 "or more.")
                  .arg(format_number(stream.value(layer, last), 3))
                  .arg(layer));
  const PatchGrid& heads = *data->grids[kHeadsIntoCorrupted];
  const auto most = std::ranges::max_element(
      heads.difference, {}, [&](double difference) { return ends.value(difference); });
  const int64_t at = most - heads.difference.begin();
  tour.stop(*canvas_, cell(kHeadsIntoCorrupted, at / heads.columns, at % heads.columns),
            tr("The head that brings back most"),
            tr("With the output of head %1 of layer %2 taken from the clean run the value is %3. "
               "No other head alone brings back more.")
                .arg(at % heads.columns)
                .arg(at / heads.columns)
                .arg(format_number(ends.value(*most), 3)));
  return tour;
}

}  // namespace attn::gui
