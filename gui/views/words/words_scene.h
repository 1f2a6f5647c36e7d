// SPDX-License-Identifier: GPL-3.0-or-later
// WordsScene: the data of a picture of the words: the tokens of one request, what is selected and
// pointed at, and the weights of the selected row. Any thread.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/selection.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/word_flow.h"

namespace attn::gui {

struct WordPlace {
  bool of_encoder = false;
  int64_t token = -1;
  bool operator==(const WordPlace&) const = default;
};

// The weights of one query row, from the AttentionRecord.
struct RowWeights {
  int64_t layer = 0, head = 0, query = -1;
  bool of_encoder = false;  // the keys are tokens of the encoder
  std::vector<float> of;    // one per key; NaN if the score or the log-sum-exp is not finite
  float largest = 0;        // the largest finite weight
  // The weight of the key at this place; null: it is no key of the row.
  const float* at(const WordPlace& place) const;
  bool has_nan() const;
};

struct WordsScene {
  PictureLook look;
  QFont font;            // font of the tokens
  int64_t request = -1;  // -1: none is shown
  QString request_name;
  Tokens tokens, encoder_tokens;  // null: none
  int64_t prompt_len = 0;         // tokens
  bool writing = false;           // live, and the request has not ended
  std::optional<uint32_t> past_step;
  bool spaced = false;                        // gaps between tokens
  bool told_apart = true;                     // tokens have alternating backgrounds
  bool in_encoder = false;                    // the shown layer is one of the encoder
  WordPlace query, key;                       // selected; token -1: none
  WordPlace first, last;                      // tokens of the selected block; token -1: none
  PointedState pointed;                       // what is pointed at in this request
  std::shared_ptr<const RowWeights> weights;  // null: not shown
  bool caption = false;                       // true: the picture is for an export

  int64_t count(bool of_encoder) const;
  const TokenView* token(const WordPlace& place) const;  // null: there is none
  bool is_generated(const WordPlace& place) const {
    return !place.of_encoder && place.token >= prompt_len;
  }
  int64_t generated() const;  // number of tokens
  bool is_empty() const { return count(false) + count(true) == 0; }
};

// The text in double quotes, with escapes for what cannot be seen, such as "\u{200b}". A long text
// is cut.
QString escaped_token(const std::string& utf8);
// Whether the text is that of one byte, such as <0xE2>.
bool is_byte_token(const std::string& utf8);
QString word_tooltip(const WordsScene& scene, const WordPlace& place);
// "40 tokens of the prompt, 12 generated"
QString words_sentence(const WordsScene& scene);
std::string words_csv(const WordsScene& scene);

}  // namespace attn::gui
