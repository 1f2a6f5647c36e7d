// SPDX-License-Identifier: GPL-3.0-or-later
// The tokenizer of a Hugging Face folder, from tokenizer.json or a model file of SentencePiece. Any
// thread.
#pragma once

#include <filesystem>

#include "engine/model/tokenizer/tokenizer.h"

namespace attn {

// Reads the tokenizer.json of the folder, or else its model files of SentencePiece
// (sentence_piece/piece_folder.h). Where the folder names a class of tokenizers that transformers
// rebuilds itself, parts of tokenizer.json are replaced in the same way. Throws what
// tokenizer_parse.h and the readers of the files throw.
Tokenizer tokenizer_of_folder(const std::filesystem::path& folder);

}  // namespace attn
