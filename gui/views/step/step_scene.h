// SPDX-License-Identifier: GPL-3.0-or-later
// StepScene: everything that a picture of a step's metadata depends on, as plain data: the facts of
// the step, names and tokens of its sequences, the map of the cache, and what is selected and
// pointed at. Any thread.
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

// A thing that is drawn of a sequence of the batch.
struct StepPlace {
  enum class Kind {
    kNone,
    kContext,       // its tokens that are in the cache already
    kToken,         // index: new token, from 0
    kPadding,       // rows that the backend adds to its prompt
    kBlock,         // index: entry of its row of block_tables
    kEncoderToken,  // index: token of its encoder whose keys the step writes
    kCrossBlock     // index: entry of its row of cross_block_tables
  };
  Kind kind = Kind::kNone;
  int64_t sequence = -1, index = -1;
  // Where a token is pointed at in the picture of a mask: the mask (step_masks()) and its column.
  int64_t mask = -1, mask_key = -1;
  bool is_none() const { return kind == Kind::kNone; }
  bool operator==(const StepPlace&) const = default;
};

struct StepScene {
  struct Sequence {
    int64_t request = -1;
    QString name;
    std::shared_ptr<const std::vector<TokenView>> tokens, encoder_tokens;  // null: none
    int64_t padding = 0;  // rows that the backend adds to its prompt
  };

  PictureLook look;
  std::shared_ptr<const StepFacts> facts;  // null: there is no batch
  std::vector<Sequence> sequences;         // in the order of the batch
  QString backend;
  int64_t block_size = 1;
  bool keeps_cache = true;  // false: nothing is written to the slots
  bool has_null_block = false;
  bool under_way = false;                 // the step has not ended
  std::shared_ptr<const CacheMap> cache;  // null: not shown
  CacheElement element;                   // whose places in the cache are shown
  int64_t layer = 0, head = 0;            // the shown layer and head: for masks
  SelectionState selected;
  PointedState pointed;
  StepPlace hovered;     // under the mouse of this view
  bool caption = false;  // in exports: a title instead of the window's controls

  bool is_empty() const { return !facts; }
  const AttentionMetadata& metadata() const { return *facts->metadata; }
  int64_t num_sequences() const { return facts ? metadata().num_seqs() : 0; }
  bool is_prefill(int64_t sequence) const { return sequence < metadata().num_prefills; }
  int64_t context_len(int64_t sequence) const;
  int64_t query_len(int64_t sequence) const { return metadata().query_len(sequence); }
  int64_t seq_len(int64_t sequence) const;
  int64_t first_row(int64_t sequence) const;
  // The number of keys in the sequence's table of this kind after the step, and of those that were
  // there before it.
  int64_t keys_after(int64_t sequence, TableKind kind) const;
  int64_t keys_before(int64_t sequence, TableKind kind) const;
  // A row of block_tables or of cross_block_tables.
  std::span<const int32_t> table(int64_t sequence, TableKind kind) const;
  int64_t used_entries(int64_t sequence, TableKind kind) const;  // all entries after them are -1
  // Whether a token or a cell is selected whose query is a row of the encoder's layers, or (false)
  // of the other layers.
  bool selects_rows(bool of_encoder) const;
  // The encoder tokens whose keys the step writes.
  int64_t encoder_tokens(int64_t sequence) const;
  int64_t cross_slot(int64_t sequence, int64_t token) const;
  const TokenView* token(const StepPlace& place) const;  // null: it has none, or it is not known
  // The slot of a token's key; kPaddingSlot: it is not in the cache.
  int64_t slot(const StepPlace& place) const;
  int32_t block(const StepPlace& place) const;  // of a table's entry, or of the token's slot; or -1
  std::optional<int64_t> sequence_of(int64_t request) const;

  // Whether the selection or what is pointed at means this place, or a part of it.
  bool is_selected(const StepPlace& place) const;
  bool is_pointed(const StepPlace& place) const;
  // What a click on the place selects; nothing: it selects nothing.
  std::optional<SelectionState> selection_of(const StepPlace& place) const;

 private:
  bool covers(const StepPlace& place, int64_t request, int64_t position, TableKind kind) const;
};

// All that is known of the place, with exact numbers, in one or more lines.
QString step_tooltip(const StepScene& scene, const StepPlace& place);
// "3 sequences, 42 rows: 40 of prefill, 2 of decode"
QString step_sentence(const StepScene& scene);
// Name and value of the fields that are one number each.
std::vector<std::pair<QString, QString>> step_numbers(const StepScene& scene);
// A row for each row of the flat batch and for each encoder token whose keys the step writes.
std::string step_csv(const StepScene& scene);

}  // namespace attn::gui
