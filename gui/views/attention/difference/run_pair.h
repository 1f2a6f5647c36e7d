// SPDX-License-Identifier: GPL-3.0-or-later
// RunPair: one head of a request in two runs, whose attention weights are compared position by
// position. pair_runs() finds the request of the run beside. Any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/session/run/snapshot.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

using PairTokens = std::shared_ptr<const std::vector<TokenView>>;

// What one of the two runs shows.
struct ShownRun {
  std::shared_ptr<const EngineSnapshot> newest;  // of its bridge; null: there is none yet
  std::shared_ptr<const EngineSnapshot> shown;   // of its time cursor
  std::optional<uint32_t> past_step;             // nullopt: `shown` is the newest state
  QString name;                                  // "First look"
};

struct PairSide {
  HeadRef head;                   // head.rows: only rows before this one count at the shown step
  int64_t rows = 0;               // query rows at the shown step, also those not computed
  PairTokens tokens, key_tokens;  // of the rows, of the columns; null: not known
  std::optional<uint32_t> past_step;
  QString run, request;  // their names
  QStringList changes;   // what the request changes inside the model

  // Number of key columns, also those not computed.
  int64_t columns() const { return head.keys_are_tokens() ? rows : head.columns(); }
  bool has(int64_t query, int64_t key) const { return query < rows && key < columns(); }
  bool row_done(int64_t query) const {
    return query < head.rows && head.record->row_done(head.layer, head.head, query);
  }
};

struct RunPair {
  PairSide here, beside;  // the run in the window, the run beside
  int64_t request = -1;   // id of the request in the window
  bool by_name = true;    // false: the requests have the same place in the lists of requests
  QString refusal;        // why nothing can be compared, one or two sentences; empty: it can

  // Whether there is nothing to compare; then a record may be null.
  bool is_empty() const { return !refusal.isEmpty() || !here.head.record || !beside.head.record; }
  int64_t layer() const { return here.head.layer; }
  int64_t head() const { return here.head.head; }
  // The queries and keys that at least one of the runs has.
  int64_t rows() const { return std::max(here.rows, beside.rows); }
  int64_t columns() const { return std::max(here.columns(), beside.columns()); }
  // Whether the other pair is of the same records, layer and head, so that what was read of its
  // rows can be used again.
  bool same_heads(const RunPair& other) const;
};

// The pair of the request in the window with this id (or else the first one), for this layer and
// head. The request of the run beside is the one of the same name; among several of one name the
// one of the same place among these; if there is none, the one of the same place in the list.
RunPair pair_runs(const ShownRun& here, const ShownRun& beside, int64_t request, int64_t layer,
                  int64_t head);

// The weight of one cell; nullopt: masked, not computed or not there.
std::optional<float> weight_in(const PairSide& side, int64_t query, int64_t key);
// Null: not known.
const TokenView* token_in(const PairTokens& tokens, int64_t position);

}  // namespace attn::gui
