// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizers of folders that have no tokenizer.json but model files of SentencePiece. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

// Marian: source.spm cuts texts, vocab.json has the ids, target.spm says whether decoding joins
// tokens for bytes. Other folders: spiece.model or tokenizer.model, where the number of a piece is
// its id. nullopt: the folder has a tokenizer.json, or no such model file. Throws what the readers
// of the files throw.
std::optional<Tokenizer> tokenizer_of_pieces(const std::filesystem::path& folder);
// The table of characters of a model file, as it is in the file; "" where it has none.
std::string charsmap_of(const std::filesystem::path& model_file);
// The name of the file that has the ids of a folder's tokens: tokenizer.json if it is there, or if
// there is no other.
const char* vocabulary_file(const std::filesystem::path& folder);

}  // namespace attn
