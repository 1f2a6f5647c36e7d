// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/pre_tokenizer.h"

#include <algorithm>

#include "engine/core/utf8.h"
#include "engine/model/tokenizer/steps/characters.h"

namespace attn {
namespace {

using Piece = PreTokenizer::Piece;
using Pieces = PreTokenizer::Pieces;

// A part of a piece.
struct Segment {
  size_t begin, end;
  bool is_match;
};

// Merges each match with the part before it, where that is no match. (If the parts are given in
// reverse order: with the part that follows it in the text.)
void merge_matches(std::vector<Segment>& parts) {
  std::vector<Segment> merged;
  bool was_match = false;
  for (const Segment& part : parts) {
    if (part.is_match && !was_match && !merged.empty()) {
      merged.back().begin = std::min(merged.back().begin, part.begin);
      merged.back().end = std::max(merged.back().end, part.end);
    } else {
      merged.push_back(part);
    }
    was_match = part.is_match;
  }
  parts = std::move(merged);
}

// Merges neighbours that both are matches, or both are none.
void merge_equal(std::vector<Segment>& parts) {
  std::vector<Segment> merged;
  bool was_match = false;
  for (const Segment& part : parts) {
    if (part.is_match == was_match && !merged.empty())
      merged.back().end = part.end;
    else
      merged.push_back(part);
    was_match = part.is_match;
  }
  parts = std::move(merged);
}

void apply_behavior(PreTokenizer::Behavior behavior, std::vector<Segment>& parts) {
  switch (behavior) {
    case PreTokenizer::Behavior::kIsolated:
      return;
    case PreTokenizer::Behavior::kRemoved:
      std::erase_if(parts, [](const Segment& part) { return part.is_match; });
      return;
    case PreTokenizer::Behavior::kContiguous:
      return merge_equal(parts);
    case PreTokenizer::Behavior::kMergedWithPrevious:
      return merge_matches(parts);
    case PreTokenizer::Behavior::kMergedWithNext:
      std::reverse(parts.begin(), parts.end());
      merge_matches(parts);
      std::reverse(parts.begin(), parts.end());
      return;
  }
}

// Cuts every piece. matches_in(text) gives the matches in the text of a piece: an object with a
// next(begin, end) as that of PatternMatches.
template <class Matches>
void cut(Pieces& pieces, PreTokenizer::Behavior behavior, bool inverts, Matches&& matches_in) {
  std::vector<Piece> result;
  result.reserve(pieces.list.size());
  std::vector<Segment> parts;
  for (const Piece& piece : pieces.list) {
    const auto text = std::string_view(pieces.text).substr(piece.begin, piece.end - piece.begin);
    parts.clear();
    size_t done = 0, begin = 0, end = 0;
    auto matches = matches_in(text);
    while (matches.next(begin, end)) {
      if (done != begin) parts.push_back({done, begin, inverts});
      parts.push_back({begin, end, !inverts});
      done = end;
    }
    if (done != text.size()) parts.push_back({done, text.size(), inverts});
    apply_behavior(behavior, parts);
    for (const Segment& part : parts)
      if (part.begin < part.end)
        result.push_back({piece.begin + part.begin, piece.begin + part.end,
                          piece.first > part.begin ? piece.first - part.begin : 0});
  }
  pieces.list = std::move(result);
}

// Finds the single characters for which is() holds.
template <class Is>
class Characters {
 public:
  Characters(std::string_view text, const Is& is) : text_(text), is_(is) {}
  bool next(size_t& begin, size_t& end) {
    while (at_ < text_.size()) {
      const Utf8Char next = first_char(text_.substr(at_));
      at_ += next.bytes;
      if (!is_(next.code)) continue;
      begin = at_ - next.bytes;
      end = at_;
      return true;
    }
    return false;
  }

 private:
  std::string_view text_;
  const Is& is_;
  size_t at_ = 0;
};

template <class Is>
void cut_at(Pieces& pieces, PreTokenizer::Behavior behavior, const Is& is) {
  cut(pieces, behavior, false, [&](std::string_view text) { return Characters<Is>(text, is); });
}

class LiteralMatches {
 public:
  LiteralMatches(std::string_view text, std::string_view literal)
      : text_(text), literal_(literal) {}
  bool next(size_t& begin, size_t& end) {
    begin = text_.find(literal_, from_);
    if (begin == std::string_view::npos) return false;
    from_ = end = begin + literal_.size();
    return true;
  }

 private:
  std::string_view text_, literal_;
  size_t from_ = 0;
};

void cut_by(Pieces& pieces, const SearchText& search, PreTokenizer::Behavior behavior,
            bool inverts) {
  if (search.literal.empty())
    cut(pieces, behavior, inverts,
        [&](std::string_view text) { return PatternMatches(search.pattern, text); });
  else
    cut(pieces, behavior, inverts,
        [&](std::string_view text) { return LiteralMatches(text, search.literal); });
}

// Finds runs of word characters, and runs of other characters that are no white space.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  bool next(size_t& begin, size_t& end) {
    size_t at = from_;
    for (begin = at; at < text_.size(); begin = at) {
      const int kind = kind_at(at);
      while (at < text_.size() && kind_at(at) == kind) at += first_char(text_.substr(at)).bytes;
      if (kind == kSpace) continue;
      from_ = end = at;
      return true;
    }
    return false;
  }

