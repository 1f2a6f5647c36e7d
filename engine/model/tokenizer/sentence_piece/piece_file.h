// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the model files of SentencePiece (spiece.model, tokenizer.model, source.spm, target.spm): a
// message of protobuf with the pieces of the vocabulary and the rules by which a text is normalised
// before it is cut into pieces. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/steps/charsmap.h"

namespace attn {

struct PieceFile {
  // The kinds of pieces, with the numbers that the format gives them.
  enum class Kind : uint8_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };
  struct Piece {
    std::string text;
    float score = 0;
    Kind kind = Kind::kNormal;
  };
  std::vector<Piece> pieces;                 // each text once
  int32_t unknown = -1;                      // number of the piece for unknown text
  std::string first = "<s>", last = "</s>";  // names of the pieces that begin and end a text
  bool is_bpe = false;                       // byte pairs; else Unigram
  bool byte_fallback = false;                // if true, all 256 pieces <0xHH> are there

  // --- the normaliser ---
  std::string normalizer = "identity";  // its name
  Charsmap charsmap;                    // empty: characters stay as they are
  bool adds_space = true;               // in front of a text
  bool space_is_last = false;           // the added space is behind the text instead
  bool removes_spaces = true;           // at both ends; a run within becomes one space
  bool marks_spaces = true;             // a space becomes U+2581

  // Throws Error(kBadInput) for a broken file, Error(kNotSupported) for models other than Unigram
  // and BPE; open() also throws what read_text_file() throws.
  static PieceFile open(const std::filesystem::path& file);
  static PieceFile read(std::string_view bytes, const std::string& where);
};

}  // namespace attn
