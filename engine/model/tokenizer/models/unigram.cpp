// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/models/unigram.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/utf8.h"

namespace attn {
namespace {

constexpr double kUnknownPenalty = 10;  // how far an unknown character scores below the least score

// The best way found so far to cut the text up to some byte.
struct Place {
  double score = 0;
  size_t begin = SIZE_MAX;  // where its last piece begins; SIZE_MAX: no way was found yet
  int32_t id = 0;           // its last piece
};

struct Cut {
  size_t begin, end;
  int32_t id;
};

}  // namespace

void UnigramModel::encode(std::string_view text, const TokenIds& ids,
                          std::vector<int32_t>& out) const {
  std::vector<Place> places(text.size() + 1);
  const auto offer = [&](size_t begin, size_t end, double score, int32_t id) {
    Place& place = places[end];
    const double sum = places[begin].score + score;
    if (place.begin == SIZE_MAX || sum > place.score) place = {sum, begin, id};
  };
  for (size_t begin = 0; begin < text.size();) {
    const Utf8Char first = first_char(text.substr(begin));
    bool is_known = false;
    uint32_t node = PieceTrie::kRoot;
    for (size_t end = begin; end < text.size();) {
      node = trie.next(node, text[end++]);
      if (node == PieceTrie::kNone) break;
      const int32_t id = trie.value(node);
      if (id < 0) continue;
      offer(begin, end, scores[static_cast<size_t>(id)], id);
      is_known |= end - begin == first.bytes;
    }
    if (!is_known) {
      if (!unknown)
        throw_bad_input({"a character is not in the vocabulary", "tokenizer",
                         quote_text(text.substr(begin, first.bytes)),
                         "characters of its pieces, since it has no unknown token", ""});
      offer(begin, begin + first.bytes, least_score - kUnknownPenalty, *unknown);
    }
    begin += first.bytes;
  }
  std::vector<Cut> cuts;  // last cut first; unknown characters side by side are one cut
  for (size_t end = text.size(); end > 0; end = places[end].begin) {
    const Place& place = places[end];
    if (unknown && place.id == *unknown && !cuts.empty() && cuts.back().id == *unknown)
      cuts.back().begin = place.begin;
    else
      cuts.push_back({place.begin, end, place.id});
  }
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
    const std::string_view piece = text.substr(cut->begin, cut->end - cut->begin);
    if (!unknown || cut->id != *unknown) {
      out.push_back(cut->id);
      continue;
    }
    const auto byte_token = [&](char c) { return byte_tokens[static_cast<unsigned char>(c)]; };
    if (const auto known = ids.find(piece); known != ids.end())
      out.push_back(known->second);
    else if (byte_fallback &&
             std::all_of(piece.begin(), piece.end(), [&](char c) { return byte_token(c) >= 0; }))
      std::transform(piece.begin(), piece.end(), std::back_inserter(out), byte_token);
    else
      out.push_back(*unknown);
  }
}

}  // namespace attn
