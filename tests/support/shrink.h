// SPDX-License-Identifier: GPL-3.0-or-later
// Delta debugging: shortens a list of operations that fails to one that still fails. No single
// operation can be left out of that, unless it is the only one: the empty list is not tried.
// A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input", 2002 ("reduce to
// complement").
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attn::testing {

// `fails(x)` says whether the list x fails; fails(list) must be true. Returns the shortened list.
template <typename Item, typename Fails>
std::vector<Item> shrink(std::vector<Item> list, const Fails& fails) {
  size_t parts = 2;
  while (list.size() > 1) {
    parts = std::min(parts, list.size());
    bool smaller = false;
    for (size_t part = 0; part < parts && !smaller; ++part) {
      const auto begin = static_cast<std::ptrdiff_t>(list.size() * part / parts);
      const auto end = static_cast<std::ptrdiff_t>(list.size() * (part + 1) / parts);
      std::vector<Item> rest(list.begin(), list.begin() + begin);
      rest.insert(rest.end(), list.begin() + end, list.end());
      if (!fails(rest)) continue;
      list = std::move(rest);
      smaller = true;
    }
    if (smaller) {
      parts = std::max<size_t>(2, parts - 1);
    } else if (parts == list.size()) {
      break;
    } else {
      parts *= 2;
    }
  }
  return list;
}

}  // namespace attn::testing
