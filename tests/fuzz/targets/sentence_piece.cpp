// SPDX-License-Identifier: GPL-3.0-or-later
// The fuzz target `sentence_piece`: a model file of SentencePiece, and fixed texts that are encoded
// with it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "engine/core/error.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "tests/engine/model/gguf/gguf_bytes.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets/gguf_parts.h"
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
                                       "abxyab \ufb01\u0132\u1e9b\u0323",
                                       std::string(300, 'a'),
                                       std::string("a\0b", 3)};
  try {
    static ScratchFile input(scratch_folder() / "input.spm");
    const PieceFile file = PieceFile::read(bytes, "input.spm");
    // The table of characters alone, as a model is converted.
    input.put(bytes);
    charsmap_of(input.path());
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

// --- a file as fields of protobuf ---

struct PieceWire {
  uint64_t number = 0, wire = 0;
  std::string bytes;  // without length; a number as it is written
};
using PieceWires = std::vector<PieceWire>;

std::string wire_number(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::optional<uint64_t> take_wire_number(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<PieceWires> wires_in(std::string_view bytes) {
  PieceWires wires;
  while (!bytes.empty()) {
    const std::optional<uint64_t> tag = take_wire_number(bytes);
    if (!tag) return std::nullopt;
    PieceWire& wire = wires.emplace_back();
    wire.number = *tag >> 3;
    wire.wire = *tag & 7;
    std::optional<uint64_t> size;
    if (wire.wire == 0) {
      std::string_view rest = bytes;
      if (take_wire_number(rest)) size = bytes.size() - rest.size();
    } else if (wire.wire == 2) {
      size = take_wire_number(bytes);
    } else if (wire.wire == 1 || wire.wire == 5) {
      size = wire.wire == 1 ? 8 : 4;
    }
    if (!size || *size > bytes.size()) return std::nullopt;
    wire.bytes = bytes.substr(0, *size);
    bytes.remove_prefix(*size);
  }
  return wires;
}
std::string bytes_of(const PieceWires& wires) {
  std::string bytes;
  for (const PieceWire& wire : wires) {
    bytes += wire_number(wire.number << 3 | wire.wire);
    if (wire.wire == 2) bytes += wire_number(wire.bytes.size());
    bytes += wire.bytes;
  }
  return bytes;
}
PieceWire number_wire(uint64_t number, uint64_t value) {
  return {number, 0, wire_number(value)};
}
PieceWire text_wire(uint64_t number, std::string text) {
  return {number, 2, std::move(text)};
}
PieceWire piece_wire(std::string text, uint64_t kind, float score) {
  return text_wire(
      1,
      bytes_of({text_wire(1, std::move(text)), {2, 5, number_bytes(score)}, number_wire(3, kind)}));
}

// --- seeds ---

// Files that say what trained ones leave at the usual values. `is_bpe`: pairs are merged.
std::string small_pieces(bool is_bpe, bool has_bytes, std::string charsmap) {
  PieceWires wires = {piece_wire("<unk>", 2, 0),  piece_wire("[B]", 3, 0),
                      piece_wire("[E]", 3, 0),    piece_wire("\u2581", 1, -2),
                      piece_wire("a", 1, -1),     piece_wire("b", 1, -1.5),
                      piece_wire("ab", 1, -0.5f), piece_wire("<sep>", 4, 0),
                      piece_wire("xy", 5, -1),    piece_wire("abxy", 1, -0.25f)};
  constexpr const char* kDigits = "0123456789ABCDEF";
  for (size_t byte = 0; has_bytes && byte < 256; ++byte)
    wires.push_back(
        piece_wire(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", 6, 0));
  wires.push_back(text_wire(2, bytes_of({number_wire(3, is_bpe ? 2 : 1), number_wire(24, is_bpe),
                                         number_wire(35, has_bytes), text_wire(46, "[B]"),
                                         text_wire(47, "[E]"), text_wire(1, "corpus.txt")})));
  wires.push_back(text_wire(
      3, bytes_of({text_wire(1, "user_defined"), text_wire(2, std::move(charsmap)),
                   number_wire(3, !is_bpe), number_wire(4, is_bpe), number_wire(5, !has_bytes)})));
  return bytes_of(wires);
}

// The smaller ones of the files that the SentencePiece library trained, and others.
std::vector<Seed> sentence_piece_seeds() {
  constexpr size_t kMostSeedBytes = 50'000;
  std::vector<Seed> seeds = {{"small-pairs", small_pieces(true, false, "")},
                             {"small-bytes", small_pieces(true, true, "")},
                             {"small-table", small_pieces(false, false, small_charsmap())}};
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

// --- changes ---

std::string change_piece_bytes(std::string_view bytes, Random& random) {
  std::string changed(bytes);
  if (changed.empty()) return changed;
  const size_t at = below(random, changed.size()), count = 1 + below(random, 20);
  switch (below(random, 5)) {
    case 0:
      changed.erase(at, count);
      break;
    case 1:
      changed.insert(at, changed.substr(below(random, changed.size()), count));
      break;
    case 2:
      changed.replace(at, 1, std::string(1 + below(random, 11), '\xff'));
      break;
    default:
      changed[at] = static_cast<char>(below(random, 256));
  }
  return changed;
}

void change_wire_content(PieceWire& wire, Random& random) {
  static const char* const kTexts[] = {"",  "<0x41>", "<0x4a>", "\u2581",
                                       "a", "\xff",   "<unk>",  "[B]"};
  static const float kScores[] = {0, -1, 1e30f, INFINITY, NAN};
  if (wire.wire == 0)
    wire.bytes =
        wire_number(below(random, 3) == 0 ? ~uint64_t{0} >> below(random, 64) : below(random, 9));
  else if (wire.wire == 5)
    wire.bytes = number_bytes(kScores[below(random, std::size(kScores))]);
  else if (below(random, 6) == 0)
    wire.bytes = std::string(size_t{1} << below(random, 12), 'x');
  else if (below(random, 2) == 0)
    wire.bytes = kTexts[below(random, std::size(kTexts))];
  else
    wire.bytes = change_piece_bytes(wire.bytes, random);
}

// Changes one field, or a field in it. Lengths stay right.
void change_wires(PieceWires& wires, Random& random) {
  if (wires.empty()) return;
  // The last fields describe the file; there are few of them.
  const size_t count = wires.size(), last = std::min<size_t>(count, 4);
  const size_t at = below(random, 2) == 0 ? count - 1 - below(random, last) : below(random, count);
  PieceWire& wire = wires[at];
  if (wire.wire == 2 && below(random, 4) != 0)
    if (std::optional<PieceWires> inner = wires_in(wire.bytes); inner && !inner->empty()) {
      change_wires(*inner, random);
      wire.bytes = bytes_of(*inner);
      return;
    }
  const PieceWire other = wires[below(random, count)];
  switch (below(random, 8)) {
    case 0:
      wires.erase(wires.begin() + static_cast<ptrdiff_t>(at));
      break;
    case 1:
      wires.insert(wires.begin() + static_cast<ptrdiff_t>(at), other);
      break;
    case 2:
      wire.number = below(random, 2) == 0 ? other.number : below(random, 50);
      break;
    case 3:  // another kind of value
      wire.wire = wire.wire == 2 ? 0 : 2;
      wire.bytes = std::string(1, '\1');
      break;
    case 4:
      wire.wire = below(random, 8);
      break;
    default:
      change_wire_content(wire, random);
  }
}

std::string change_sentence_piece(std::string_view bytes, Random& random) {
  static const char* const kOther[] = {"GGUF", "PK\x03\x04", "version https://git-lfs", ""};
  if (below(random, 50) == 0) return kOther[below(random, std::size(kOther))];
  std::optional<PieceWires> wires = wires_in(bytes);
  if (!wires || below(random, 4) == 0) return change_piece_bytes(bytes, random);
  for (size_t times = 1 + below(random, 2); times > 0; --times) change_wires(*wires, random);
  return bytes_of(*wires);
}

}  // namespace

const Target kSentencePieceTarget = {"sentence_piece", run_sentence_piece, change_sentence_piece,
                                     sentence_piece_seeds};

}  // namespace attn::fuzz
