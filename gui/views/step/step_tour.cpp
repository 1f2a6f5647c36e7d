// SPDX-License-Identifier: GPL-3.0-or-later
// StepView::tour(): the stops of "What am I looking at?".
#include "gui/views/step/step_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

Tour StepView::tour() const {
  Tour tour(*this);
  const StepScene& scene = canvas_->scene();
  if (scene.is_empty() || scene.num_sequences() == 0) {
    tour.nothing(
        tr("There is no batch at this moment. Press Space to run, or go to a step that "
           "computed something with the slider in the status line."));
    return tour;
  }
  const AttentionMetadata& metadata = scene.metadata();
  const int64_t given = scene.given_rows();
  tour.stop(*canvas_, tr("What the engine gives its backend"),
            tr("A backend gets one flat batch of rows and these integers, which say whose rows "
               "they are. Step %1 has %2 with %3 rows: %4 of prefill, %5 of decode.")
                    .arg(format_count(shown() ? shown()->step : 0),
                         counted(scene.num_sequences(), tr("1 sequence"), tr("%1 sequences")),
                         format_count(metadata.num_prefill_tokens + metadata.num_decode_tokens),
                         format_count(metadata.num_prefill_tokens),
                         format_count(metadata.num_decode_tokens)) +
                (given > 0 ? QLatin1Char(' ') +
                                 tr("Rows of tokens that have a key and a value but no query: %1.")
                                     .arg(format_count(given))
                           : QString()));
  const StepScene::Sequence& first = scene.sequences.front();
  const int64_t last = scene.query_len(0) - 1;
  if (const StepPlace context{.kind = StepPlace::Kind::kContext, .sequence = 0, .index = 0};
      scene.context_len(0) > 0)
    tour.stop(*canvas_, canvas_->rect_of(context), tr("What is there already"),
              tr("%1 tokens of “%2” were computed in steps before, for it or for another request; "
                 "this step does not compute them.")
                  .arg(format_count(scene.context_len(0)), first.name));
  const StepPlace token{.kind = StepPlace::Kind::kToken, .sequence = 0, .index = last};
  const int64_t slot = scene.slot(token);
  tour.stop(*canvas_, canvas_->rect_of(token), tr("A new token"),
            slot < 0
                ? tr("“%1” has %2 in this step. This is the last of them.")
                      .arg(first.name, counted(last + 1, tr("1 new token"), tr("%1 new tokens")))
                : tr("“%1” has %2 in this step. The last one has slot %3: block %4, place %5.")
                      .arg(first.name, counted(last + 1, tr("1 new token"), tr("%1 new tokens")),
                           format_count(slot), format_count(slot / scene.block_size),
                           format_count(slot % scene.block_size)));
  if (const int64_t blocks = scene.used_entries(0, TableKind::kOwn); blocks > 0) {
    const StepPlace block{.kind = StepPlace::Kind::kBlock, .sequence = 0, .index = blocks - 1};
    tour.stop(*canvas_, canvas_->rect_of(block), tr("Its block table"),
              tr("This table has %2 of %3 slots for the keys of “%1”, in the order of its tokens. "
                 "Block %4 is the last one.")
                  .arg(first.name, counted(blocks, tr("1 block"), tr("%1 blocks")),
                       format_count(scene.block_size), format_count(scene.block(block))));
  }
  if (scene.num_sequences() > 1) {
    const StepPlace second{.kind = StepPlace::Kind::kToken, .sequence = 1, .index = 0};
    tour.stop(*canvas_, canvas_->rect_of(second), tr("The next sequence"),
              tr("Row %1 of the batch is the first of “%2”. Sequences follow each other without "
                 "gaps; query_start_loc says where each begins.")
                  .arg(format_count(scene.first_row(1)), scene.sequences[1].name));
  }
  return tour;
}

}  // namespace attn::gui
