// SPDX-License-Identifier: GPL-3.0-or-later
// TokenizerParts: what a tokenizer is made of, as plain data. The code that makes the parts, such
// as tokenizer_parse.cpp, checks that they fit together: every id in them is below pieces.size().
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/model/tokenizer/added_tokens.h"
#include "engine/model/tokenizer/models/bpe.h"
#include "engine/model/tokenizer/models/unigram.h"
#include "engine/model/tokenizer/models/word_piece.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "engine/model/tokenizer/steps/decoder.h"
#include "engine/model/tokenizer/steps/normalizer.h"
#include "engine/model/tokenizer/steps/pre_tokenizer.h"

namespace attn {

struct TokenizerParts {
  std::vector<std::string> pieces;  // [id]
  std::vector<bool> special;        // [id]
  std::variant<BpeModel, WordPieceModel, UnigramModel, WordLevelModel, PieceModel> model;
  int64_t model_vocab_size = 0;
  TokenIds model_ids, added_ids;
  // [id] what the normaliser makes of an added token's text; only for tokens that are matched in
  // the normalised text and whose text it changes.
  std::unordered_map<int32_t, std::string> normal_pieces;
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  Decoder decoder;
  std::vector<int32_t> template_before, template_after;
  AddedTokenMatcher raw_matcher, normalized_matcher;
};

}  // namespace attn
