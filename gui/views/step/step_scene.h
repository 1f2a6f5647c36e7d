// SPDX-License-Identifier: GPL-3.0-or-later
// StepScene: the data of a picture of a step's metadata: facts, sequences, cache map, and what is
// selected and pointed at. Any thread.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/batch/step_facts.h"
#include "gui/models/selection.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// A part of the picture of a sequence in the batch.
struct StepPlace {
  enum class Kind {
    kNone,
    kContext,       // tokens from before the step
    kToken,         // index: new token, from 0
    kPadding,       // padding rows of its prompt
    kBlock,         // index: entry in block_tables
    kEncoderToken,  // index: written encoder token
    kCrossBlock     // index: entry in cross_block_tables
  };
  Kind kind = Kind::kNone;
  int64_t sequence = -1, index = -1;
  // For a token that is pointed at in a mask: the mask's index in step_masks(), and the column.
  int64_t mask = -1, mask_key = -1;
  bool is_none() const { return kind == Kind::kNone; }
  bool operator==(const StepPlace&) const = default;
};

struct StepScene {
  struct Sequence {
    int64_t request = -1;
    QString name;
    std::shared_ptr<const std::vector<TokenView>> tokens, encoder_tokens;  // null: none
    int64_t padding = 0;  // padding rows, if it is a prompt alone in its call
    int64_t given = 0;    // its first tokens, which have no query; see tokens_without_query()
  };

  PictureLook look;
  std::shared_ptr<const StepFacts> facts;  // null: there is no batch
  std::vector<Sequence> sequences;         // in batch order
  QString backend;
  int64_t block_size = 1;
  bool keeps_cache = true;  // false: slots are not written
  bool has_null_block = false;
  bool under_way = false;                 // the step has not ended
  std::shared_ptr<const CacheMap> cache;  // null: not shown
  CacheElement element;                   // the element whose place is shown
  int64_t layer = 0, head = 0;            // the shown layer and head, used for masks
  SelectionState selected;
  PointedState pointed;
  StepPlace hovered;     // the place under the mouse in this view
  bool caption = false;  // true: the picture is for an export

  bool is_empty() const { return !facts; }
  const AttentionMetadata& metadata() const { return *facts->metadata; }
  int64_t num_sequences() const { return facts ? metadata().num_seqs() : 0; }
  bool is_prefill(int64_t sequence) const { return sequence < metadata().num_prefills; }
  int64_t context_len(int64_t sequence) const;
  int64_t query_len(int64_t sequence) const { return metadata().query_len(sequence); }
  int64_t seq_len(int64_t sequence) const;
  int64_t first_row(int64_t sequence) const;
  // How many of the step's rows are tokens without a query: of a sequence, of all sequences.
  int64_t given_rows(int64_t sequence) const;
  int64_t given_rows() const;
  bool is_given(const StepPlace& place) const {
    return place.kind == StepPlace::Kind::kToken && place.index < given_rows(place.sequence);
  }
  int64_t keys_after(int64_t sequence, TableKind kind) const;
  int64_t keys_before(int64_t sequence, TableKind kind) const;
  std::span<const int32_t> table(int64_t sequence, TableKind kind) const;
  // The number of entries up to the last one that is not -1.
  int64_t used_entries(int64_t sequence, TableKind kind) const;
  // Whether a query is selected: of the encoder's layers if `of_encoder`, else of other layers.
  bool selects_rows(bool of_encoder) const;
  // How many encoder tokens the step writes keys of.
  int64_t encoder_tokens(int64_t sequence) const;
  int64_t cross_slot(int64_t sequence, int64_t token) const;
  const TokenView* token(const StepPlace& place) const;  // null: none, or unknown
  // The slot of the key; kPaddingSlot: the key is not cached, or the place is no token.
  int64_t slot(const StepPlace& place) const;
  int32_t block(const StepPlace& place) const;  // -1: none
  std::optional<int64_t> sequence_of(int64_t request) const;

  bool is_selected(const StepPlace& place) const;
  bool is_pointed(const StepPlace& place) const;
  // nullopt: a click selects nothing.
  std::optional<SelectionState> selection_of(const StepPlace& place) const;

 private:
  bool covers(const StepPlace& place, int64_t request, int64_t position, TableKind kind) const;
};

// Lines about the place; empty if there is none.
QString step_tooltip(const StepScene& scene, const StepPlace& place);
// "3 sequences, 42 rows: 40 of prefill, 2 of decode"
QString step_sentence(const StepScene& scene);
std::vector<std::pair<QString, QString>> step_numbers(const StepScene& scene);
// A row for each new token and for each encoder token whose key the step writes.
std::string step_csv(const StepScene& scene);

}  // namespace attn::gui
