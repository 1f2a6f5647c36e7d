// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/pattern/char_set.h"

#include <algorithm>

namespace attn {

CharSet::CharSet(const icu::UnicodeSet& set, bool takes_invalid) : takes_invalid_(takes_invalid) {
  for (int32_t code = 0; code < 0x80; ++code)
    if (set.contains(code)) ascii_[static_cast<size_t>(code) >> 6] |= uint64_t{1} << (code & 63);
  for (int32_t i = 0; i < set.getRangeCount(); ++i)
    if (set.getRangeEnd(i) >= 0x80)
      ranges_.push_back({std::max(set.getRangeStart(i), 0x80), set.getRangeEnd(i)});
}

bool CharSet::contains_beyond_ascii(int32_t code) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), code,
                       [](int32_t c, const Range& range) { return c < range.first; });
  return after != ranges_.begin() && code <= (after - 1)->last;
}

}  // namespace attn
