// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/sentence_piece/piece_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>

#include "engine/core/utf8.h"
#include "engine/model/tokenizer/steps/growth.h"

namespace attn {
namespace {

constexpr float kPenaltyOfUnknown =
    10;  // how far an unknown character scores below the least score
constexpr std::string_view kSpaceMark = "\u2581", kReplacementCharacter = "\ufffd";

}  // namespace

PieceModel::PieceModel(PieceFile file, int32_t unknown, bool is_marian)
    : normalizer_(std::move(file.normalizer)),
      charsmap_(std::move(file.charsmap)),
      unknown_(unknown),
      is_bpe_(file.is_bpe),
      byte_fallback_(file.byte_fallback),
      adds_space_(file.adds_space),
      space_is_last_(file.space_is_last),
      removes_spaces_(file.removes_spaces),
      marks_spaces_(file.marks_spaces),
      is_marian_(is_marian) {
  using Kind = PieceFile::Kind;
  std::vector<std::pair<std::string_view, int32_t>> all, user_defined;
  least_score_ = std::numeric_limits<float>::max();
  greatest_score_ = std::numeric_limits<float>::min();  // so that it stays above zero
  for (const PieceFile::Piece& piece : file.pieces) {
    const auto number = static_cast<int32_t>(scores_.size());
    scores_.push_back(piece.score);
    kinds_.push_back(piece.kind);
    if (piece.kind == Kind::kNormal) {
      least_score_ = std::min(least_score_, piece.score);
      greatest_score_ = std::max(greatest_score_, piece.score);
    }
    // Pieces of the other kinds are not looked for in a text.
    if (piece.kind == Kind::kNormal || piece.kind == Kind::kUserDefined ||
        piece.kind == Kind::kUnused)
      all.emplace_back(piece.text, number);
    if (piece.kind == Kind::kUserDefined) user_defined.emplace_back(piece.text, number);
  }
  trie_ = PieceTrie(std::move(all));
  user_defined_ = PieceTrie(std::move(user_defined));
}

int32_t PieceModel::find(std::string_view text) const {
  uint32_t node = PieceTrie::kRoot;
  for (const char byte : text)
    if ((node = trie_.next(node, byte)) == PieceTrie::kNone) return kNone;
  return trie_.value(node);
}

// --- the normaliser ---

// Bytes of the longest user-defined piece with which a text begins; 0: there is none.
size_t PieceModel::user_defined_bytes(std::string_view text) const {
  size_t longest = 0;
  uint32_t node = PieceTrie::kRoot;
  for (size_t end = 0; end < text.size();) {
    node = user_defined_.next(node, text[end++]);
    if (node == PieceTrie::kNone) break;
    if (user_defined_.value(node) >= 0) longest = end;
  }
  return longest;
}

PieceModel::Normal PieceModel::normal_beginning(std::string_view text) const {
  if (const size_t bytes = user_defined_bytes(text)) return {text.substr(0, bytes), bytes};
  if (const Charsmap::Match match = charsmap_.longest(text); match.bytes > 0)
    return {match.text, match.bytes};
  const Utf8Char first = first_char(text);
  return {first.code < 0 ? kReplacementCharacter : text.substr(0, first.bytes), first.bytes};
}

std::string PieceModel::normalized(std::string_view text) const {
  const size_t most = most_bytes(text.size());
  if (removes_spaces_)
    while (!text.empty()) {
      const Normal first = normal_beginning(text);
      if (first.text != " ") break;
      text.remove_prefix(first.bytes);
    }
  std::string out;
  if (text.empty()) return out;
  const std::string_view space = marks_spaces_ ? kSpaceMark : " ";
  if (adds_space_ && !space_is_last_) out += space;
  for (bool is_after_space = removes_spaces_; !text.empty();) {
    Normal next = normal_beginning(text);
    text.remove_prefix(next.bytes);
    while (is_after_space && next.text.starts_with(' ')) next.text.remove_prefix(1);
    for (const char byte : next.text)
      if (byte == ' ')
        out += space;
      else
        out += byte;
    check_growth(out.size(), most);
    if (!next.text.empty()) is_after_space = removes_spaces_ && next.text.ends_with(' ');
  }
  while (removes_spaces_ && out.ends_with(space)) out.resize(out.size() - space.size());
  if (adds_space_ && space_is_last_) out += space;
  return out;
}

// --- Unigram ---

// Returns, of all ways to cut a text, the one with the largest sum of scores. Sums are added and
// compared in doubles and kept as floats; the score of an unknown character is added in floats. A
// user-defined piece scores the greatest score times the number of its bytes, less 0.1.
std::vector<PieceModel::Part> PieceModel::cut_by_probability(std::string_view text) const {
  struct Place {
    float score = 0;
    int32_t piece = kNone;    // its last piece
    size_t begin = SIZE_MAX;  // where that piece begins; SIZE_MAX: no way was found yet
  };
  std::vector<Place> places(text.size() + 1);
  const auto offer = [&](size_t begin, size_t end, double score, int32_t piece) {
    Place& place = places[end];
    if (place.begin == SIZE_MAX || score > double{place.score})
      place = {static_cast<float>(score), piece, begin};
  };
  const float unknown_score = least_score_ - kPenaltyOfUnknown;
  for (size_t begin = 0; begin < text.size();) {
    const size_t character = first_char(text.substr(begin)).bytes;
    const float so_far = places[begin].score;
    bool is_known = false;
    uint32_t node = PieceTrie::kRoot;
    for (size_t end = begin; end < text.size();) {
      node = trie_.next(node, text[end++]);
      if (node == PieceTrie::kNone) break;
      const int32_t piece = trie_.value(node);
      if (piece < 0) continue;
      const auto i = static_cast<size_t>(piece);
      if (kinds_[i] == PieceFile::Kind::kUnused) continue;
      const double score = kinds_[i] == PieceFile::Kind::kUserDefined
                               ? double{static_cast<float>(end - begin) * greatest_score_} - 0.1
                               : double{scores_[i]};
      offer(begin, end, score + double{so_far}, piece);
      is_known |= end - begin == character;
    }
    if (!is_known) {
      const float score = unknown_score + so_far;
      offer(begin, begin + character, double{score}, kNone);
    }
    begin += character;
  }
  std::vector<Part> parts;
  for (size_t end = text.size(); end > 0; end = places[end].begin)
    parts.push_back({places[end].begin, end, places[end].piece});
  std::ranges::reverse(parts);
  return parts;
}

// --- byte pairs ---

// Neighbours whose union is a piece are merged, highest score first, of equal ones the leftmost.
// Unused pieces are merged too, and taken apart again in the end.
std::vector<PieceModel::Part> PieceModel::cut_by_merges(std::string_view text) const {
  struct Symbol {
    size_t begin = 0, end = 0;  // equal: merged away
    int32_t previous = -1, next = -1;
    bool is_whole = false;  // user-defined pieces are not merged
  };
  struct Candidate {
    float score;
    int32_t left, right;
    size_t end;                                     // of the union
    bool operator<(const Candidate& other) const {  // the best is on top
      return score != other.score ? score < other.score : left > other.left;
    }
  };
  std::vector<Symbol> symbols;
  for (size_t begin = 0; begin < text.size();) {
    const std::string_view rest = text.substr(begin);
    const size_t whole = user_defined_bytes(rest);
    const size_t end = begin + (whole > 0 ? whole : first_char(rest).bytes);
    const auto index = static_cast<int32_t>(symbols.size());
    symbols.push_back({begin, end, index - 1, end < text.size() ? index + 1 : -1, whole > 0});
    begin = end;
  }
  const auto symbol = [&](int32_t index) -> Symbol& { return symbols[static_cast<size_t>(index)]; };
  std::priority_queue<Candidate> candidates;
  std::unordered_map<std::string_view, size_t>
      unused;  // text of an unused piece -> bytes of its left half
  const auto offer = [&](int32_t left, int32_t right) {
    if (left < 0 || right < 0 || symbol(left).is_whole || symbol(right).is_whole) return;
    const size_t begin = symbol(left).begin, end = symbol(right).end;
    const std::string_view joined = text.substr(begin, end - begin);
    const int32_t piece = find(joined);
    if (piece < 0) return;
    const auto i = static_cast<size_t>(piece);
    candidates.push({scores_[i], left, right, end});
    if (kinds_[i] == PieceFile::Kind::kUnused) unused[joined] = symbol(left).end - begin;
  };
  for (int32_t i = 1; i < static_cast<int32_t>(symbols.size()); ++i) offer(i - 1, i);
  while (!candidates.empty()) {
    const Candidate best = candidates.top();
    candidates.pop();
    Symbol &left = symbol(best.left), &right = symbol(best.right);
    // The pair may have changed since it was queued.
    if (left.begin == left.end || right.begin == right.end || left.end != right.begin ||
        right.end != best.end)
      continue;
    left.end = right.end;
    left.next = right.next;
    if (right.next >= 0) symbol(right.next).previous = best.left;
    right.end = right.begin;
    offer(left.previous, best.left);
    offer(best.left, left.next);
  }
  std::vector<Part> parts, waiting;  // waiting: still to be looked at, the next one last
  for (int32_t index = symbols.empty() ? -1 : 0; index >= 0; index = symbol(index).next) {
    waiting.push_back({symbol(index).begin, symbol(index).end});
    while (!waiting.empty()) {
      Part part = waiting.back();
      waiting.pop_back();
      const std::string_view piece = text.substr(part.begin, part.end - part.begin);
      part.piece = find(piece);
      const auto halves = unused.find(piece);
      const bool is_unused =
          part.piece >= 0 && kinds_[static_cast<size_t>(part.piece)] == PieceFile::Kind::kUnused;
      if (!is_unused || halves == unused.end()) {
        parts.push_back(part);
        continue;
      }
      const size_t middle = part.begin + halves->second;
      waiting.push_back({middle, part.end});
      waiting.push_back({part.begin, middle});
    }
  }
  return parts;
}

// --- ids ---

void PieceModel::encode(std::string_view text, const TokenIds& ids,
                        std::vector<int32_t>& out) const {
  const auto add = [&](std::string_view piece) {
    const auto known = ids.find(piece);
    out.push_back(known == ids.end() ? unknown_ : known->second);
  };
  if (const size_t end = text.find("<<");
      is_marian_ && text.starts_with(">>") && end != std::string_view::npos) {
    add(text.substr(0, end + 2));
    text.remove_prefix(end + 2);
  }
  const std::string normal = normalized(text);
  const std::vector<Part> parts = is_bpe_ ? cut_by_merges(normal) : cut_by_probability(normal);
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t begin = parts[i].begin;
    // Without byte fallback, unknown parts side by side are one.
    while (parts[i].piece == kNone && !byte_fallback_ && i + 1 < parts.size() &&
           parts[i + 1].piece == kNone)
      ++i;
    const std::string_view piece = std::string_view(normal).substr(begin, parts[i].end - begin);
    if (parts[i].piece == kNone && byte_fallback_)
      for (const char byte : piece)
        add(fmt::format("<0x{:02X}>", static_cast<unsigned char>(byte)));
    else if (parts[i].piece == kNone && !is_marian_)
      out.push_back(unknown_);  // even where the text is that of an unused piece
    else
      add(piece);
  }
}

}  // namespace attn
