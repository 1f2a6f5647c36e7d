// SPDX-License-Identifier: GPL-3.0-or-later
// RotaryScene: the data of a picture of a score by frequency: the pairs of one cell, and the
// distance that is looked at. Any thread.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/rotary_score.h"
#include "engine/session/run/snapshot.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// A cell with its score by pairs and from the run.
struct RotaryCell {
  int64_t layer = 0, head = 0, query = -1, key = -1;
  RotaryScore score;       // the score at the true distance
  double run_score = 0;    // scale * q·k
  float weight = 0;        // the weight in the run
  double residue() const;  // |score - run_score|
};

struct RotaryScene {
  PictureLook look;
  int64_t request = -1;  // -1: none is shown
  QString request_name;
  int64_t layer = 0, head = 0;
  std::shared_ptr<const std::vector<TokenView>> tokens;
  std::optional<uint32_t> past_step;
  QString refusal;  // why there are no frequencies; empty: nothing is known to be wrong
  std::shared_ptr<const RotaryCell> cell;  // null: there is none to show
  bool selected = false;                   // the cell is selected
  std::optional<int64_t> looked_at;        // nullopt: the true distance
  int64_t longest = 32;                    // end of the curve
  int pointed_pair = -1;
  bool caption = false;    // true: the picture is for an export
  bool title = true;       // false: an export without its title
  QString own_title = {};  // in an export in place of the sentence; empty: the sentence

  bool is_empty() const { return !cell; }
  // The score at looked_at or, without one, at the true distance.
  RotaryScore shown() const;
  const TokenView* token(int64_t position) const;  // null: unknown
};

// "Lily, layer 0, head 1: query 12 “·girl”, key 3 “·Once”, distance 9"
QString rotary_sentence(const RotaryScene& scene);
// own_title or the sentence.
QString rotary_title(const RotaryScene& scene);
std::vector<QString> rotary_facts(const RotaryScene& scene);
QString pair_tooltip(const RotaryScene& scene, int64_t pair);
// A row for each pair, one for what does not turn, and one for each whole distance up to `longest`.
std::string rotary_csv(const RotaryScene& scene);

}  // namespace attn::gui
