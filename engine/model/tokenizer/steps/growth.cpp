// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/growth.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.h"

namespace attn {
namespace {

constexpr size_t kMaxGrowth = 16, kMaxMore = 4096;

// Gives what `search` finds in a text, one match after another, as PatternMatches does.
class Found {
 public:
  Found(const SearchText& search, std::string_view text)
      : search_(search), text_(text), matches_(search.pattern, text) {}
  bool next(size_t& begin, size_t& end) {
    if (search_.literal.empty()) return matches_.next(begin, end);
    begin = text_.find(search_.literal, from_);
    if (begin == std::string_view::npos) return false;
    from_ = end = begin + search_.literal.size();
    return true;
  }

 private:
  const SearchText& search_;
  std::string_view text_;
  PatternMatches matches_;
  size_t from_ = 0;
};

}  // namespace

size_t most_bytes(size_t bytes) {
  return bytes * kMaxGrowth + kMaxMore;
}

void check_growth(size_t bytes, size_t most) {
  if (bytes <= most) return;
  throw_bad_input({"replacements make a text too long", "tokenizer",
                   fmt::format("a text that becomes more than {} times as long", kMaxGrowth),
                   fmt::format("{} times its bytes, and {} more", kMaxGrowth, kMaxMore),
                   "Correct the normaliser, the pre-tokenizer or the decoder of the tokenizer"});
}

bool replace_all(std::string& text, const SearchText& search, std::string_view content, size_t most,
                 size_t& first) {
  Found found(search, text);
  size_t begin = 0, end = 0;
  if (!found.next(begin, end)) return false;
  std::string out;
  out.reserve(std::min(most, text.size() + text.size() / 2));
  size_t copied = 0, first_out = 0;
  do {
    out.append(text, copied, begin - copied);
    if (first > copied) first_out += std::min(first, begin) - copied;
    out.append(content);
    // A replacement counts as coming from the last of the characters that it replaces.
    if (end > begin ? first >= end : first >= begin && begin == 0) first_out += content.size();
    copied = end;
    check_growth(out.size(), most);
  } while (found.next(begin, end));
  out.append(text, copied);
  if (first > copied) first_out += first - copied;
  check_growth(out.size(), most);
  first = first_out;
  text = std::move(out);
  return true;
}

}  // namespace attn