 private:
  static constexpr int kSpace = 0, kWord = 1, kOther = 2;
  int kind_at(size_t at) const {
    const int32_t code = first_char(text_.substr(at)).code;
    return is_word_character(code) ? kWord : is_white_space(code) ? kSpace : kOther;
  }
  std::string_view text_;
  size_t from_ = 0;
};

// Gives every piece a new text: change(text, out, first) appends it to `out` and updates `first`.
template <class Change>
void rewrite(Pieces& pieces, Change&& change) {
  std::string text;
  text.reserve(pieces.text.size() + pieces.text.size() / 2);
  for (Piece& piece : pieces.list) {
    const size_t begin = text.size();
    change(std::string_view(pieces.text).substr(piece.begin, piece.end - piece.begin), text,
           piece.first);
    piece.begin = begin;
    piece.end = text.size();
  }
  pieces.text = std::move(text);
}

void byte_level(Pieces& pieces, const PreTokenizer::Step& step) {
  if (step.adds_space)
    rewrite(pieces, [](std::string_view text, std::string& out, size_t& first) {
      if (!text.starts_with(' ')) {
        out += ' ';
        if (first > 0) ++first;
      }
      out += text;
    });
  if (step.splits)
    cut(pieces, PreTokenizer::Behavior::kIsolated, false,
        [](std::string_view text) { return PatternMatches(PreTokenizer::gpt2(), text); });
  rewrite(pieces, [](std::string_view text, std::string& out, size_t& first) {
    const size_t begin = out.size();
    size_t first_bytes = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (i == first) first_bytes = out.size() - begin;
      append_utf8(out, char_of_byte(static_cast<unsigned char>(text[i])));
    }
    first = first >= text.size() ? out.size() - begin : first_bytes;
  });
}

void metaspace(Pieces& pieces, const PreTokenizer::Step& step) {
  const std::string& mark = step.mark;
  rewrite(pieces, [&](std::string_view text, std::string& out, size_t& first) {
    const bool is_wanted = step.prepend == PreTokenizer::Prepend::kAlways ||
                           (step.prepend == PreTokenizer::Prepend::kFirst && first > 0);
    const size_t begin = out.size();
    if (is_wanted && !text.starts_with(mark) && !text.starts_with(' ')) out += mark;
    size_t first_bytes = out.size() - begin;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == ' ')
        out += mark;
      else
        out += text[i];
      if (i + 1 == first) first_bytes = out.size() - begin;
    }
    if (first > 0) first = first_bytes;
  });
  if (step.splits) {
    SearchText search;
    search.literal = mark;
    cut_by(pieces, search, PreTokenizer::Behavior::kMergedWithNext, false);
  }
}

void apply(const PreTokenizer::Step& step, Pieces& pieces) {
  using Kind = PreTokenizer::Kind;
  switch (step.kind) {
    case Kind::kByteLevel:
      return byte_level(pieces, step);
    case Kind::kSplit:
      return cut_by(pieces, step.search, step.behavior, step.inverts);
    case Kind::kMetaspace:
      return metaspace(pieces, step);
    case Kind::kWhitespace:
      return cut(pieces, PreTokenizer::Behavior::kRemoved, true,
                 [](std::string_view text) { return Words(text); });
    case Kind::kWhitespaceSplit:
      return cut_at(pieces, PreTokenizer::Behavior::kRemoved, is_white_space);
    case Kind::kBert:
      cut_at(pieces, PreTokenizer::Behavior::kRemoved, is_white_space);
      return cut_at(pieces, PreTokenizer::Behavior::kIsolated, is_split_punctuation);
    case Kind::kDigits:
      return cut_at(
          pieces,
          step.each_digit ? PreTokenizer::Behavior::kIsolated : PreTokenizer::Behavior::kContiguous,
          is_numeric);
    case Kind::kPunctuation:
      return cut_at(pieces, step.behavior, is_split_punctuation);
    case Kind::kDelimiter: {
      const int32_t delimiter = first_char(step.mark).code;
      return cut_at(pieces, PreTokenizer::Behavior::kRemoved,
                    [delimiter](int32_t code) { return code == delimiter; });
    }
  }
}

}  // namespace

const Pattern& PreTokenizer::gpt2() {
  static const Pattern pattern(
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)");
  return pattern;
}

PreTokenizer::Pieces PreTokenizer::split(std::string_view text, size_t first) const {
  Pieces pieces{std::string(text), {}};
  if (!text.empty()) pieces.list.push_back({0, text.size(), first});
  for (const Step& step : steps) {
    apply(step, pieces);
    check_growth(pieces.text.size(), most_bytes(text.size()));
  }
  return pieces;
}

}  // namespace attn
