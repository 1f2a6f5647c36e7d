// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `sentence_piece`: a model file of SentencePiece, and fixed texts that are encoded
// with it.
#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "engine/core/error.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "tests/fuzz/targets/target_list.h"
#include "tests/support/session_chunks.h"

namespace attn::fuzz {
namespace {

bool run_sentence_piece(std::string_view bytes) {
  static const std::string kTexts[] = {"",
                                       " ",
                                       "the licence, \u00bd  e\u0301 ing <sep> ",
                                       ">>de<< Program\n\t",
                                       "\xff\xfe\u2581\U0001f600",
                                       std::string(300, 'a'),
                                       std::string("a\0b", 3)};
  try {
    const PieceFile file = PieceFile::read(bytes, "input.spm");
    TokenIds ids;
    for (const PieceFile::Piece& piece : file.pieces)
      ids.emplace(piece.text, static_cast<int32_t>(ids.size()));
    const auto count = static_cast<int32_t>(ids.size());
    const PieceModel model(file, file.unknown, true);
    for (const std::string& text : kTexts) {
      std::vector<int32_t> tokens;
      try {
        model.encode(text, ids, tokens);
      } catch (const Error&) {  // the normaliser makes the text too long
      }
      if (std::ranges::any_of(tokens, [&](int32_t id) { return id < 0 || id >= count; }))
        throw std::logic_error("a text has a token that is no piece");
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The smaller ones of the files that the SentencePiece library trained.
std::vector<Seed> sentence_piece_seeds() {
  constexpr size_t kMostSeedBytes = 50'000;
  std::vector<Seed> seeds;
  const auto folder = std::filesystem::path(ATTN_SOURCE_DIR) / "tests/golden/sentence_piece";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::filesystem::path& path = entry.path();
    if ((path.extension() != ".spm" && path.extension() != ".model") ||
        entry.file_size() > kMostSeedBytes)
      continue;
    const std::string name = path.parent_path().filename().string() + "-" + path.stem().string();
    seeds.push_back({name, test::read_bytes(path)});
  }
  std::ranges::sort(seeds, {}, &Seed::name);
  return seeds;
}

std::string change_sentence_piece(std::string_view bytes, Random& random) {
  std::string changed(bytes);
  if (changed.empty()) return changed;
  const size_t at = below(random, changed.size()), count = 1 + below(random, 20);
  switch (below(random, 4)) {
    case 0:
      changed.erase(at, count);
      break;
    case 1:
      changed.insert(at, changed.substr(below(random, changed.size()), count));
      break;
    default:
      changed[at] = static_cast<char>(below(random, 256));
  }
  return changed;
}

}  // namespace

const Target kSentencePieceTarget = {"sentence_piece", run_sentence_piece, change_sentence_piece,
                                     sentence_piece_seeds};

}  // namespace attn::fuzz
